"""Where webhooks may be sent, and what a receiver can do to the sender."""

from __future__ import annotations

import asyncio
import datetime
import gzip
import ssl
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from http.server import BaseHTTPRequestHandler
from ipaddress import ip_address
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from standardwebhooks import Webhook

from backend.api.webhooks.destination import Blocked, destination, is_public, read_url
from backend.api.webhooks.schedule import DELAYS_S, delay_s
from backend.api.webhooks.sending import KEPT_BYTES, Message, Outcome, Sender
from backend.api.webhooks.signature import new_secret
from backend.web_address import read_networks
from tests.api.receiver import ReceiverServer, receiving, respond

LOOPBACK = read_networks("127.0.0.0/8, ::1")
BODY = b'{"type":"run.completed","data":{}}'
PRIVATE_ADDRESSES = (
    "https://127.0.0.1/", "https://127.1/", "https://127.0.0.1./", "https://2130706433/", "https://0x7f000001/",
    "https://0x7f.1/", "https://0177.0.0.1/", "https://017700000001/", "https://[::1]/", "https://[::]/",
    "https://[::ffff:127.0.0.1]/", "https://[::ffff:7f00:1]/", "https://[0:0:0:0:0:ffff:127.0.0.1]/",
    "https://[::127.0.0.1]/", "https://0.0.0.0/", "https://0/", "https://localhost/", "https://localhost./",
    "https://LOCALHOST:2375/", "https://169.254.169.254/latest/meta-data/", "https://[fe80::1]/",
    "https://[fe80::1%25lo]/", "https://10.0.0.1/", "https://172.16.0.1:5432/", "https://192.168.0.1:6379/",
    "https://100.64.0.1/", "https://198.18.1.1/", "https://[fd00::1]/", "https://[fec0::1]/",
    "https://[64:ff9b::7f00:1]/", "https://[64:ff9b:1::a00:1]/", "https://[64:ff9b:1:a00:0:100:808:808]/", "https://[2002:7f00:1::]/",
    "https://[2001:0:7f00:1::80ff:fffe]/", "https://224.0.0.1/", "https://[ff02::1]/", "https://240.0.0.1/",
    "https://[3fff::1]/", "https://[5f00::1]/", "https://[4000::1]/", "https://[2001:20::1]/",
    "https://[2001:1::1]/", "https://[::ffff:0:7f00:1]/", "https://[100::1]/", "https://[100:0:0:1::1]/",
    "https://[c000::1]/", "https://192.0.0.9/", "https://192.88.99.1/",
    "https://255.255.255.255/", "https://192.0.2.1/", "https://[2001:db8::1]/", "https://①②⑦.0.0.1/",
)  # fmt: skip
"""Spellings of addresses of this host, of private networks and of others that are not public."""
NO_RECEIVERS = (
    "", "example.org", "ftp://example.org/", "file:///etc/passwd", "gopher://example.org/", "https://",
    "https:///path", "https://user@example.org/", "https://user:secret@example.org/", "https://example.org/#x",
    "https://exa mple.org/", "https://example.org/\r\nX-Evil: 1", "https://example.org/\x00",
    "https://example.org/" + "a" * 500, "javascript:alert(1)", "https://127.0.0.1@example.org/",
    "unix:///var/run/docker.sock", "https://example.org:99999/",
)  # fmt: skip
"""URLs that are none of a receiver."""


def resolved(*addresses: str) -> Callable[[str, int], object]:
    async def resolve(host: str, port: int) -> Sequence[str]:
        return addresses

    return resolve


@pytest.mark.parametrize("url", PRIVATE_ADDRESSES)
def test_an_address_that_is_not_public_is_refused_in_every_spelling(url: str) -> None:
    with pytest.raises(Blocked):
        asyncio.run(destination(url, ()))


@pytest.mark.parametrize("url", NO_RECEIVERS)
def test_what_is_no_receiver_is_refused(url: str) -> None:
    with pytest.raises(Blocked):
        read_url(url)


@pytest.mark.parametrize("text", ["8.8.8.8", "2606:4700::1111", "64:ff9b::808:808"])
def test_a_public_address_is_allowed(text: str) -> None:
    assert is_public(ip_address(text))
    found = asyncio.run(destination("https://example.org:8443/hook?a=b", (), resolved(text)))  # type: ignore[arg-type]
    assert str(found.address) == text and found.pinned.path == "/hook" and found.pinned.port == 8443


def test_one_private_address_among_public_ones_is_refused() -> None:
    with pytest.raises(Blocked, match="no public address"):
        asyncio.run(destination("https://example.org/", (), resolved("8.8.8.8", "10.0.0.1")))  # type: ignore[arg-type]


async def unresolved(host: str, port: int) -> Sequence[str]:
    raise OSError("no such name")


def test_a_refusal_does_not_say_whether_an_internal_name_exists_or_where_it_leads() -> None:
    said = set()
    for scheme in ("http", "https"):
        for resolve in (resolved("10.0.0.1"), resolved("fd00::7", "8.8.8.8"), resolved(), unresolved):
            with pytest.raises(Blocked) as refused:
                asyncio.run(destination(f"{scheme}://db.internal/", (), resolve))  # type: ignore[arg-type]
            said.add(str(refused.value))
    (sentence,) = said
    assert "10.0.0.1" not in sentence and "fd00::7" not in sentence and "PLIMSOLL_WEBHOOK_ALLOW" in sentence


def test_plain_http_is_for_allowed_networks() -> None:
    with pytest.raises(Blocked, match="use https"):
        asyncio.run(destination("http://example.org/", (), resolved("8.8.8.8")))  # type: ignore[arg-type]
    allowed = read_networks("10.0.0.0/8")
    found = asyncio.run(destination("http://example.org/", allowed, resolved("::ffff:10.1.2.3")))  # type: ignore[arg-type]
    assert str(found.address) == "::ffff:10.1.2.3" or str(found.address) == "::ffff:a01:203"
    with pytest.raises(Blocked, match="no public address"):
        asyncio.run(destination("http://example.org/", allowed, resolved("10.1.2.3", "192.168.0.1")))  # type: ignore[arg-type]


@pytest.fixture
def receiver() -> Iterator[ReceiverServer]:
    """A receiver over plain http."""
    with receiving() as server:
        yield server


def send(
    receiver: ReceiverServer,
    secret: str,
    sender: Sender | None = None,
    timeout_s: float = 10,
    path: str = "/hook",
) -> Outcome:
    url = f"http://127.0.0.1:{receiver.server_port}{path}"
    return asyncio.run((sender or Sender(LOOPBACK)).send(Message("msg_1", url, secret, BODY), timeout_s))


def test_the_signature_is_what_the_library_of_the_standard_accepts(receiver: ReceiverServer) -> None:
    secret = new_secret()
    assert send(receiver, secret, path="/hook?a=b").delivered
    path, headers, body = receiver.received[0]
    assert (path, body, headers["webhook-id"]) == ("/hook?a=b", BODY, "msg_1")
    assert Webhook(secret).verify(body, headers) == {"type": "run.completed", "data": {}}
    with pytest.raises(Exception, match="signature"):
        Webhook(new_secret()).verify(body, headers)
    with pytest.raises(Exception, match="signature"):
        Webhook(secret).verify(body + b" ", headers)


def test_a_redirect_is_not_followed(receiver: ReceiverServer) -> None:
    receiver.answer = lambda handler: respond(handler, 307, Location="/other")
    found = send(receiver, new_secret())
    assert (found.status, found.delivered, len(receiver.received)) == (307, False, 1)


def test_a_large_answer_is_not_read(receiver: ReceiverServer) -> None:
    packed = gzip.compress(b"a" * 50_000_000)
    receiver.answer = lambda handler: respond(handler, 200, packed, Content_Encoding="gzip")
    found = send(receiver, new_secret())
    assert found.delivered and len(found.answer) <= KEPT_BYTES


def test_an_answer_that_never_ends_is_left(receiver: ReceiverServer) -> None:
    stop = threading.Event()

    def drip(handler: BaseHTTPRequestHandler) -> None:
        handler.wfile.write(b"HTTP/1.1 200 OK\r\n")
        while not stop.wait(0.02):
            try:
                handler.wfile.write(b"X-A: 1\r\n")
            except OSError:
                return

    receiver.answer = drip
    began = time.monotonic()
    found = send(receiver, new_secret(), timeout_s=0.5)
    stop.set()
    assert found.error == "no answer within 0.5 s" and not found.delivered
    assert time.monotonic() - began < 60, "the answer has no end"


def test_a_name_is_resolved_once_for_an_attempt(receiver: ReceiverServer) -> None:
    """A name that leads elsewhere at its second resolution (rebinding) has no effect."""
    resolved: list[str] = []

    async def rebinding(host: str, port: int) -> Sequence[str]:
        resolved.append(host)
        return ["127.0.0.1"] if len(resolved) == 1 else ["10.0.0.1"]

    url = f"http://hooks.test:{receiver.server_port}/"
    sender = Sender(LOOPBACK, rebinding)
    assert asyncio.run(sender.send(Message("m", url, new_secret(), BODY))).delivered
    assert (
        resolved == ["hooks.test"] and receiver.received[0][1]["Host"] == f"hooks.test:{receiver.server_port}"
    )
    found = asyncio.run(sender.send(Message("m", url, new_secret(), BODY)))
    assert found.error_kind == "blocked" and len(receiver.received) == 1


def test_a_proxy_of_the_environment_is_not_used(
    receiver: ReceiverServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    assert send(receiver, new_secret()).delivered


def test_nobody_there_is_an_outcome() -> None:
    found = asyncio.run(Sender(LOOPBACK).send(Message("m", "http://127.0.0.1:9/", new_secret(), BODY)))
    assert found.status is None and found.error is not None and "Connect" in found.error


@pytest.fixture
def certificate(tmp_path: Path) -> Path:
    """A certificate of hooks.test, with its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "hooks.test")])
    now = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("hooks.test")]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    path = tmp_path / "hooks.pem"
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    path.write_bytes(made.public_bytes(serialization.Encoding.PEM) + private)
    return path


def test_the_certificate_is_that_of_the_name(certificate: Path) -> None:
    server = ReceiverServer()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    trusting = ssl.create_default_context(cafile=str(certificate))
    with server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        outcomes = {}
        for name, verify in (("hooks.test", trusting), ("other.test", trusting), ("hooks.test.", None)):
            sender = Sender(LOOPBACK, resolved("127.0.0.1"), verify)  # type: ignore[arg-type]
            message = Message("m", f"https://{name}:{server.server_port}/", new_secret(), BODY)
            outcomes[name] = asyncio.run(sender.send(message))
        server.shutdown()
        thread.join(60)
    assert outcomes["hooks.test"].delivered, outcomes["hooks.test"]
    assert not outcomes["other.test"].delivered and not outcomes["hooks.test."].delivered
    assert len(server.received) == 1


def test_the_schedule() -> None:
    assert [delay_s(attempts, 0.5) for attempts in range(1, 11)] == [*DELAYS_S, None]
    assert delay_s(1, 0) == pytest.approx(4.5) and delay_s(1, 1) == pytest.approx(5.5)
    assert 3 * 86400 < sum(DELAYS_S) < 4 * 86400
