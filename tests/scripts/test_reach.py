"""The options of how a server is reached: what they choose, and what they refuse with a remedy."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from backend.reach_settings import ReachSettings
from scripts.starter.reach import Reach, choose
from scripts.starter.terminal import Refusal

CERTIFICATE = {"tls_cert": Path("/cert.pem"), "tls_key": Path("/key.pem")}
HTTPS = {"public_url": "https://plimsoll.example.org"}


def test_one_host_needs_no_option() -> None:
    found = choose(Reach(), "bench")
    assert (found.made, found.has_tls, found.local_url) == (False, False, "http://127.0.0.1:8420")
    assert found.environment() == {"LISTEN_HOST": "127.0.0.1", "PORT": "8420"}


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        (Reach(plain_http=True, **CERTIFICATE), "--plain-http and --tls-cert exclude each other"),
        (Reach(tls_cert=Path("/cert.pem")), "--tls-cert FILE and --tls-key FILE"),
        (Reach(tls_key=Path("/key.pem")), "--tls-cert FILE and --tls-key FILE"),
        (Reach(behind_proxy="127.0.0.1"), "--behind-proxy needs --public-url"),
        (Reach(behind_proxy="proxy.example.org", **HTTPS), "PLIMSOLL_TRUSTED_PROXY is a list of addresses"),
        (Reach(public_url="plimsoll.example.org"), "PLIMSOLL_PUBLIC_URL is scheme, host and port only"),
        (Reach(public_url="http://plimsoll.example.org"), "or accept it with --plain-http"),
        (Reach(listen="bench.example.org"), "--listen needs one of this host"),
        (Reach(listen="192.0.2.7", public_url="http://192.0.2.7"), "--public-url begins with https://"),
        (Reach(allowed_hosts="*"), "PLIMSOLL_ALLOWED_HOSTS is a list of names"),
    ],
)
def test_options_that_do_not_fit_are_refused(given: Reach, sentence: str) -> None:
    with pytest.raises(Refusal) as refused:
        choose(given, "bench")
    assert sentence in str(refused.value) and "\n" not in str(refused.value)


@pytest.mark.parametrize("listen", ["192.0.2.7", "0.0.0.0", "::", "2001:db8::7"])
def test_beyond_this_host_a_certificate_is_made(listen: str) -> None:
    found = choose(Reach(listen=listen), "Bench")
    assert found.made and found.local_url.startswith("https://")
    hosts = found.hosts("Bench")
    assert {"localhost", "127.0.0.1", "::1", "bench"} <= hosts
    assert listen in hosts or listen in ("0.0.0.0", "::")
    other = choose(Reach(listen=listen, allowed_hosts="other.example.org", **HTTPS), "bench")
    assert {"plimsoll.example.org", "other.example.org"} <= other.hosts("bench")
    assert found.environment(Path("/server.pem"))["TLS_CERT"] == "/server.pem"


@pytest.mark.parametrize(
    "given",
    [
        Reach(**CERTIFICATE),
        Reach(plain_http=True),
        Reach(behind_proxy="192.0.2.8", **HTTPS),
    ],
)
def test_beyond_this_host_no_certificate_is_made_where_another_way_is_named(given: Reach) -> None:
    assert not choose(replace(given, listen="192.0.2.7"), "bench").made


def test_every_address_is_reached_by_loopback_on_this_host() -> None:
    assert choose(Reach(listen="0.0.0.0"), "bench").local_url == "https://127.0.0.1:8420"
    assert choose(Reach(listen="2001:db8::7"), "bench").local_url == "https://[2001:db8::7]:8420"


@pytest.mark.parametrize(
    "given",
    [
        Reach(listen="192.0.2.7"),
        Reach(**CERTIFICATE, **HTTPS),
        Reach(behind_proxy="127.0.0.1, 192.0.2.0/24", **HTTPS),
        Reach(plain_http=True, public_url="http://plimsoll.example.org"),
        Reach(allowed_hosts="other.example.org", port=9000),
    ],
)
def test_the_api_reads_what_the_starter_chose(given: Reach, monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = choose(given, "bench")
    for name, value in chosen.environment(Path("/server.pem")).items():
        monkeypatch.setenv(f"PLIMSOLL_{name}", value)
    read, meant = ReachSettings(), chosen.settings("bench")
    assert read.origin == meant.origin and read.listen_origin == meant.listen_origin
    assert read.trusted_proxies == meant.trusted_proxies
    assert read.allowed_origins == meant.allowed_origins
    assert read.strict_transport == meant.strict_transport
