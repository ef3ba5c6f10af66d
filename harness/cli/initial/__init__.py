"""What `harness init` writes: the project's facts, asked or told, and the files made of them.

Parts: `project` (the facts), `card` (what the agent's card says), `asking` (questions on a terminal),
`files` (texts from templates, each read back by its own loader). The templates are package data.
"""
