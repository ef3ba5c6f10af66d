"""History: many runs, one row each, as Parquet files in a folder; what became of each rule over them. Rank 3.

    folder > read (damaged and foreign files are told) > index (DuckDB, in memory) > trends

Knows no capture and no report: `harness.summary` makes the row of a run. DuckDB is imported
here only, and only when an index is read or written.
"""
