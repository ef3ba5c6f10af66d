"""TLS on both sides of a recorder: certificates from files, no authority of our own.

Towards clients there is the given certificate or no TLS at all; an upstream's certificate is
verified, its name too. HTTP/2 is spoken with clients that offer it.
"""

from __future__ import annotations

import ipaddress
import ssl
from typing import TYPE_CHECKING, Any

from mitmproxy.net import tls as net_tls
from OpenSSL import SSL

from harness.errors import UsageError

if TYPE_CHECKING:
    from mitmproxy.connection import Server
    from mitmproxy.tls import TlsData

_PROTOCOLS = (b"h2", b"http/1.1", b"http/1.0")
_CERT = "give a PEM file with the certificate, its chain and its unencrypted key"
_AUTHORITIES = "give a PEM file of the authorities' certificates"


class Tls:
    """Makes the TLS connections of one recorder. Raises UsageError for files that are no good."""

    def __init__(self, ca_file: str | None, client_cert: str | None) -> None:
        self._towards_clients = None if client_cert is None else _server_side(client_cert)
        self._towards_upstreams = _client_side(ca_file)

    @property
    def has_cert(self) -> bool:
        """Clients may speak TLS."""
        return self._towards_clients is not None

    def start_client(self, data: TlsData) -> None:
        """TLS towards a client, if there is a certificate for it."""
        if self._towards_clients is not None:
            data.ssl_conn = SSL.Connection(self._towards_clients)
            data.ssl_conn.set_accept_state()

    def start_server(self, data: TlsData) -> None:
        """TLS towards an upstream: HTTP/2 is offered to it where our client offered it to us."""
        server: Any = data.conn
        connection = SSL.Connection(self._towards_upstreams)
        _expect(connection, server)
        offers = [one for one in data.context.client.alpn_offers if one in _PROTOCOLS]
        server.alpn_offers = tuple(offers)
        if offers:
            connection.set_alpn_protos(offers)
        connection.set_connect_state()
        data.ssl_conn = connection


def _server_side(file: str) -> SSL.Context:
    context = SSL.Context(SSL.TLS_SERVER_METHOD)
    try:
        context.use_certificate_chain_file(file)
        context.use_privatekey_file(file)
        context.check_privatekey()
    except SSL.Error as fault:
        raise UsageError(f"no certificate for clients: {_reason(fault)}", file=file, mend=_CERT) from None
    context.set_alpn_select_callback(_chosen)
    return context


def _chosen(connection: SSL.Connection, offered: list[bytes]) -> Any:
    return next((one for one in offered if one in _PROTOCOLS), SSL.NO_OVERLAPPING_PROTOCOLS)


def _client_side(ca_file: str | None) -> SSL.Context:
    """Verifies with `ca_file`, else with the system's authorities, else with those that mitmproxy brings."""
    try:
        return net_tls.create_proxy_server_context(
            method=net_tls.Method.TLS_CLIENT_METHOD,
            min_version=net_tls.DEFAULT_MIN_VERSION,
            max_version=net_tls.DEFAULT_MAX_VERSION,
            cipher_list=None,
            ecdh_curve=None,
            verify=net_tls.Verify.VERIFY_PEER,
            ca_path=None,
            ca_pemfile=ca_file or ssl.get_default_verify_paths().cafile,
            client_cert=None,
            legacy_server_connect=False,
        )
    except RuntimeError as fault:
        what = f"no authorities: {fault.__cause__ or fault}"
        raise UsageError(what, file=ca_file, mend=_AUTHORITIES) from None


def _expect(connection: SSL.Connection, server: Server) -> None:
    """Let the handshake fail unless the certificate is the upstream's."""
    name = server.sni or (server.address[0] if server.address else "")
    library: Any = SSL._lib  # type: ignore[attr-defined]
    wanted = library.SSL_get0_param(connection._ssl)
    library.X509_VERIFY_PARAM_set_hostflags(wanted, library.X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS)
    try:
        packed = ipaddress.ip_address(name).packed
    except ValueError:
        raw = name.encode("idna")
        connection.set_tlsext_host_name(raw)
        good = library.X509_VERIFY_PARAM_set1_host(wanted, raw, len(raw))
    else:
        good = library.X509_VERIFY_PARAM_set1_ip(wanted, packed, len(packed))
    if good != 1:
        raise SSL.Error([("", "", f"no name that can be verified: {name}")])


def _reason(fault: SSL.Error) -> str:
    told = fault.args[0] if fault.args else None
    return str(told[0][2]) if isinstance(told, list) and told else "it can not be read"
