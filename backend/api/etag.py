"""Strong entity tags: what an answer is, and whether the asker has it already (RFC 9110, 13.1.2)."""

from __future__ import annotations

import hashlib


def etag_of(body: bytes) -> str:
    """The tag of these bytes, in its quotes."""
    return f'"{hashlib.sha256(body).hexdigest()[:32]}"'


def has_it(if_none_match: str | None, etag: str) -> bool:
    """Whether an If-None-Match header names this tag."""
    given = [tag.strip().removeprefix("W/") for tag in (if_none_match or "").split(",")]
    return etag in given or "*" in given
