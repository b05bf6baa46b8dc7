"""Whether a request's path has only one reading, for this server and for a proxy in front of it."""

from __future__ import annotations

import re
from typing import Final

_ESCAPE: Final = re.compile(rb"%([0-9A-Fa-f]{2})")
_UNRESERVED: Final = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
_AMBIGUOUS: Final = frozenset(_UNRESERVED + b"/\\\x7f" + bytes(range(0x20)))
"""Bytes that a path must not contain as an escape.

RFC 3986 2.3: an escaped unreserved character is equivalent to the character, so "/%61pi" is "/api" to some
programs only. An escaped slash or control character is data to some and syntax to others.
"""


def is_unambiguous(path: bytes) -> bool:
    """Whether the path of a request target, as it was sent, begins with a slash and has no second spelling.

    It has one if it contains a dot segment, or an escape of a slash, a backslash, a control character or an
    unreserved character.
    """
    if not path.startswith(b"/") or any(part in (b".", b"..") for part in path.split(b"/")):
        return False
    return not any(int(found[1], 16) in _AMBIGUOUS for found in _ESCAPE.finditer(path))
