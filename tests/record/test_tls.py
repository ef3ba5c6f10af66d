"""TLS towards clients and upstreams, HTTP/2 towards clients."""

from __future__ import annotations

import datetime
import ipaddress
import ssl
import threading

import h2.config
import h2.connection
import h2.errors
import h2.events
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from harness.errors import UsageError
from harness.pipeline import check
from harness.record import Leg
from tests.record.peers import SSE, Client, Upstream, ask, body, chunked, event, post, rpc, until

DONE = event("TASK_STATE_COMPLETED")
STEM = "ctx-1-A2A_STREAM-r1.client"


@pytest.fixture(scope="session")
def pem(tmp_path_factory):
    """A self-signed certificate of 127.0.0.1 with its key; it is its own authority."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "recorder test")])
    now = datetime.datetime.now(datetime.UTC)
    cert = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(
            x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), False
        )
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), True)
        .sign(key, hashes.SHA256())
    )
    path = tmp_path_factory.mktemp("pem") / "both.pem"
    path.write_bytes(
        cert.public_bytes(serialization.Encoding.PEM)
        + key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    return str(path)


@pytest.fixture
def secure(pem):
    """An upstream that speaks TLS."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(pem)
    with Upstream(wrap=lambda connection: context.wrap_socket(connection, server_side=True)) as one:
        one.url = one.url.replace("http:", "https:")
        yield one


def leg(upstream):
    return {"legs": (Leg("client", upstream.url, ("127.0.0.1", 0)),)}


def wrapped(pem, *protocols):
    context = ssl.create_default_context(cafile=pem)
    if protocols:
        context.set_alpn_protocols(list(protocols))
    return lambda connection: context.wrap_socket(connection, server_hostname="127.0.0.1")


def test_an_upstream_with_tls(record, secure, pem):
    secure.stream(DONE)
    with record(**leg(secure), ca_file=pem) as recorder:
        ask(recorder.addresses["client"], post(rpc()))
    assert body(recorder.run_dir, STEM) == DONE
    head = secure.requests[0][0].lower()
    assert f"host: 127.0.0.1:{secure.port}" in head


def test_an_upstream_that_is_not_trusted_is_unreachable(record, secure):
    with record(**leg(secure)) as recorder, Client(recorder.addresses["client"]) as client:
        assert client.send(post(rpc())).rest() == b""
    (round,) = check([recorder.run_dir]).rounds
    assert round.ending == "refused"


def test_tls_towards_the_client(record, upstream, pem):
    upstream.stream(DONE)
    with record(client_cert=pem) as recorder:
        url = recorder.addresses["client"]
        assert url.startswith("https://")
        with Client(url, wrapped(pem)) as client:
            client.send(post(rpc())).until(b"0\r\n\r\n")
    assert body(recorder.run_dir, STEM) == DONE


class Http2:
    """An HTTP/2 client of one connection."""

    def __init__(self, client):
        self._client = client
        self._connection = h2.connection.H2Connection(h2.config.H2Configuration(client_side=True))
        self._connection.initiate_connection()
        self.bodies = {}
        self.heads = {}
        self.trailers = {}
        self.over = set()

    def post(self, stream, data):
        heads = [
            (":method", "POST"), (":path", "/a2a"), (":scheme", "https"), (":authority", self._client.authority),
            ("content-type", "application/json"), ("a2a-version", "1.0"), ("content-length", str(len(data))),
        ]  # fmt: skip
        self.bodies[stream] = b""
        self._connection.send_headers(stream, heads)
        self._connection.send_data(stream, data, end_stream=True)
        self._client.send(self._connection.data_to_send())

    def leave(self, stream):
        self._connection.reset_stream(stream, h2.errors.ErrorCodes.CANCEL)
        self._client.send(self._connection.data_to_send())

    def until(self, condition):
        while not condition():
            data = self._client.socket.recv(65536)
            assert data, "the connection ended"
            for one in self._connection.receive_data(data):
                self._take(one)
            self._client.send(self._connection.data_to_send())

    def _take(self, one):
        if isinstance(one, h2.events.ResponseReceived):
            self.heads[one.stream_id] = dict(one.headers)
        elif isinstance(one, h2.events.TrailersReceived):
            self.trailers[one.stream_id] = dict(one.headers)
        elif isinstance(one, h2.events.DataReceived):
            self.bodies[one.stream_id] += one.data
            self._connection.acknowledge_received_data(one.flow_controlled_length, one.stream_id)
        elif isinstance(one, h2.events.StreamEnded | h2.events.StreamReset):
            self.over.add(one.stream_id)


@pytest.fixture
def http2(record, pem):
    """A recorder with an HTTP/2 client at it."""
    with (
        record(client_cert=pem) as recorder,
        Client(recorder.addresses["client"], wrapped(pem, "h2")) as client,
    ):
        yield recorder, Http2(client)


def test_http_2_towards_the_client(http2, upstream):
    recorder, client = http2
    upstream.stream(event(), DONE, end=b"0\r\nX-Sum: 7\r\n\r\n")
    client.post(1, rpc())
    client.until(lambda: 1 in client.over)
    recorder.stop()
    recorder.done.wait(10)
    assert client.bodies[1] == event() + DONE
    assert client.heads[1][b":status"] == b"200"
    assert b"transfer-encoding" not in client.heads[1]
    assert client.trailers[1] == {b"x-sum": b"7"}
    assert body(recorder.run_dir, STEM) == event() + DONE
    (round,) = check([recorder.run_dir]).rounds
    assert (round.ending, round.outcome) == ("clean", "COMPLETED")


def test_many_http_2_streams_of_one_client(http2, upstream):
    """All are open at once at the upstream before any is answered."""
    _, client = http2
    gate = threading.Barrier(20)

    def answer(connection, head, data):
        gate.wait(20)
        connection.sendall(SSE + chunked(event(), DONE) + b"0\r\n\r\n")

    upstream.answer = answer
    streams = range(1, 41, 2)
    for stream in streams:
        client.post(stream, rpc(context=f"c{stream}"))
    client.until(lambda: client.over == set(streams))
    assert set(client.bodies.values()) == {event() + DONE}


def test_an_http_2_client_that_leaves_one_stream(http2, upstream):
    recorder, client = http2

    def answer(connection, head, data):
        connection.sendall(SSE + chunked(event()))
        connection.recv(1)

    upstream.answer = answer
    client.post(1, rpc())
    client.until(lambda: client.bodies[1] == event())
    client.leave(1)
    until(lambda: recorder.summary.sealed == 1, "the seal")
    (round,) = check([recorder.run_dir]).rounds
    assert round.ending == "client_left"


def test_an_upstream_that_cuts_an_http_2_stream(http2, upstream):
    recorder, client = http2

    def answer(connection, head, data):
        connection.sendall(SSE + chunked(event()))
        connection.close()

    upstream.answer = answer
    client.post(1, rpc())
    client.until(lambda: 1 in client.over)
    until(lambda: recorder.summary.sealed == 1, "the seal")
    assert client.bodies[1] == event()
    (round,) = check([recorder.run_dir]).rounds
    assert round.ending == "upstream_cut"


def test_http_2_on_both_sides(record, pem):
    """The upstream speaks HTTP/2, since the client does."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(pem)
    context.set_alpn_protocols(["h2"])

    def serve(plain):
        secure = context.wrap_socket(plain, server_side=True)
        connection = h2.connection.H2Connection(h2.config.H2Configuration(client_side=False))
        connection.initiate_connection()
        secure.sendall(connection.data_to_send())
        while data := secure.recv(65536):
            for one in connection.receive_data(data):
                if isinstance(one, h2.events.StreamEnded):
                    heads = [(":status", "200"), ("content-type", "text/event-stream")]
                    connection.send_headers(one.stream_id, heads)
                    connection.send_data(one.stream_id, event())
                    connection.send_data(one.stream_id, DONE, end_stream=True)
            secure.sendall(connection.data_to_send())
        return secure

    with Upstream(wrap=serve) as secure:
        legs = (Leg("client", secure.url.replace("http:", "https:"), ("127.0.0.1", 0)),)
        with (
            record(legs=legs, client_cert=pem, ca_file=pem) as recorder,
            Client(recorder.addresses["client"], wrapped(pem, "h2")) as plain,
        ):
            client = Http2(plain)
            client.post(1, rpc())
            client.until(lambda: 1 in client.over)
    assert client.bodies[1] == event() + DONE
    assert body(recorder.run_dir, STEM) == event() + DONE
    (round,) = check([recorder.run_dir]).rounds
    assert (round.ending, round.outcome) == ("clean", "COMPLETED")


def test_a_client_with_tls_that_has_no_certificate_is_told(record, upstream, pem):
    with record() as recorder, pytest.raises((ssl.SSLError, ConnectionError)):
        Client(recorder.addresses["client"], wrapped(pem))
    assert any("--client-cert" in one for one in recorder.summary.warnings)


def test_the_forward_proxy_opens_tls_with_a_certificate(record, secure, pem):
    secure.stream(DONE)
    legs = (Leg("client", secure.url, None),)
    with (
        record(legs=legs, forward=("127.0.0.1", 0), ca_file=pem, client_cert=pem) as recorder,
        Client(recorder.addresses["forward"]) as client,
    ):
        client.send(f"CONNECT 127.0.0.1:{secure.port} HTTP/1.1\r\n\r\n".encode()).until(b"\r\n\r\n")
        client.socket = wrapped(pem)(client.socket)
        client.send(post(rpc(), host=f"127.0.0.1:{secure.port}")).until(b"0\r\n\r\n")
    assert body(recorder.run_dir, STEM) == DONE


def test_a_client_that_does_not_trust_passes_by_the_second_time(record, secure, pem):
    legs = (Leg("client", secure.url, None),)
    connect = f"CONNECT 127.0.0.1:{secure.port} HTTP/1.1\r\n\r\n".encode()
    strict = ssl.create_default_context()
    with record(legs=legs, forward=("127.0.0.1", 0), ca_file=pem, client_cert=pem) as recorder:
        with Client(recorder.addresses["forward"]) as client:
            client.send(connect).until(b"\r\n\r\n")
            with pytest.raises(ssl.SSLError):
                strict.wrap_socket(client.socket, server_hostname="127.0.0.1")
        with Client(recorder.addresses["forward"]) as client:
            client.send(connect).until(b"\r\n\r\n")
            client.socket = wrapped(pem)(client.socket)
            client.send(post(rpc())).until(b"ok")
    assert recorder.summary.exchanges == 0
    assert any("refused the certificate" in one for one in recorder.summary.warnings)


@pytest.mark.parametrize("name", ["ca_file", "client_cert"])
def test_files_that_are_no_good(record, tmp_path, name):
    (tmp_path / "x.pem").write_text("no certificate")
    with pytest.raises(UsageError, match=r"x\.pem"):
        record(**{name: str(tmp_path / "x.pem")}).__enter__()
