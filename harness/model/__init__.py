"""Values of the flow: frozen, no behaviour beyond invariants, rank 0."""
