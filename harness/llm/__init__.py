"""Recorded calls of the model, as values: what was asked, which tools it called. Rank 2."""
