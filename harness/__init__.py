"""Wire-capture acceptance test harness for A2A streaming traffic."""

__version__ = "0.1.0"
