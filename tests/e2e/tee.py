"""What an SDK client receives, written down inside the client: the direct bodies to compare captures with."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path

import httpx


class Tee(httpx.AsyncHTTPTransport):
    """An HTTP transport that keeps each exchange but cards as `NAME.body`, `.headers`, `.rc`, `.request.json` in a folder."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.folder = folder
        self.count = 0

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send, and write down what comes."""
        if request.url.path.endswith(".well-known/agent-card.json"):
            return await super().handle_async_request(request)
        self.count += 1
        path = self.folder / f"direct{self.count:03d}-HTTP-r1"
        request_body = (await request.aread()).decode()
        response = await super().handle_async_request(request)
        told = {
            "method": request.method,
            "target": request.url.raw_path.decode(),
            "headers": [[name.decode().lower(), value.decode()] for name, value in request.headers.raw],
            "body": request_body,
        }
        path.with_suffix(".request.json").write_text(json.dumps(told))
        head = [f"{name.decode()}: {value.decode()}" for name, value in response.headers.raw]
        path.with_suffix(".headers").write_text(
            "\r\n".join([f"HTTP/1.1 {response.status_code}", *head, "", ""])
        )
        assert isinstance(response.stream, httpx.AsyncByteStream)
        return httpx.Response(
            response.status_code,
            headers=response.headers,
            stream=_Kept(response.stream, path),
            extensions=response.extensions,
        )


class _Kept(httpx.AsyncByteStream):
    def __init__(self, stream: httpx.AsyncByteStream, path: Path) -> None:
        self._stream = stream
        self._body = path.with_suffix(".body")
        self._rc = path.with_suffix(".rc")

    async def __aiter__(self) -> AsyncIterator[bytes]:
        code = 28
        with self._body.open("wb") as body:
            try:
                async for chunk in self._stream:
                    body.write(chunk)
                    yield chunk
                code = 0
            except httpx.RemoteProtocolError:
                code = 18
                raise
            finally:
                self._rc.write_text(f"curl_rc={code}\n")

    async def aclose(self) -> None:
        await self._stream.aclose()
