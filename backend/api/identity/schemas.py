"""Responses of /sign-in and /account/identities."""

from __future__ import annotations

from backend.api.schema import Body, Line, Timestamp


class SignInProvider(Body):
    """An OpenID Connect provider: its name on the page, and the address that begins a sign-in."""

    name: Line
    url: str


class SignInMethods(Body):
    """How browsers sign in to this server, besides one-time links; `provider` is null where there is none."""

    provider: SignInProvider | None


class LinkedIdentityStart(Body):
    """Where the browser has to go, to prove the identity that is linked to the account."""

    url: str


class LinkedIdentity(Body):
    """An identity that signs in to the account; `email` is what its provider stated last.

    `current`: of the provider that this server uses now.
    """

    id: str
    issuer: Line
    current: bool
    email: Line | None
    created_at: Timestamp
    last_used_at: Timestamp


class LinkedIdentityList(Body):
    """The identities of the account, oldest first."""

    data: tuple[LinkedIdentity, ...]
