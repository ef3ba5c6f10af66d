"""An SSE server to measure proxies with: `python -m bench.emitter` prints its port, until stdin ends.

    POST /paced?rate=50&events=250      one event each 1/rate s; each holds the time it was sent at
    POST /flood?events=20000            events as fast as they are taken, one write each
    POST /bulk?megabytes=500            events of 1 KiB in writes of 64 KiB, for memory

The bodies are token chunks as the Java runtime prints them, chunked, one chunk a write.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import sys
import time
from urllib.parse import parse_qsl, urlsplit

HEAD = (
    b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncache-control: no-store\r\n"
    b"transfer-encoding: chunked\r\n\r\n"
)
PHASES = ((number * 0.618) % 1 for number in itertools.count())
"""Streams that are independent of each other do not speak at the same moment."""
WORDS = "the quick brown fox compares prices of 模型 对比 价格 and says so " * 2 + "one token"
TASK = "3f6d1c1e-0c7a-4b55-9f0e-6a1f2f0c9a11"


def frame(index: int, sent_ns: int = 0, words: str = WORDS) -> bytes:
    """One token chunk, about 490 bytes; `sent_ns` is the first member of its payload."""
    payload = {"sent_ns": f"{sent_ns:020d}", "content": words, "result_type": "answer"}
    artifact = {
        "artifactId": f"2b92f22d-3cba-58d6-b51f-{index:012d}",
        "parts": [{"data": {"type": "llm_output", "index": index, "payload": payload}}],
    }
    result = {"artifactUpdate": {"taskId": TASK, "artifact": artifact, "contextId": "ctx-bench"}}
    told = {"jsonrpc": "2.0", "id": "req-7", "result": result}
    text = json.dumps(told, separators=(",", ":"), ensure_ascii=False)
    return b"event:jsonrpc\ndata:" + text.encode() + b"\n\n"


def chunk(data: bytes) -> bytes:
    """`data` as one chunk of a chunked body."""
    return b"%x\r\n%s\r\n" % (len(data), data)


async def paced(writer: asyncio.StreamWriter, rate: float, events: int) -> None:
    """Events at a fixed rate by the clock; each stream in a phase of its own."""
    loop = asyncio.get_running_loop()
    start = loop.time() + next(PHASES) / rate
    for index in range(events):
        await asyncio.sleep(max(0.0, start + index / rate - loop.time()))
        writer.write(chunk(frame(index, time.monotonic_ns())))
        await writer.drain()


async def flood(writer: asyncio.StreamWriter, events: int) -> None:
    """All events at once, one write each."""
    ready = [chunk(frame(index)) for index in range(min(events, 1000))]
    for index in range(events):
        writer.write(ready[index % len(ready)])
        if index % 16 == 15:
            await writer.drain()


async def bulk(writer: asyncio.StreamWriter, megabytes: int) -> None:
    """Many bytes in large writes."""
    piece = chunk(frame(0, words=WORDS * 8) * 64)
    for _ in range(max(1, (megabytes << 20) // len(piece))):
        writer.write(piece)
        await writer.drain()


async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """One connection: requests one after the other."""
    try:
        while head := await _head(reader):
            first, length = head
            await reader.readexactly(length)
            url = urlsplit(first.split(" ")[1])
            asked = dict(parse_qsl(url.query))
            writer.write(HEAD)
            if url.path == "/paced":
                await paced(writer, float(asked["rate"]), int(asked["events"]))
            elif url.path == "/flood":
                await flood(writer, int(asked["events"]))
            else:
                await bulk(writer, int(asked["megabytes"]))
            writer.write(b"0\r\n\r\n")
            await writer.drain()
    except (ConnectionError, asyncio.IncompleteReadError):
        pass
    finally:
        writer.close()


async def _head(reader: asyncio.StreamReader) -> tuple[str, int] | None:
    try:
        text = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    except asyncio.IncompleteReadError:
        return None
    lines = text.split("\r\n")
    length = next((int(line[15:]) for line in lines if line.lower().startswith("content-length:")), 0)
    return lines[0], length


async def serve() -> None:
    """Serve until standard input ends."""
    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    print(json.dumps({"port": server.sockets[0].getsockname()[1]}), flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    server.close()


if __name__ == "__main__":
    asyncio.run(serve())
