"""Agent cards lead to the recorder, and say so."""

from __future__ import annotations

import gzip
import json

import pytest

from harness.capture.store import read_run
from harness.record import Leg
from harness.record.cards import is_path, moved, read_card
from harness.record.legs import Origin
from tests.record.peers import Upstream, ask, event, get, journal, post, rpc

LISTENERS = {
    Origin("http", "127.0.0.1", 8191): "http://127.0.0.1:9191",
    Origin("https", "agents.example", 443): "http://127.0.0.1:9192",
}


def card(url, **more):
    return {"name": "a", "capabilities": {"streaming": True}, "skills": [], "url": url, **more}


@pytest.mark.parametrize(
    ("url", "now"),
    [
        ("http://127.0.0.1:8191/a2a/", "http://127.0.0.1:9191/a2a/"),
        ("http://localhost:8191", "http://127.0.0.1:9191"),
        ("http://0.0.0.0:8191/x?y=1", "http://127.0.0.1:9191/x?y=1"),
        ("http://[::1]:8191/", "http://127.0.0.1:9191/"),
        ("https://agents.example/a", "http://127.0.0.1:9192/a"),
        ("HTTPS://Agents.Example:443/a", "http://127.0.0.1:9192/a"),
    ],
)
def test_addresses_of_upstreams_become_the_listeners(url, now):
    found = read_card(json.dumps(card(url)), LISTENERS)
    assert found.rewritten == ((url, now),)
    assert json.loads(found.text)["url"] == now
    assert found.foreign == ()


def test_all_interfaces_are_rewritten_and_nothing_else():
    text = json.dumps(
        card(
            "http://127.0.0.1:8191/a2a",
            additionalInterfaces=[{"url": "http://127.0.0.1:8191/rest", "transport": "HTTP+JSON"}],
            supportedInterfaces=[{"url": "http://elsewhere:1/", "protocolBinding": "JSONRPC"}],
            version=1.0,
            documentationUrl="http://127.0.0.1:8191/docs",
        ),
        indent=1,
    )
    found = read_card(text, LISTENERS)
    assert found.text == text.replace("8191/a2a", "9191/a2a").replace("8191/rest", "9191/rest")
    assert found.foreign == ("http://elsewhere:1/",)


def test_slashes_may_be_escaped():
    text = json.dumps(card("http://127.0.0.1:8191/a2a")).replace("/", "\\/")
    assert json.loads(read_card(text, LISTENERS).text)["url"] == "http://127.0.0.1:9191/a2a"


def test_the_listeners_own_address_stays():
    found = read_card(json.dumps(card("http://localhost:9191/a2a")), LISTENERS)
    assert (found.rewritten, found.foreign) == ((), ())


def test_a_card_inside_a_json_rpc_answer():
    text = json.dumps({"jsonrpc": "2.0", "id": 1, "result": card("http://127.0.0.1:8191/")})
    assert read_card(text, LISTENERS).rewritten


@pytest.mark.parametrize("text", ["", "[]", "{", '{"url":"http://127.0.0.1:8191/"}', "null", '{"result":7}'])
def test_what_is_no_card(text):
    assert read_card(text, LISTENERS) is None


def test_a_signed_card_is_told():
    assert read_card(
        json.dumps(card("http://127.0.0.1:8191/", signatures=[{"protected": "x"}])), LISTENERS
    ).signed


@pytest.mark.parametrize(
    "target",
    [
        "/.well-known/agent-card.json", "/.well-known/agent.json", "/p/.well-known/agent-card.json?x=1",
        "/extendedAgentCard", "/v1/card",
    ],
)  # fmt: skip
def test_where_cards_are(target):
    assert is_path(target)
    assert not is_path("/a2a")


def test_where_a_redirect_leads():
    assert moved("http://localhost:8191/a2a/", LISTENERS) == "http://127.0.0.1:9191/a2a/"
    assert moved("/a2a/", LISTENERS) is None
    assert moved("http://elsewhere/", LISTENERS) is None


# through the recorder


def serve(upstream, value, headers=(), pack=lambda raw: raw):
    def answer(connection, head, body):
        if head.startswith("POST"):
            data = event("TASK_STATE_COMPLETED")
            connection.sendall(
                b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: %d\r\n\r\n"
                % len(data)
                + data
            )
            return
        raw = pack(json.dumps(value(head)).encode())
        lines = ["HTTP/1.1 200 OK", "Content-Type: application/json", f"Content-Length: {len(raw)}", *headers]
        connection.sendall("\r\n".join([*lines, "", ""]).encode() + raw)

    upstream.answer = answer


def fetched(url, target="/.well-known/agent-card.json", pack=lambda raw: raw):
    head, _, rest = ask(url, get(target, url.rpartition("/")[2]), b"}").partition(b"\r\n\r\n")
    length = next(line for line in head.split(b"\r\n") if line.lower().startswith(b"content-length"))
    assert int(length.split(b":")[1]) == len(rest)
    return json.loads(pack(rest))


def test_the_clients_card_leads_to_the_recorder(record, upstream):
    serve(upstream, lambda head: card(upstream.url + "/a2a"))
    with record() as recorder:
        address = recorder.addresses["client"]
        assert fetched(address)["url"] == address + "/a2a"
        ask(address, post(rpc()), event("TASK_STATE_COMPLETED"))
    (told,) = read_run(recorder.run_dir)["cards"]
    assert told["rewritten"] == [[upstream.url + "/a2a", address + "/a2a"]]
    assert recorder.summary.warnings == ()
    notes = [line for line in journal(recorder.run_dir, "other-OTHER-r0.client") if line["kind"] == "note"]
    assert notes[0]["what"] == "cards-rewritten"


def test_an_agent_that_builds_its_own_address_names_the_listener(record, upstream):
    def value(head):
        host = next(line for line in head.split("\r\n") if line.startswith("Host:"))
        return card(f"http://{host[5:].strip()}/a2a")

    serve(upstream, value)
    with record() as recorder:
        address = recorder.addresses["client"]
        assert fetched(address)["url"] == address + "/a2a"


def test_a_packed_card(record, upstream):
    serve(upstream, lambda head: card(upstream.url), ["Content-Encoding: gzip"], gzip.compress)
    with record() as recorder:
        address = recorder.addresses["client"]
        data = ask(address, get("/.well-known/agent-card.json"), b"\r\n\r\n\x1f\x8b")
        assert b"content-encoding: gzip" in data.lower()
    with open(f"{recorder.run_dir}/other-OTHER-r0.client.body", "rb") as file:
        assert json.loads(file.read())["url"] == address


def test_cards_may_be_kept(record, upstream):
    serve(upstream, lambda head: card(upstream.url))
    with record(keep_cards=True) as recorder:
        assert fetched(recorder.addresses["client"])["url"] == upstream.url
    assert read_run(recorder.run_dir)["cards"] == []


def test_a_card_without_a_call_is_told_loudly(record, upstream):
    serve(upstream, lambda head: card("http://10.9.8.7:1/a2a"))
    with record() as recorder:
        assert fetched(recorder.addresses["client"])["url"] == "http://10.9.8.7:1/a2a"
    foreign, never = recorder.summary.warnings
    assert "http://10.9.8.7:1/a2a" in foreign
    assert "LEG client GAVE ITS CARD AND WAS NEVER CALLED" in never


def test_a_signed_card_warns(record, upstream):
    serve(upstream, lambda head: card(upstream.url, signatures=[{"protected": "x", "signature": "y"}]))
    with record() as recorder:
        fetched(recorder.addresses["client"])
    assert any("signature no longer fits" in one for one in recorder.summary.warnings)
    assert read_run(recorder.run_dir)["cards"][0]["signed"] is True


def test_cards_of_all_legs(record, upstream):
    with Upstream() as remote:
        serve(upstream, lambda head: card(upstream.url, additionalInterfaces=[{"url": remote.url + "/r"}]))
        legs = (
            Leg("client", upstream.url, ("127.0.0.1", 0)),
            Leg("search-agent", remote.url, ("127.0.0.1", 0)),
        )
        with record(legs=legs) as recorder:
            seen = fetched(recorder.addresses["client"])
    assert seen["additionalInterfaces"] == [{"url": recorder.addresses["search-agent"] + "/r"}]


def test_a_redirect_to_an_upstream_leads_to_its_listener(record, upstream):
    head = f"HTTP/1.1 307 Temporary Redirect\r\nLocation: {upstream.url}/a2a/\r\nContent-Length: 0\r\n\r\n"
    upstream.answer = lambda connection, *_: connection.sendall(head.encode())
    with record() as recorder:
        address = recorder.addresses["client"]
        seen = ask(address, post(rpc()), b"\r\n\r\n")
    assert f"location: {address}/a2a/\r\n".encode() in seen.lower()
