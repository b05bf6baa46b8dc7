"""Trust in the certificate of a server that no authority signed."""

from __future__ import annotations

import ssl
from pathlib import Path

from .errors import Misconfigured


def trust(file: str | None) -> ssl.SSLContext | bool:
    """The `verify` of an HTTP client: the usual certificates, or only those of a PEM file.

    Each of them may be the server's own. Names and dates are checked. Raises Misconfigured.
    """
    if not file:
        return True
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
    try:
        context.load_verify_locations(cadata=Path(file).read_text(encoding="ascii"))
    except (OSError, ValueError) as error:  # ssl.SSLError is an OSError
        raise Misconfigured(f"{file} has no certificate in PEM: {error}") from error
    return context
