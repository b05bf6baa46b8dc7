"""The secret tokens of share links."""

from __future__ import annotations

import hashlib
import re
import secrets
import string
from typing import Final

from backend.store.repositories.shares import Kind

PRIVATE_BYTES: Final = 32
UNFURL_LENGTH: Final = 22
"""Letters and digits: 131 bits. Programs that find links in a text may cut "-" and "_" off its end.

A token has at least one small letter, one capital and one digit: `backend.logs.redaction` knows it by that.
"""
_KINDS: Final = (string.ascii_lowercase, string.ascii_uppercase, string.digits)
_ALPHABET: Final = "".join(_KINDS)
_UNFURL: Final = re.compile(rf"[A-Za-z0-9]{{{UNFURL_LENGTH}}}")


def new_token(kind: Kind) -> str:
    """A new random token: 256 bits for a private link, 131 for an unfurling one."""
    if kind == "private":
        return secrets.token_urlsafe(PRIVATE_BYTES)
    while True:
        token = "".join(secrets.choice(_ALPHABET) for _ in range(UNFURL_LENGTH))
        if all(set(token) & set(characters) for characters in _KINDS):
            return token


def is_unfurl_token(token: str) -> bool:
    """Whether a text has the form of an unfurling link's token; others are never used in a query."""
    return _UNFURL.fullmatch(token) is not None


def token_hash(token: str) -> str:
    """The SHA-256 under which a link is stored."""
    return hashlib.sha256(token.encode()).hexdigest()


def url_of(kind: Kind, token: str) -> str:
    """The link's address without scheme and host."""
    return f"/shared#{token}" if kind == "private" else f"/x/{token}"
