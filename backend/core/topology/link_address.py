"""Which addresses a host can have on its link to another host."""

from __future__ import annotations

import contextlib
import ipaddress


def is_link_address(address: str) -> bool:
    """Whether this is a literal IPv4 address that one host can have: no name, which could resolve elsewhere.

    Loopback, link-local (which clouds use for their metadata), multicast and reserved ones are none.
    """
    with contextlib.suppress(ValueError):
        found = ipaddress.IPv4Address(address)
        return not (
            found.is_loopback
            or found.is_unspecified
            or found.is_multicast
            or found.is_link_local
            or found.is_reserved
        )
    return False
