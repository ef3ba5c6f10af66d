"""Starts, records, drives, seals and judges a run. Rank 6."""
