"""A secret in each header and in each place of a body, whole and split, is nowhere under the run folder.

The search is a raw one, over the bytes of every file: plain, base64 at each of its three alignments, URL-encoded,
and as JSON strings escape it.
"""

from __future__ import annotations

import base64
import json
import secrets
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from harness.cli.main import main
from tests.e2e import frames, recording
from tests.e2e.fault_server import SSE, FaultServer, Peer
from tests.e2e.raw_client import V1, RawClient, Seen, stream_request

CONTEXT = "ctx-secrets"
HEADERS = (
    ("Authorization", "Bearer {}"), ("Authorization", "Basic {base64}"), ("Authorization", "{}"),
    ("Proxy-Authorization", "Basic {base64}"), ("Cookie", "theme=dark; session={}"), ("X-API-Key", "{}"),
    ("Api-Key", "{}"), ("X-Auth-Token", "{}"), ("X-A2A-Notification-Token", "{}"), ("X-Goog-Api-Key", "{}"),
    ("X-Amz-Security-Token", "{}"), ("X-Access-Token", "{}"), ("Private-Token", "{}"),
    ("Ocp-Apim-Subscription-Key", "{}"), ("X-Vault-Token", "{}"), ("Cookie", "a={}; b={}"),
)  # fmt: skip
ANSWERED = (("Set-Cookie", "session={}; HttpOnly"), ("X-Auth-Token", "{}"), ("Authorization", "Bearer {}"))
MEMBERS = (
    "apiKey", "api_key", "access_token", "accessToken", "refresh_token", "password", "secret", "client_secret",
    "clientSecret", "authorization", "private_key", "credentials",
)  # fmt: skip
QUERY = ("api_key", "access_token", "key", "token", "password")


def shapes() -> dict[str, str]:
    """Values that are secrets by their look, whatever they are called."""
    letters = secrets.token_hex(24)
    claims = base64.urlsafe_b64encode(json.dumps({"sub": letters}).encode()).decode().rstrip("=")
    return {
        "openai": f"sk-proj-{letters}",
        "github": f"ghp_{letters[:36]}",
        "aws": f"AKIA{secrets.token_hex(8).upper()}",
        "jwt": f"eyJhbGciOiJIUzI1NiJ9.{claims}.{secrets.token_urlsafe(32)}",
        "bearer": f"Bearer {letters}",
    }


def new_secret() -> str:
    """A random one, with characters that URLs and base64 write otherwise."""
    return f"Zq+{secrets.token_urlsafe(18)}/9w=="


def spellings(secret: str) -> Iterator[bytes]:
    """The bytes by which a raw search finds `secret`."""
    raw = secret.encode()
    yield raw
    yield quote(secret, safe="").encode()
    yield "".join(f"%{byte:02x}" for byte in raw).encode()
    yield json.dumps(secret).strip('"').replace("/", "\\/").encode()
    for shift in range(3):
        shifted = base64.b64encode(b"\0" * shift + raw).rstrip(b"=")
        yield shifted[(shift * 8 + 5) // 6 : len(shifted) - 1]


def found(folder: Path, *wanted: str) -> list[str]:
    """Files and spellings in which one of the secrets is left."""
    told = []
    for path in sorted(folder.rglob("*")):
        data = path.read_bytes() if path.is_file() else b""
        name = str(path.relative_to(folder)).encode()
        told += [
            f"{path.name}: {spelling!r}"
            for secret in wanted
            for spelling in spellings(secret)
            if spelling in data or spelling in name
        ]
    return told


def send(url: str, body: bytes, headers=(), path: str = "/rpc") -> Seen:
    with RawClient(url, path) as client:
        client.ask(body, (*V1, *headers))
        return client.rest()


def answering(*parts: bytes, headers=SSE) -> Callable[[Peer], None]:
    def script(peer: Peer) -> None:
        peer.head(headers=headers)
        for part in parts:
            peer.chunk(part)
        peer.end()

    return script


def filled(pattern: str, secret: str) -> str:
    return pattern.replace("{base64}", base64.b64encode(f"user:{secret}".encode()).decode()).replace(
        "{}", secret
    )


@pytest.mark.parametrize(("name", "pattern"), HEADERS)
def test_request_headers(name, pattern, tmp_path):
    secret = new_secret()
    value = filled(pattern, secret)
    with recording.before(tmp_path, answering(*frames.stream(CONTEXT))) as (upstream, recorder):
        send(recorder.addresses["client"], stream_request(context=CONTEXT), ((name, value),))
        send(recorder.addresses["client"], stream_request(context=CONTEXT), ((name, value),))
        assert value.encode() in upstream.requests[0], "the agent gets it as it was sent"
    assert found(tmp_path, secret) == []
    told = [dict(one.request.headers)[name.lower()] for one in recording.captures(tmp_path)]
    assert told[0] == told[1], "equal stays equal"
    assert "<secret:" in told[0]


@pytest.mark.parametrize(("name", "pattern"), ANSWERED)
def test_response_headers(name, pattern, tmp_path):
    secret = new_secret()
    headers = (*SSE, (name, filled(pattern, secret)))
    with recording.before(tmp_path, answering(*frames.stream(CONTEXT), headers=headers)) as (
        _upstream,
        recorder,
    ):
        seen = send(recorder.addresses["client"], stream_request(context=CONTEXT))
    assert secret in dict(seen.headers)[name.lower()]
    assert found(tmp_path, secret) == []


@pytest.mark.parametrize("name", QUERY)
def test_query_parameters(name, tmp_path):
    secret = new_secret()
    with recording.before(tmp_path, answering(*frames.stream(CONTEXT))) as (_, recorder):
        path = f"/rpc?user=me&{name}={quote(secret, safe='')}&page=2"
        send(recorder.addresses["client"], stream_request(context=CONTEXT), path=path)
    assert found(tmp_path, secret) == []
    target = recording.only(tmp_path).request.target
    assert target.startswith("/rpc?user=me&")
    assert target.endswith("&page=2")


def messages(secret: str, name: str) -> dict[str, Any]:
    """A call with `{name: secret}` in each of its places."""
    call = json.loads(stream_request(context=CONTEXT))
    message = call["params"]["message"]
    message["metadata"] = {name: secret, "deep": [{"er": {name: secret}}]}
    message["parts"] = [
        {"data": {name: secret, "input_tokens": 11}},
        {"text": json.dumps({name: secret, "content": 'a "quoted" word'})},
        {"text": json.dumps({"text": json.dumps({name: secret})})},
    ]
    call["params"]["configuration"] = {
        "taskPushNotificationConfig": {"url": "http://127.0.0.1/x", "token": secret}
    }
    return call


@pytest.mark.parametrize("name", MEMBERS)
def test_members_of_request_bodies(name, tmp_path):
    secret = new_secret()
    call = messages(secret, name)
    with recording.before(tmp_path, answering(*frames.stream(CONTEXT))) as (_, recorder):
        send(recorder.addresses["client"], json.dumps(call).encode())
    assert found(tmp_path, secret) == []
    kept = json.loads(recording.only(tmp_path).request.body)
    assert kept["params"]["message"]["contextId"] == CONTEXT, "ids correlate"
    assert kept["params"]["message"]["parts"][0]["data"]["input_tokens"] == 11, (
        "counts of tokens are no secrets"
    )


def escaped(text: str) -> str:
    """Every character as JSON may write it."""
    return "".join(f"\\u{ord(letter):04x}" for letter in text)


SPELT = {
    "escaped-value": lambda secret: f'{{"api_key":"{escaped(secret)}"}}',
    "escaped-name": lambda secret: f'{{"{escaped("api_key")}":"{secret}"}}',
    "escaped-solidus": lambda secret: json.dumps({"api_key": secret}).replace("/", "\\/"),
    "spaced": lambda secret: json.dumps({"api_key": secret}, indent=4),
    "header-map": lambda secret: json.dumps({"headers": {"Authorization": f"Bearer {secret}"}}),
    "header-pairs": lambda secret: json.dumps({"headers": [["x-api-key", secret]]}),
    "header-objects": lambda secret: json.dumps([{"name": "Authorization", "value": f"Bearer {secret}"}]),
    "list": lambda secret: json.dumps({"api_key": [secret, secret]}),
    "push": lambda secret: json.dumps({"authentication": {"scheme": "Bearer", "credentials": secret}}),
    "setting": lambda secret: json.dumps({"text": f"run it with API_KEY={secret} set"}),
    "user-info": lambda secret: json.dumps({"url": f"https://me:{quote(secret, safe='')}@agent.example/a2a"}),
    "query": lambda secret: json.dumps({"url": f"https://agent.example/a2a?access_token={quote(secret, safe='')}"}),
    "curl": lambda secret: json.dumps({"text": f"curl -H 'Authorization: Bearer {secret}' https://agent.example"}),
    "four-deep": lambda secret: json.dumps([json.dumps([json.dumps([json.dumps({"password": secret})])])]),
}  # fmt: skip
"""Ways to write a secret that has a name."""


@pytest.mark.parametrize("way", sorted(SPELT))
@pytest.mark.parametrize("place", ["request", "frame", "document", "comment"])
def test_ways_to_write_it(way, place, tmp_path):
    secret = new_secret()
    written = SPELT[way](secret)
    line = written.replace("\n", "")
    first, *rest = frames.stream(CONTEXT)
    ids = f'"taskId":"{frames.TASK}","contextId":"{CONTEXT}"'
    update = f'{{"artifactUpdate":{{{ids},"artifact":{{"artifactId":"art-1","parts":[{{"data":{line}}}]}}}}}}'
    carrier = f'data: {{"jsonrpc":"2.0","id":"req-1","result":{update}}}\r\n\r\n'.encode()
    answers = {
        "request": answering(first, *rest),
        "frame": answering(first, carrier, *rest),
        "document": answering(written.encode(), headers=(("content-type", "application/json"),)),
        "comment": answering(first, f": {line}\r\n\r\n".encode(), *rest),
    }
    call = stream_request(context=CONTEXT)
    if place == "request":
        call = call[:-2] + f', "metadata": {written}}}}}'.encode()
    with recording.before(tmp_path, answers[place]) as (_, recorder):
        send(recorder.addresses["client"], call)
    assert found(tmp_path, secret) == []
    assert [path.name for path in tmp_path.iterdir() if escaped(secret).encode() in path.read_bytes()] == []
    if place in ("request", "frame"):
        judged_whole(tmp_path)
    if place == "document":
        json.loads(recording.body(recording.only(tmp_path)))


def test_a_context_that_looks_like_a_key_names_no_file(tmp_path):
    secret = shapes()["openai"]
    with recording.before(tmp_path, answering(*frames.stream(secret))) as (_, recorder):
        send(recorder.addresses["client"], stream_request(context=secret))
    assert found(tmp_path, secret) == []


def test_equal_secrets_are_equal_in_one_run_and_not_in_another(tmp_path):
    secret = new_secret()
    told = []
    for run in (tmp_path / "one", tmp_path / "two"):
        with recording.before(run, answering(*frames.stream(CONTEXT))) as (_, recorder):
            for name in ("Authorization", "X-API-Key"):
                send(recorder.addresses["client"], stream_request(context=CONTEXT), ((name, secret),))
        kept = [dict(one.request.headers) for one in recording.captures(run)]
        told.append((kept[0]["authorization"], kept[1]["x-api-key"]))
    (first, same), (second, _) = told
    assert first.rpartition(":")[2] == same.rpartition(":")[2], "the same secret under two names correlates"
    assert first != second, "the key is the run's own"


def test_form_bodies(tmp_path):
    secret = new_secret()
    with recording.before(tmp_path, answering(*frames.stream(CONTEXT))) as (_, recorder):
        send(recorder.addresses["client"], f"user=me&client_secret={quote(secret, safe='')}".encode())
    assert found(tmp_path, secret) == []


def carriers(secret: str, name: str) -> list[bytes]:
    """Frames with the secret in each place of an answer."""
    told = json.dumps({name: secret})
    status = {"state": "TASK_STATE_WORKING", "message": {"role": "ROLE_AGENT", "parts": [{"text": told}]}}
    ids = {"taskId": frames.TASK, "contextId": CONTEXT}
    data = [{"data": {name: secret}}, {"text": told}, {"text": json.dumps({"text": told})}]
    return [
        frames.frame({"statusUpdate": {**ids, "status": status, "metadata": {name: secret}}}),
        frames.frame({"artifactUpdate": {**ids, "artifact": {"artifactId": "art-1", "parts": data}}}),
        frames.frame({"artifactUpdate": {**ids, "artifact": {"artifactId": "art-1", "metadata": {name: secret}, "parts": [{"text": "x"}]}}}),
    ]  # fmt: skip


def judged_whole(folder: Path) -> None:
    """The redacted stream is still a stream: every frame is JSON, the task ends."""
    _, (round,) = recording.judged(folder)
    assert (round.outcome, round.ending, round.unread) == ("COMPLETED", "clean", ())
    kept = recording.body(recording.only(folder))
    for line in kept.split(b"\r\n"):
        if line.startswith(b"data:"):
            json.loads(line[5:])


@pytest.mark.parametrize("name", MEMBERS)
def test_members_of_answers_whole(name, tmp_path):
    secret = new_secret()
    first, *rest = frames.stream(CONTEXT)
    with recording.before(tmp_path, answering(first, *carriers(secret, name), *rest)) as (_, recorder):
        seen = send(recorder.addresses["client"], stream_request(context=CONTEXT))
    assert secret.encode() in seen.body, "the client gets it as it was sent"
    assert found(tmp_path, secret) == []
    judged_whole(tmp_path)


@pytest.mark.parametrize("name", ["api_key", "password"])
def test_members_of_answers_split_at_every_place(name, tmp_path):
    """One frame for each place at which it can be cut in two, and one that comes byte by byte."""
    secret = new_secret()
    carrier = carriers(secret, name)[0]
    first, *rest = frames.stream(CONTEXT)
    start, end = carrier.find(name.encode()) - 2, carrier.rfind(secret.encode()) + len(secret) + 2
    parts = [piece for at in range(start, end) for piece in (carrier[:at], carrier[at:])]
    parts += [carrier[at : at + 1] for at in range(len(carrier))]
    with recording.before(tmp_path, answering(first, *parts, *rest)) as (_, recorder):
        send(recorder.addresses["client"], stream_request(context=CONTEXT))
    assert found(tmp_path, secret) == []
    judged_whole(tmp_path)


@pytest.mark.parametrize("shape", sorted(shapes()))
@pytest.mark.parametrize("split", [False, True])
def test_secrets_by_their_shape(shape, split, tmp_path):
    secret = shapes()[shape]
    core = secret.removeprefix("Bearer ")
    first, *rest = frames.stream(CONTEXT)
    carrier = frames.artifact(CONTEXT, f"please use {secret} for it")
    places = (
        range(carrier.find(secret.encode()), carrier.find(secret.encode()) + len(secret)) if split else [0]
    )
    parts = [piece for at in places for piece in (carrier[:at], carrier[at:]) if piece]
    with recording.before(tmp_path, answering(first, *parts, *rest)) as (_, recorder):
        send(recorder.addresses["client"], stream_request(f"my key is {secret}, keep it", CONTEXT))
    assert found(tmp_path, core) == []
    judged_whole(tmp_path)


def test_a_private_key(tmp_path):
    lines = "\n".join(secrets.token_hex(32) for _ in range(12))
    key = f"-----BEGIN PRIVATE KEY-----\n{lines}\n-----END PRIVATE KEY-----\n"
    first, *rest = frames.stream(CONTEXT)
    carrier = frames.artifact(CONTEXT, key)
    parts = [carrier[at : at + 17] for at in range(0, len(carrier), 17)]
    with recording.before(tmp_path, answering(first, *parts, *rest)) as (_, recorder):
        send(recorder.addresses["client"], stream_request(key, CONTEXT))
    assert found(tmp_path, *lines.split("\n")) == []
    judged_whole(tmp_path)


@pytest.mark.parametrize("encoding", ["gzip", "plain"])
def test_an_agent_that_echoes_the_callers_token(encoding, tmp_path):
    """It was a header's value; in the body it has no name. Plain, base64 and URL-encoded."""
    import gzip

    secret = new_secret()
    first, *rest = frames.stream(CONTEXT)
    said = [secret, quote(secret, safe=""), base64.b64encode(secret.encode()).decode()]
    body = b"".join([first, *(frames.artifact(CONTEXT, f"you said {one}!") for one in said), *rest])
    headers = SSE if encoding == "plain" else (*SSE, ("content-encoding", "gzip"))
    sent = body if encoding == "plain" else gzip.compress(body)
    with recording.before(tmp_path, answering(sent, headers=headers)) as (_, recorder):
        send(
            recorder.addresses["client"],
            stream_request(context=CONTEXT),
            (("Authorization", f"Bearer {secret}"),),
        )
    assert found(tmp_path, secret) == []
    judged_whole(tmp_path)


def test_errors_health_checks_and_the_model_are_no_way_around(tmp_path):
    """Bodies that are no SSE, exchanges that are no rounds, and the leg to the model."""
    secret = new_secret()
    answer = json.dumps({"error": {"code": 401, "message": "no"}, "access_token": secret}).encode()

    def script(peer: Peer) -> None:
        peer.head(
            401, (("content-type", "application/json"), ("content-length", str(len(answer)))), chunked=False
        )
        peer.send(answer)

    with (
        FaultServer(script) as upstream,
        FaultServer(script) as model,
        recording.recorder(tmp_path, {"client": upstream.url, "llm": model.url}) as recorder,
    ):
        send(recorder.addresses["client"], stream_request(context=CONTEXT))
        send(recorder.addresses["client"], b"", path=f"/health?api_key={quote(secret, safe='')}")
        asked = json.dumps({"model": "m", "stream": True, "api_key": secret}).encode()
        caller = (("Authorization", f"Bearer {secret}"),)
        send(recorder.addresses["llm"], asked, caller, "/v1/chat/completions")
    assert found(tmp_path, secret) == []


def test_a_stream_that_is_cut_within_a_secret(tmp_path):
    secret = new_secret()
    carrier = carriers(secret, "api_key")[0]
    half = carrier[: carrier.find(secret.encode()) + len(secret) - 4]

    def script(peer: Peer) -> None:
        peer.head()
        peer.chunk(half)
        peer.drop()

    with recording.before(tmp_path, script) as (_, recorder):
        seen = send(recorder.addresses["client"], stream_request(context=CONTEXT))
    assert seen.body == half
    assert found(tmp_path, secret[: len(secret) - 4]) == []


def test_half_a_secret_goes_on_at_once_and_waits_for_the_disk(tmp_path):
    """The client gets what has come, the disk does not: not even while the rest is awaited."""
    secret = new_secret()
    first, *rest = frames.stream(CONTEXT)
    carrier = carriers(secret, "api_key")[0]
    at = carrier.find(secret.encode()) + 12

    def script(peer: Peer) -> None:
        peer.head()
        peer.chunk(first + carrier[:at])
        peer.wait(peer.server.go)
        peer.chunk(carrier[at:])
        for frame in rest:
            peer.chunk(frame)
        peer.end()

    with (
        recording.before(tmp_path, script) as (upstream, recorder),
        RawClient(recorder.addresses["client"]) as client,
    ):
        client.ask(stream_request(context=CONTEXT), V1)
        client.until(secret[:12].encode())
        assert found(tmp_path, secret[:12]) == []
        (journal,) = recording.journals(tmp_path).values()
        assert 0 < journal[-1]["bytes"] <= 4096, "the journal says how much waits"
        upstream.go.set()
        client.rest()
        recording.sealed(tmp_path, 1)
    assert found(tmp_path, secret, secret[:12]) == []
    judged_whole(tmp_path)


def test_with_redaction_off_the_bytes_are_those_of_the_wire(tmp_path):
    secret = new_secret()
    first, *rest = frames.stream(CONTEXT)
    parts = [first, *carriers(secret, "api_key"), *rest]
    with recording.before(tmp_path, answering(*parts), redact=False) as (_, recorder):
        send(recorder.addresses["client"], stream_request(context=CONTEXT))
    assert recording.body(recording.only(tmp_path)) == b"".join(parts)


@pytest.mark.parametrize(("redact", "code"), [(True, 0), (False, 1)])
def test_the_scan_says_the_same_as_the_raw_search(redact, code, tmp_path, capsys):
    """`harness redact --verify`: nothing in a run of ours, a find in one without redaction, no secret in its words."""
    secret = new_secret()
    parts = [*frames.stream(CONTEXT)[:1], *carriers(secret, "api_key"), *frames.stream(CONTEXT)[1:]]
    with recording.before(tmp_path / "run", answering(*parts), redact=redact) as (_, recorder):
        call = json.dumps(messages(secret, "password")).encode()
        send(recorder.addresses["client"], call, (("Authorization", f"Bearer {secret}"),))
    assert main(["redact", "--verify", str(tmp_path / "run")]) == code
    said = capsys.readouterr()
    assert secret not in said.out + said.err
    assert bool(found(tmp_path / "run", secret)) == bool(code)
