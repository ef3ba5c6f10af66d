"""What is measured, and against what: `make bench` prints each figure beside its bar."""
