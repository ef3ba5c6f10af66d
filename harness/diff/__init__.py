"""What changed between two rounds, by meaning: volatile values, alignment, changes. Rank 3.

    events > forms (normal) > units (units) > pairs (align, settle) > changes (compare, members)

Knows values and A2A events, no file and no output. What a frame *means* is its normal form:
volatile values stand as marks, defaults are absent, numbers and key order have one spelling,
JSON inside strings is read. Tokens in a row are one unit, however they were cut. Two forms
are equal if their texts are; ids are then held against each other through the whole round.
"""
