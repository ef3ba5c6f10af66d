"""Baselines: an older JSON report that says what was red already, so that only what is new breaks. Rank 3."""
