"""Trust in the certificate of a server that no authority signed."""

from __future__ import annotations

import hashlib
import ssl
from pathlib import Path
from typing import Final

import httpx2

from .errors import Misconfigured, Unreachable

CONNECT_S: Final = 10.0
_HTTPS: Final = 443


def trust(file: str | None) -> ssl.SSLContext | bool:
    """The `verify` of an HTTP client: the usual certificates, or only those of a PEM file.

    Each of them may be the server's own. Names and dates are checked. Raises Misconfigured.
    """
    return trust_text(read_file(file), file) if file else True


def trust_text(pem: str | None, source: str = "the stored certificate") -> ssl.SSLContext | bool:
    """As `trust`, of the text of a PEM file."""
    if not pem:
        return True
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
    try:
        context.load_verify_locations(cadata=pem)
    except (OSError, ValueError) as error:  # ssl.SSLError is an OSError
        raise Misconfigured(f"{source} has no certificate in PEM: {error}") from error
    return context


def read_file(file: str) -> str:
    """The text of a PEM file. Raises Misconfigured."""
    try:
        return Path(file).read_text(encoding="ascii")
    except (OSError, ValueError) as error:
        raise Misconfigured(f"{file} has no certificate in PEM: {error}") from error


def presented(url: str) -> str:
    """The certificate (PEM) that a server presents, unchecked; nothing is sent to it.

    Raises Misconfigured for a URL without https, Unreachable.
    """
    found = httpx2.URL(url)
    if found.scheme != "https":
        raise Misconfigured(f"{url} has no certificate: write https://")
    try:
        return ssl.get_server_certificate((found.host, found.port or _HTTPS), timeout=CONNECT_S)
    except OSError as error:
        raise Unreachable(f"{url} does not answer ({error})") from error


def fingerprint(pem: str) -> str:
    """The SHA-256 fingerprint of a certificate, as servers print it: AB:CD:…"""
    return hashlib.sha256(ssl.PEM_cert_to_DER_cert(pem)).digest().hex(":").upper()


def has_fingerprint(pem: str, given: str) -> bool:
    """Whether a certificate has this SHA-256 fingerprint, with or without colons."""
    return fingerprint(pem).replace(":", "") == given.replace(":", "").strip().upper()
