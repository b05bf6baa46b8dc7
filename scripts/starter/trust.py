"""What a program of this host trusts when it connects to the API."""

from __future__ import annotations

import ssl
from pathlib import Path
from typing import Final

NO_CHECK_TIME: Final = ssl.VerifyFlags(0x200000)
"""X509_V_FLAG_NO_CHECK_TIME of OpenSSL's x509_vfy.h, which Python's ssl module does not name."""


def trust(pins: Path) -> ssl.SSLContext | bool:
    """The `verify` of an HTTP client: only the certificates in `pins`, or the usual ones without that file.

    Neither names nor dates are checked: the address is this host's own, and an expired certificate is no
    reason to restart the API.
    """
    try:
        certificates = pins.read_text()
    except FileNotFoundError:
        return True
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN | NO_CHECK_TIME
    context.load_verify_locations(cadata=certificates)
    return context
