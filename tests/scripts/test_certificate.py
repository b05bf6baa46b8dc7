"""The certificate of the server: made here, or given; what is refused, kept, renewed and delivered."""

from __future__ import annotations

import os
import ssl
import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import serialization

from scripts.starter.certificate import (
    CERTIFICATE,
    KEY,
    RENEW_BEFORE,
    VALID_FOR,
    Pair,
    given,
    make,
    self_made,
)
from scripts.starter.layout import Layout
from scripts.starter.reach import Reach
from scripts.starter.terminal import Refusal, Terminal
from scripts.starter.tls import ServerCertificate

NOW = datetime.now(UTC)
HOSTS = ("localhost", "127.0.0.1", "::1", "bench.example.org")


def stored(folder: Path, pair: Pair) -> tuple[Path, Path]:
    """The pair as an administrator's files."""
    certificate, key = folder / "given.pem", folder / "given.key"
    certificate.write_bytes(pair.chain)
    key.write_bytes(pair.key)
    key.chmod(0o600)
    return certificate, key


def test_a_made_certificate_is_for_its_hosts_and_no_authority() -> None:
    pair = make(HOSTS, NOW)
    assert all(pair.covers(host) for host in HOSTS)
    assert not pair.covers("other.example.org")
    assert pair.certificate.not_valid_before_utc < NOW
    assert pair.certificate.not_valid_after_utc - pair.certificate.not_valid_before_utc <= VALID_FOR
    assert len(pair.fingerprint) == 32 * 3 - 1
    der = ssl.PEM_cert_to_DER_cert(pair.chain.decode())
    assert pair.der == der


def test_a_made_pair_is_kept_and_private(tmp_path: Path) -> None:
    folder = tmp_path / "tls"
    first = self_made(folder, HOSTS, NOW)
    assert self_made(folder, HOSTS, NOW) == first
    assert self_made(folder, HOSTS[:2], NOW) == first
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()} == {0o600}
    assert sorted(path.name for path in folder.iterdir()) == [CERTIFICATE, KEY]


def test_a_made_pair_is_renewed_before_it_ends_and_for_another_host(tmp_path: Path) -> None:
    first = self_made(tmp_path, HOSTS, NOW)
    late = first.certificate.not_valid_after_utc - RENEW_BEFORE
    assert self_made(tmp_path, HOSTS, late - timedelta(seconds=1)) == first
    second = self_made(tmp_path, HOSTS, late)
    assert second.certificate.not_valid_after_utc > first.certificate.not_valid_after_utc
    third = self_made(tmp_path, (*HOSTS, "192.0.2.7"), late)
    assert third != second and third.covers("192.0.2.7")


@pytest.mark.parametrize("name", [CERTIFICATE, KEY])
def test_a_damaged_pair_is_made_again(tmp_path: Path, name: str) -> None:
    first = self_made(tmp_path, HOSTS, NOW)
    (tmp_path / name).write_text("damaged")
    second = self_made(tmp_path, HOSTS, NOW)
    assert second != first and second == self_made(tmp_path, HOSTS, NOW)


def test_a_given_pair_is_used_as_it_is(tmp_path: Path) -> None:
    pair = make(("*.example.org",), NOW)
    found = given(*stored(tmp_path, pair), NOW)
    assert found == pair
    assert found.covers("bench.example.org") and not found.covers("a.bench.example.org")


def test_a_given_pair_that_no_server_can_use_is_refused(tmp_path: Path) -> None:
    pair, other = make(HOSTS, NOW), make(HOSTS, NOW)
    certificate, key = stored(tmp_path, pair)
    with pytest.raises(Refusal, match=r"absent\.pem cannot be read: No such file"):
        given(tmp_path / "absent.pem", key, NOW)
    with pytest.raises(Refusal, match=r"given\.pem is valid from .* not now"):
        given(certificate, key, NOW + VALID_FOR)
    key.chmod(0o644)
    with pytest.raises(Refusal, match=r"every user of this host can read .*; chmod o= "):
        given(certificate, key, NOW)
    with pytest.raises(Refusal, match=r"is not the private key of"):
        given(*stored(tmp_path, Pair(pair.chain, other.key)), NOW)
    with pytest.raises(Refusal, match=r"is no certificate in PEM"):
        given(*stored(tmp_path, Pair(pair.key, pair.key)), NOW)
    with pytest.raises(Refusal, match=r"is no private key in PEM without a passphrase"):
        given(*stored(tmp_path, Pair(pair.chain, pair.chain)), NOW)
    secret = serialization.BestAvailableEncryption(b"secret")
    private = serialization.load_pem_private_key(pair.key, None)
    locked = private.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, secret)
    with pytest.raises(Refusal, match=r"is no private key in PEM without a passphrase"):
        given(*stored(tmp_path, Pair(pair.chain, locked)), NOW)


def place(tmp_path: Path, reach: Reach) -> Layout:
    for folder in ("var", "run"):
        (tmp_path / folder).mkdir()
    return Layout(tmp_path, tmp_path / "var", tmp_path / "run", "0a1b2c", reach.port, reach)


def test_a_made_pair_is_delivered_with_its_fingerprint(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    layout = place(tmp_path, Reach(made=True))
    ServerCertificate(layout, "bench", Terminal()).prepare((os.geteuid(), os.getegid()))
    assert stat.S_IMODE(layout.tls_pair.stat().st_mode) == 0o600
    pair = Pair(layout.tls_pair.read_bytes(), layout.tls_pair.read_bytes())
    assert pair.covers("bench") and pair.covers("127.0.0.1")
    assert f"SHA-256 {pair.fingerprint}" in capsys.readouterr().out
    assert layout.tls_pins.read_text().count("BEGIN CERTIFICATE") == 1
    assert "PRIVATE" not in layout.tls_pins.read_text()


def test_a_renewed_pair_is_delivered_and_a_bad_one_is_not(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scripts.starter.tls.REFRESH_S", 0.0)
    certificate, key = stored(tmp_path, make(("bench.example.org",), NOW))
    reach = Reach(tls_cert=certificate, tls_key=key, public_url="https://bench.example.org")
    layout = place(tmp_path, reach)
    served = ServerCertificate(layout, "bench", Terminal())
    served.prepare()
    first = layout.tls_pair.read_bytes()
    served.refresh()
    assert layout.tls_pair.read_bytes() == first
    certificate.write_text("damaged")
    served.refresh()
    served.refresh()
    assert layout.tls_pair.read_bytes() == first
    assert capsys.readouterr().out.count("the certificate in use stays") == 1
    stored(tmp_path, make(("other.example.org",), NOW))
    served.refresh()
    assert layout.tls_pair.read_bytes() != first
    assert "the certificate is not for bench.example.org" in capsys.readouterr().out
    assert layout.tls_pins.read_text().count("BEGIN CERTIFICATE") == 2


def test_without_tls_nothing_is_delivered(tmp_path: Path) -> None:
    layout = place(tmp_path, Reach())
    served = ServerCertificate(layout, "bench", Terminal())
    served.prepare()
    served.refresh()
    assert not layout.tls_pair.parent.exists() and not (layout.var / "tls").exists()
