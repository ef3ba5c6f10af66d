"""The text of a `--sut` file becomes a `Sut`: variables put in, literal secrets refused. Rank 1."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from pydantic import ValidationError

from harness import yamltext
from harness.errors import ScenarioError
from harness.scenario.sut import OURS, Sut, SutAgent, SutModel, filled
from harness.scenario.sut_language import SutFile

if TYPE_CHECKING:
    from harness.scenario.sut_language import AgentEntry, ModelEntry

LOOPBACK = "127.0.0.1"
_SECRET = re.compile(
    r"authorization|cookie|(?:api|access)[_-]?key|token\Z|secret|passw(?:or)?d", re.IGNORECASE
)
_FROM_ENVIRONMENT = re.compile(r"(?:[A-Za-z]+ )?\$\{\w+\}")
"""A value without a secret of its own: one variable, with a scheme before it at most."""


def system(text: str, file: str, environ: Mapping[str, str]) -> Sut:
    """YAML text as a system under test; raises `ScenarioError` with file, line and `$.path`."""
    document = yamltext.read(text, file, ScenarioError)
    try:
        read = SutFile.model_validate(document.value)
    except ValidationError as fault:
        raise yamltext.refused(fault, document, ScenarioError, "see `harness schema sut`") from None
    return _Made(document, environ).system(read)


class _Made:
    """Makes the values of one document."""

    def __init__(self, document: yamltext.Document, environ: Mapping[str, str]) -> None:
        self._document = document
        self._environ = environ

    def system(self, read: SutFile) -> Sut:
        if read.env and not read.start:
            raise self._no("there is no command for it", ("env",), "add `start`, or leave it out")
        ready = read.ready.url
        return Sut(
            file=self._document.file,
            agents=tuple(self._agent(name, one) for name, one in read.agents.items()),
            model=None if read.model is None else self._model(read.model),
            start=tuple(self._filled(one, ("start", at), later=True) for at, one in enumerate(read.start)),
            env=tuple((name, self._env(name, value)) for name, value in read.env.items()),
            ready_url=None if ready is None else self._url(ready, ("ready", "url")),
            ready_timeout_s=read.ready.timeout,
            stop_timeout_s=read.stop.timeout,
            log=None if read.log is None else self._filled(read.log, ("log",)),
        )

    def _agent(self, name: str, entry: AgentEntry) -> SutAgent:
        path = ("agents", name)
        headers = []
        for key, value in entry.headers.items():
            self._no_secret(key, value, (*path, "headers", key))
            headers.append((key, self._header(value, (*path, "headers", key))))
        url = self._url(entry.url, (*path, "url"))
        listen = self._listen(entry.listen, (*path, "listen"))
        secret = tuple(key for key, value in entry.headers.items() if "${" in value)
        return SutAgent(name, url, tuple(headers), listen, entry.protocol, secret)

    def _model(self, entry: ModelEntry) -> SutModel:
        if (entry.url is None) == (not entry.testbed):
            raise self._no(
                "a model is either a url or the testbed's", ("model",), "write one of url, testbed: true"
            )
        url = None if entry.url is None else self._url(entry.url, ("model", "url"))
        return SutModel(url, self._listen(entry.listen, ("model", "listen")))

    def _env(self, name: str, value: str) -> str:
        self._no_secret(name, value, ("env", name))
        return self._filled(value, ("env", name), later=True)

    def _no_secret(self, name: str, value: str, path: yamltext.Path) -> None:
        if _SECRET.search(name) and value and not _FROM_ENVIRONMENT.fullmatch(value):
            variable = re.sub(r"\W", "_", name).upper()
            mend = f'write "${{{variable}}}" and set that variable of the environment'
            raise self._no("a secret stands in the file", path, mend)

    def _header(self, value: str, path: yamltext.Path) -> str:
        text = self._filled(value, path)
        if not text.isascii() or not (text.isprintable() or not text):
            raise self._no("no value of a header", path, "write printable ASCII")
        return text.strip()

    def _url(self, text: str, path: yamltext.Path) -> str:
        url = self._filled(text, path)
        try:
            parts = urlsplit(url)
            good = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or 1) > 0
        except ValueError:
            good = False
        if not good:
            raise self._no(f"{text!r} is no http or https URL", path, "write http://HOST:PORT/PATH")
        if parts.username is not None:
            raise self._no("credentials in a URL", path, "send them as a header, from the environment")
        return url

    def _listen(self, told: int | str | None, path: yamltext.Path) -> tuple[str, int] | None:
        if told is None:
            return None
        host, _, port = self._filled(str(told), path).rpartition(":")
        if not port.isdecimal() or int(port) > 65535:
            raise self._no(f"{told!r} is no port", path, "write [HOST:]PORT")
        return host.strip("[]") or LOOPBACK, int(port)

    def _filled(self, text: str, path: yamltext.Path, *, later: bool = False) -> str:
        """`later`: variables of ours may stand there, and are put in when the recorder listens."""

        def lacks(name: str) -> ScenarioError:
            if name.startswith(OURS):
                return self._no(f"{name} is not known here", path, "use it in `start` and `env` only")
            return self._no(f"the environment variable {name} is not set", path, f"export {name}=...")

        text = filled(text, self._environ, lacks, ours=False)
        return text if later else filled(text, {}, lacks, ours=True)

    def _no(self, what: str, path: yamltext.Path, mend: str) -> ScenarioError:
        file, line = self._document.file, self._document.line(path)
        return ScenarioError(what, file=file, line=line, path=yamltext.dollar(path), mend=mend)
