"""The routes that open something by a secret; failed attempts have a small budget of their own."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from starlette.types import Scope

FAILED: Final = frozenset({401, 403, 404, 410, 422})
"""Statuses of an attempt with a wrong secret."""


@dataclass(frozen=True)
class SecretRoute:
    """Requests of a method whose path matches; attempts of different kinds are counted separately."""

    kind: str
    method: str
    path: re.Pattern[str]


SECRET_ROUTES: Final = (
    SecretRoute("share", "POST", re.compile(r"/api/v1/shares:open(-series)?")),
    SecretRoute("sign-in", "POST", re.compile(r"/api/v1/sessions")),
    SecretRoute("provider", "GET", re.compile(r"/api/v1/sign-in/oidc/callback")),
    SecretRoute("invitation", "POST", re.compile(r"/api/v1/invitations:accept")),
    SecretRoute("enrolment", "POST", re.compile(r"/api/v1/worker/enrolment")),
    SecretRoute("device", "POST", re.compile(r"/api/v1/device-authorizations:(find|approve|deny)")),
    # Not the pictures: pages with an old link's picture are fetched for many readers from one address.
    SecretRoute("share page", "GET", re.compile(r"/x/[^/]*")),
    SecretRoute("share page", "HEAD", re.compile(r"/x/[^/]*")),
)


def mark_failed(scope: Scope) -> None:
    """Count this attempt as failed, although its response is a redirect."""
    scope.setdefault("state", {})["failed_attempt"] = True


def mark_right(scope: Scope) -> None:
    """Do not count this attempt as failed: its secret was right, although its response is an error."""
    scope.setdefault("state", {})["failed_attempt"] = False


def has_failed(scope: Scope, status: int) -> bool:
    """Whether an attempt with this status presented a wrong secret."""
    marked: bool | None = scope.get("state", {}).get("failed_attempt")
    return status in FAILED if marked is None else marked


def secret_kind(method: str, path: str) -> str | None:
    """The kind of secret that a request presents, or None."""
    for route in SECRET_ROUTES:
        if route.method == method and route.path.fullmatch(path):
            return route.kind
    return None
