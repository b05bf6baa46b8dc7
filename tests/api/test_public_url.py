"""The address in links: from the configuration, never from a request."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from backend.settings import Settings
from backend.web_address import Authority, read_authority, read_origin


@pytest.mark.parametrize(
    ("given", "base"),
    [
        ("https://plimsoll.example.org", "https://plimsoll.example.org"),
        ("https://plimsoll.example.org/", "https://plimsoll.example.org"),
        ("https://Plimsoll.Example.ORG:443", "https://plimsoll.example.org"),
        ("http://192.0.2.7:80", "http://192.0.2.7"),
        ("http://[2001:DB8:0::7]:8420", "http://[2001:db8::7]:8420"),
        (" https://bench_1 ", "https://bench_1"),
    ],
)
def test_the_public_url_is_kept_as_browsers_write_it(given: str, base: str) -> None:
    settings = Settings(public_url=given, plain_http=True)
    assert settings.base_url == base
    assert settings.is_https == base.startswith("https")


@pytest.mark.parametrize(
    "given",
    [
        "plimsoll.example.org",
        "ftp://plimsoll.example.org",
        "HTTPS//x",
        "https://",
        "https://user@plimsoll.example.org",
        "https://plimsoll.example.org/plimsoll",
        "https://plimsoll.example.org?x",
        "https://plimsoll.example.org#x",
        "https://plimsoll.example.org:0",
        "https://plimsoll.example.org:65536",
        "https://plimsoll.example.org:",
        "https://plimsoll.example.org.",
        "https://a b",
        "https://127.1",
        "https://0x7f000001",
        "https://[::1%25eth0]",
        "https://[::1",
        "https://münchen.example",
        "javascript:alert(1)",
        "https://a\\b",
    ],
)
def test_a_public_url_that_is_no_origin_is_refused(given: str) -> None:
    with pytest.raises(ValidationError, match="PLIMSOLL_PUBLIC_URL is scheme, host and port only"):
        Settings(public_url=given)


def test_without_a_public_url_links_lead_to_the_listening_address() -> None:
    assert Settings().base_url == "http://127.0.0.1:8420"
    assert Settings(public_url="").base_url == "http://127.0.0.1:8420"
    assert Settings(listen_host="::1", port=80).base_url == "http://[::1]"
    assert not Settings().is_https


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("localhost", Authority("localhost")),
        ("LOCALHOST:1", Authority("localhost", 1)),
        ("[::0001]:8420", Authority("::1", 8420)),
        ("bench-1.example.org:443", Authority("bench-1.example.org", 443)),
    ],
)
def test_a_host_header_has_one_reading(text: str, found: Authority) -> None:
    assert read_authority(text) == found


@pytest.mark.parametrize(
    "text", ["", ":80", "a:", "a:b", "a:1:2", "a,b", "a@b", "a/b", "[::1", "::1", "-a", "a..b", "a" * 254]
)
def test_a_host_header_without_one_reading_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"not|Expected|At least|only|port"):
        read_authority(text)


def test_origins_compare_with_their_default_port() -> None:
    assert read_origin("https://a") == read_origin("https://A:443") != read_origin("http://a:443")


CERTIFICATE = {"tls_cert": "/etc/cert.pem", "tls_key": "/etc/key.pem"}
PROXY = {"trusted_proxy": "127.0.0.1"}
HTTPS = {"public_url": "https://plimsoll.example.org"}
HTTP = {"public_url": "http://plimsoll.example.org"}


@pytest.mark.parametrize(
    ("given", "base"),
    [
        ({}, "http://127.0.0.1:8420"),
        (CERTIFICATE, "https://127.0.0.1:8420"),
        (HTTPS, "https://plimsoll.example.org"),
        (HTTPS | CERTIFICATE, "https://plimsoll.example.org"),
        (HTTPS | PROXY, "https://plimsoll.example.org"),
        (HTTP | {"plain_http": True}, "http://plimsoll.example.org"),
        ({"public_url": "http://127.0.0.1:9000"}, "http://127.0.0.1:9000"),
        ({"tls_cert": "", "tls_key": ""}, "http://127.0.0.1:8420"),
        ({"listen_host": "192.0.2.7"} | CERTIFICATE, "https://192.0.2.7:8420"),
        ({"listen_host": "2001:db8::7"} | CERTIFICATE, "https://[2001:db8::7]:8420"),
        ({"listen_host": "0.0.0.0", "host_name": "Bench"} | CERTIFICATE, "https://bench:8420"),
        ({"listen_host": "192.0.2.7"} | HTTPS | PROXY, "https://plimsoll.example.org"),
        ({"listen_host": "192.0.2.7", "plain_http": True}, "http://192.0.2.7:8420"),
    ],
)
def test_an_address_is_encrypted_or_of_this_host(given: dict[str, Any], base: str) -> None:
    assert Settings(**given).base_url == base


@pytest.mark.parametrize(
    ("given", "remedy"),
    [
        (HTTP, "unencrypted.*--tls-cert.*--behind-proxy.*--plain-http"),
        (HTTP | PROXY, "unencrypted"),
        (HTTP | CERTIFICATE, "--public-url begins with https"),
        ({"listen_host": "192.0.2.7"} | HTTPS, "http://192.0.2.7:8420 would send .* unencrypted"),
        (PROXY, "--behind-proxy needs --public-url"),
        ({"tls_cert": "/etc/cert.pem"}, "--tls-cert FILE and --tls-key FILE"),
        ({"tls_key": "/etc/key.pem"}, "--tls-cert FILE and --tls-key FILE"),
    ],
)
def test_an_unencrypted_address_of_a_network_needs_a_flag(given: dict[str, Any], remedy: str) -> None:
    with pytest.raises(ValidationError, match=remedy):
        Settings(**given)
