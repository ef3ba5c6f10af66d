"""The scripts that the model plays."""

SCRIPTS: dict[str, object] = {"plain": None}
