"""What history keeps of a run: a report and its run folder as one row. Rank 5.

    report (as JSON) + run folder (run.json, journals, sizes) > harness.history.values.Summary

A report that was written to a file and the same report in memory give the same row.
"""
