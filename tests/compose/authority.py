"""A certificate that an authority signed, as a team has it."""

from __future__ import annotations

import ipaddress
from datetime import datetime, timedelta

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from scripts.starter.certificate import Pair


def signed_pair(address: str, now: datetime) -> tuple[bytes, Pair]:
    """The authority's certificate (PEM), and a pair for this IP address that it signed."""
    authority, key = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
    root = _builder("Authority", "Authority", authority, now)
    root = root.add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
    root = root.add_extension(_usage(signs=True), critical=True)
    identifier = x509.SubjectKeyIdentifier.from_public_key(authority.public_key())
    root = root.add_extension(identifier, critical=False)
    leaf = _builder("Server", "Authority", key, now)
    names = x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address(address))])
    leaf = leaf.add_extension(names, critical=False)
    leaf = leaf.add_extension(_usage(signs=False), critical=True)
    link = x509.AuthorityKeyIdentifier.from_issuer_subject_key_identifier(identifier)
    leaf = leaf.add_extension(link, critical=False)
    chain = leaf.sign(authority, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    return root.sign(authority, hashes.SHA256()).public_bytes(serialization.Encoding.PEM), Pair(
        chain, private
    )


def _builder(
    subject: str, issuer: str, key: ec.EllipticCurvePrivateKey, now: datetime
) -> x509.CertificateBuilder:
    builder = x509.CertificateBuilder().public_key(key.public_key())
    builder = builder.subject_name(_name(subject)).issuer_name(_name(issuer))
    builder = builder.serial_number(x509.random_serial_number())
    return builder.not_valid_before(now - timedelta(hours=1)).not_valid_after(now + timedelta(days=1))


def _name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def _usage(signs: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=True,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=signs,
        crl_sign=signs,
        encipher_only=False,
        decipher_only=False,
    )
