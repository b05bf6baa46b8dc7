"""The certificate of the listening socket: given by the administrator, or made here at the first start."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from cryptography import x509
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from scripts.starter.private import write_private
from scripts.starter.terminal import Refusal

VALID_FOR: Final = timedelta(days=397)
"""Browsers accept no longer one (CA/Browser Forum, Baseline Requirements 6.3.2)."""
RENEW_BEFORE: Final = timedelta(days=30)
CLOCK_SKEW: Final = timedelta(hours=1)
CERTIFICATE: Final = "certificate.pem"
KEY: Final = "key.pem"


@dataclass(frozen=True)
class Pair:
    """A certificate with its chain and its private key, both in PEM."""

    chain: bytes
    key: bytes

    @property
    def certificate(self) -> x509.Certificate:
        """The server's own certificate, the first of the chain."""
        return x509.load_pem_x509_certificate(self.chain)

    @property
    def der(self) -> bytes:
        """That certificate in DER."""
        return self.certificate.public_bytes(serialization.Encoding.DER)

    @property
    def fingerprint(self) -> str:
        """SHA-256 of the certificate, as browsers and openssl show it."""
        return self.certificate.fingerprint(hashes.SHA256()).hex(":").upper()

    def covers(self, host: str) -> bool:
        """Whether the certificate is for this host name or address; one "*" label covers one label."""
        names = _names(self.certificate)
        return host in names or f"*.{host.partition('.')[2]}" in names


def self_made(folder: Path, hosts: Iterable[str], now: datetime) -> Pair:
    """The pair in `folder`; made again when it ends within 30 days or lacks one of these hosts."""
    wanted = frozenset(hosts)
    try:
        known = Pair((folder / CERTIFICATE).read_bytes(), (folder / KEY).read_bytes())
        ends = known.certificate.not_valid_after_utc
        if ends - now > RENEW_BEFORE and wanted <= _names(known.certificate) and _belong(known):
            return known
    except (OSError, ValueError):
        pass  # none yet, or a damaged one
    made = make(wanted, now)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    write_private(folder / KEY, made.key)
    write_private(folder / CERTIFICATE, made.chain)
    return made


def make(hosts: Iterable[str], now: datetime) -> Pair:
    """A new key and a certificate that it signs itself, for these host names and addresses."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Plimsoll")])
    identifier = x509.SubjectKeyIdentifier.from_public_key(key.public_key())
    usage = x509.KeyUsage(
        digital_signature=True,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=False,
        crl_sign=False,
        encipher_only=False,
        decipher_only=False,
    )
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - CLOCK_SKEW)
        .not_valid_after(now + VALID_FOR - CLOCK_SKEW)
        .add_extension(
            x509.SubjectAlternativeName([_general(host) for host in sorted(hosts)]), critical=False
        )
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(usage, critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(identifier, critical=False)
        .sign(key, hashes.SHA256())
    )
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    return Pair(certificate.public_bytes(serialization.Encoding.PEM), private)


def given(certificate: Path, key: Path, now: datetime) -> Pair:
    """The administrator's pair. Raises Refusal if a server could not use it."""
    try:
        pair = Pair(certificate.read_bytes(), key.read_bytes())
        readable_by_all = key.stat().st_mode & 0o007
    except OSError as error:
        raise Refusal(f"{error.filename} cannot be read: {error.strerror}") from None
    if readable_by_all:
        raise Refusal(f"every user of this host can read the private key {key}; chmod o= {key}")
    try:
        valid = pair.certificate.not_valid_before_utc, pair.certificate.not_valid_after_utc
    except ValueError:
        raise Refusal(f"{certificate} is no certificate in PEM") from None
    try:
        belong = _belong(pair)
    except (ValueError, TypeError, UnsupportedAlgorithm):
        raise Refusal(f"{key} is no private key in PEM without a passphrase") from None
    if not belong:
        raise Refusal(f"{key} is not the private key of {certificate}")
    if not valid[0] <= now <= valid[1]:
        raise Refusal(f"{certificate} is valid from {valid[0]:%Y-%m-%d} to {valid[1]:%Y-%m-%d}, not now")
    return pair


def _general(host: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(host))
    except ValueError:
        return x509.DNSName(host)


def _names(certificate: x509.Certificate) -> frozenset[str]:
    try:
        found = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except x509.ExtensionNotFound:
        return frozenset()
    addresses = {str(address) for address in found.get_values_for_type(x509.IPAddress)}
    return frozenset(addresses | {name.lower() for name in found.get_values_for_type(x509.DNSName)})


def _belong(pair: Pair) -> bool:
    """Whether key and certificate belong together. Raises ValueError, TypeError, UnsupportedAlgorithm."""
    key = serialization.load_pem_private_key(pair.key, password=None)
    return key.public_key() == pair.certificate.public_key()
