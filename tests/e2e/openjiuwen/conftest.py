"""Scenarios of a system that is not installed here: `make e2e-openjiuwen` runs them, pytest does not collect them."""

collect_ignore_glob = ["*.scenario.yaml"]
