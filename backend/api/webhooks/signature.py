"""Secrets and headers of Standard Webhooks 1.0."""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from typing import Final

PREFIX: Final = "whsec_"
SECRET_BYTES: Final = 32
"""The specification asks for 24 to 64."""


def new_secret() -> str:
    """A new secret: whsec_ and 32 random bytes in base64."""
    return PREFIX + base64.b64encode(secrets.token_bytes(SECRET_BYTES)).decode()


def signed_headers(secret: str, message_id: str, at_s: int, body: bytes) -> dict[str, str]:
    """The headers of a message: HMAC-SHA256 over `id.timestamp.body`; `at_s` is the time of this attempt."""
    key = base64.b64decode(secret.removeprefix(PREFIX))
    text = b".".join((message_id.encode(), str(at_s).encode(), body))
    signature = base64.b64encode(hmac.new(key, text, hashlib.sha256).digest()).decode()
    return {
        "webhook-id": message_id,
        "webhook-timestamp": str(at_s),
        "webhook-signature": f"v1,{signature}",
        "Content-Type": "application/json",
        "User-Agent": "Plimsoll-Webhooks/1",
    }
