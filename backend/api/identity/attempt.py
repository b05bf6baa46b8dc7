"""One attempt to sign in by a provider, kept in a cookie of the browser that began it; nothing is stored.

State, nonce and PKCE verifier are derived from the whole cookie (HMAC-SHA256). A state that comes back proves
that this browser began this attempt, and that its time, purpose and target are unchanged.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from base64 import urlsafe_b64encode
from dataclasses import dataclass
from typing import Final

from backend.settings import Settings
from backend.store.secrets import new_secret

LIFETIME_S: Final = 600
MAX_COOKIE: Final = 1024
_OWN_PATH: Final = re.compile(r"/(?![/\\])[!-\[\]-~]{0,500}")
"""A path of this origin: one slash at its start, then printable ASCII without a backslash."""
_SIGN_IN: Final = "sign-in"


def cookie_name(settings: Settings) -> str:
    """The cookie of an attempt; with https, it has the prefix that browsers bind to https and one host."""
    own = f"plimsoll-{settings.install_id}-provider"
    return f"__Host-{own}" if settings.is_https else own


def own_path(path: str | None) -> str:
    """The path if it is one of this origin's pages, else that of the start page."""
    if path is None or not _OWN_PATH.fullmatch(path) or path.startswith(("/api/", "/sign-in")):
        return "/"
    return path


@dataclass(frozen=True)
class Attempt:
    """What the cookie contains; `session_id` is that of the signed-in browser that links its account."""

    cookie: str
    begun_at: int
    session_id: str | None
    path: str

    @staticmethod
    def begin(now: float, path: str, session_id: str | None = None) -> Attempt:
        """A new attempt that ends at this path."""
        cookie = f"{int(now)}~{new_secret()}~{session_id or _SIGN_IN}~{path}"
        return Attempt(cookie, int(now), session_id, path)

    @staticmethod
    def read(cookie: str | None) -> Attempt | None:
        """The attempt of a cookie, or None."""
        parts = (cookie or "").split("~", 3)
        if cookie is None or len(cookie) > MAX_COOKIE or len(parts) != 4 or not parts[0].isdecimal():
            return None
        purpose = parts[2]
        return Attempt(cookie, int(parts[0]), None if purpose == _SIGN_IN else purpose, own_path(parts[3]))

    def is_open(self, now: float) -> bool:
        """Whether the attempt began at most LIFETIME_S ago."""
        return 0 <= now - self.begun_at <= LIFETIME_S

    @property
    def state(self) -> str:
        """What the provider returns with the code."""
        return self._derived("state")

    @property
    def nonce(self) -> str:
        """What the provider puts into the ID token."""
        return self._derived("nonce")

    @property
    def verifier(self) -> str:
        """The PKCE code verifier (RFC 7636): 43 characters."""
        return self._derived("verifier")

    def _derived(self, purpose: str) -> str:
        value = hmac.new(self.cookie.encode(), purpose.encode(), hashlib.sha256).digest()
        return urlsafe_b64encode(value).rstrip(b"=").decode()
