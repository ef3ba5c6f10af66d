"""Reference agents over real HTTP, with their known defects on switches. Rank 5."""
