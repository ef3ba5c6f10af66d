"""Sends the rounds of a scenario to a system under test; judges nothing. Rank 5."""
