"""Nothing reaches the disk but through here: heads, bodies, notes and run.json without secrets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from harness.capture.redaction import Redactor, StreamRedactor
    from harness.model.capture import Request

type Headers = tuple[tuple[str, str], ...]


class Clean:
    """Takes secrets out of whatever is written; without a redactor it gives all back as it is."""

    def __init__(self, redactor: Redactor | None) -> None:
        self._redactor = redactor

    @property
    def facts(self) -> dict[str, Any] | None:
        """What run.json says of it."""
        return None if self._redactor is None else {"key_id": self._redactor.key_id}

    def exchange(self) -> Clean:
        """The same for one exchange, which knows all secrets of its own heads."""
        return Clean(None if self._redactor is None else self._redactor.exchange())

    def request(self, request: Request) -> Request:
        """A request as it may be written; its headers first: their secrets are known in the rest then."""
        if self._redactor is None:
            return request
        return request._replace(
            headers=self._redactor.headers(request.headers),
            target=self._redactor.target(request.target or ""),
            body=None if request.body is None else self._redactor.text(request.body),
        )

    def headers(self, headers: Headers) -> Headers:
        """Headers as they may be written."""
        return headers if self._redactor is None else self._redactor.headers(headers)

    def text(self, text: str) -> str:
        """Any text as it may be written."""
        return text if self._redactor is None else self._redactor.text(text)

    def url(self, url: str) -> str:
        """An address as it may be written: its query may hold secrets."""
        return url if self._redactor is None else self._redactor.target(url)

    def value(self, value: Any) -> Any:
        """Every text in a value of lists and dicts."""
        if isinstance(value, str):
            return self.url(value) if "://" in value and " " not in value else self.text(value)
        if isinstance(value, dict):
            return {key: self.value(one) for key, one in value.items()}
        return [self.value(one) for one in value] if isinstance(value, list | tuple) else value

    def stream(self, *, frames: bool) -> StreamRedactor | None:
        """What a body passes through; `frames`: it is an event stream."""
        return None if self._redactor is None else self._redactor.stream(frames=frames)
