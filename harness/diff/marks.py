"""Characters of the private use area that stand in normal forms for what is no text of the wire."""

ID = "\ue000"
"""An id; which one stands in the list beside the form."""
TEXT = "\ue001"
"""Begins a string that a model or a person wrote."""
TIME = "\ue002"
"""A time, a duration, a running number."""
NAME = "\ue003"
"""Stands before and behind the name of an id."""
NESTED = "#"
"""The one member of a JSON text that a string held."""
_ALL = (ID, TEXT, TIME, NAME)


def clean(text: str) -> str:
    """`text` of the wire, without characters that look like marks."""
    for mark in _ALL:
        if mark in text:
            text = text.replace(mark, "\ufffd")
    return text
