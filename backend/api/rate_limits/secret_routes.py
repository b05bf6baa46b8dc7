"""The routes that open something by a secret; failed attempts have a small budget of their own."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

FAILED: Final = frozenset({401, 403, 404, 410, 422})
"""Statuses of an attempt with a wrong secret."""


@dataclass(frozen=True)
class SecretRoute:
    """Requests of a method whose path matches; attempts of different kinds are counted separately."""

    kind: str
    method: str
    path: re.Pattern[str]


SECRET_ROUTES: Final = (
    SecretRoute("share", "POST", re.compile(r"/api/v1/shares:open")),
    SecretRoute("sign-in", "POST", re.compile(r"/api/v1/sessions")),
    # Not the pictures: pages with an old link's picture are fetched for many readers from one address.
    SecretRoute("share page", "GET", re.compile(r"/x/[^/]*")),
    SecretRoute("share page", "HEAD", re.compile(r"/x/[^/]*")),
)


def secret_kind(method: str, path: str) -> str | None:
    """The kind of secret that a request presents, or None."""
    for route in SECRET_ROUTES:
        if route.method == method and route.path.fullmatch(path):
            return route.kind
    return None
