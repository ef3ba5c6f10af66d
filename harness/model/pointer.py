"""RFC 6901 pointers; `#` marks the step into a JSON text held by a string."""


def child(pointer: str, step: str | int) -> str:
    """`pointer` with one more reference token, escaped where it must be."""
    if isinstance(step, int):
        return f"{pointer}/{step}"
    if "~" in step or "/" in step:
        step = step.replace("~", "~0").replace("/", "~1")
    return f"{pointer}/{step}"
