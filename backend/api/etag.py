"""Strong entity tags and If-None-Match (RFC 9110, 13.1.2)."""

from __future__ import annotations

import hashlib


def etag_of(body: bytes) -> str:
    """The quoted entity tag of a response body."""
    return f'"{hashlib.sha256(body).hexdigest()[:32]}"'


def etag_matches(if_none_match: str | None, etag: str) -> bool:
    """Whether an If-None-Match header matches this entity tag."""
    given = [tag.strip().removeprefix("W/") for tag in (if_none_match or "").split(",")]
    return etag in given or "*" in given
