"""Rules: checkable statements with stable codes, and the contracts that choose among them.

One file a family; each rule stands with its PASSES and FAILS beside it. `registry` names
every rule; nothing is found by magic. Rank 3: knows events and verdicts, never bytes or files.
"""
