"""Scenario files: YAML to the values of `harness.model.scenario`. Rank 1."""
