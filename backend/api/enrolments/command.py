"""The commands by which a host joins this server."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes

from backend.worker_container import run_command


@dataclass(frozen=True)
class Commands:
    """To be run as root on the new host: by Bash in a clone, or where Docker has the image."""

    clone: str
    container: str


def join_commands(url: str, host_name: str | None, certificate: Path | None) -> Commands:
    """The commands.

    They name the fingerprint of a certificate that no authority signed: the host would refuse it otherwise.
    """
    words: list[str] = []
    if host_name is not None:
        words += ["--name", host_name]
    if certificate is not None and (fingerprint := self_signed(certificate)) is not None:
        words += ["--fingerprint", fingerprint]
    # By standard input: users of the host would see the secret of an argument while packages are installed.
    clone = f"{shlex.join(('./scripts/join', '-', *words))} <<< {shlex.quote(url)}"
    return Commands(clone, run_command(url, *words))


def self_signed(file: Path) -> str | None:
    """The SHA-256 fingerprint of a certificate that signed itself; None of any other, or of none."""
    try:
        certificate = x509.load_pem_x509_certificate(file.read_bytes())
    except (OSError, ValueError):
        return None
    if certificate.issuer != certificate.subject:
        return None
    return certificate.fingerprint(hashes.SHA256()).hex(":").upper()
