"""The OpenID Connect provider: discovery, authorization URL, exchange of a code for a verified identity.

Asynchronous with a time limit, so that a slow provider holds no thread. Authlib makes the requests and checks
the claims; joserfc checks the signature.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeVar

import httpx2
from authlib.integrations.base_client import OAuthError
from authlib.integrations.httpx_client import AsyncOAuth2Client
from authlib.oidc.core import CodeIDToken
from joserfc import jwt
from joserfc.errors import ExpiredTokenError, InvalidClaimError, InvalidKeyIdError, JoseError
from joserfc.jwk import KeySet
from joserfc.jws import JWSRegistry

from backend.api.identity.attempt import Attempt
from backend.api.identity.claims import (
    MAX_NAME,
    email_of,
    groups_of,
    is_verified,
    name_of,
    subject_of,
    with_claims,
)
from backend.settings import Settings

logger = logging.getLogger(__name__)

T = TypeVar("T")

Failure = Literal[
    "unavailable", "issuer_mismatch", "attempt_unknown", "declined", "code_refused", "clock_skew",
    "invalid_token", "not_invited", "email_unverified", "email_taken", "account_disabled", "already_linked",
]  # fmt: skip
"""Why a sign-in by a provider failed; the page has a sentence for each."""
ALGORITHMS: Final = (
    "RS256",
    "RS384",
    "RS512",
    "PS256",
    "PS384",
    "PS512",
    "ES256",
    "ES384",
    "ES512",
    "Ed25519",
)
"""Signatures with a public key; `none` and shared secrets are refused whatever the provider states."""
WANTED: Final = {"email", "email_verified", "name"}
LEEWAY_S: Final = 60
LIMIT_S: Final = 8.0
KEPT_S: Final = 3600.0
RETRY_S: Final = 3.0
"""For how long a provider that did not answer is not requested again."""


class SignInFailed(Exception):
    """A sign-in by the provider that ended without a session; `code` says why."""

    def __init__(self, code: Failure, detail: str = "") -> None:
        super().__init__(f"{code}: {detail}")
        self.code = code


@dataclass(frozen=True)
class Identity:
    """Who a provider says has signed in.

    `email` is one that the provider has verified, or None; `unverified_email`: it states one all the same.
    """

    issuer: str
    subject: str
    name: str
    email: str | None
    unverified_email: bool
    groups: tuple[str, ...]


class Provider:
    """The provider of the settings. `now` is the clock of this server, in seconds since 1970."""

    def __init__(self, settings: Settings, now: Callable[[], float] = time.time) -> None:
        self.now = now
        self._settings = settings
        self._metadata: dict[str, Any] = {}
        self._keys: KeySet | None = None
        self._read_at = self._failed_at = -KEPT_S
        self._lock = asyncio.Lock()

    async def authorization_url(self, attempt: Attempt) -> str:
        """Where the browser signs in at the provider. Raises SignInFailed."""
        metadata = await self._limited(self._discovered())
        async with self._client() as client:
            url, _ = client.create_authorization_url(
                metadata["authorization_endpoint"],
                state=attempt.state,
                nonce=attempt.nonce,
                code_verifier=attempt.verifier,
            )
        return str(url)

    async def identity(self, attempt: Attempt, code: str) -> Identity:
        """Exchange a code for the identity that it proves. Raises SignInFailed."""
        return await self._limited(self._identity(attempt, code))

    async def _limited(self, work: Coroutine[Any, Any, T]) -> T:
        """The result of `work`. Raises SignInFailed if the provider fails or takes too long."""
        try:
            async with asyncio.timeout(LIMIT_S):
                return await work
        except (TimeoutError, httpx2.HTTPError, httpx2.InvalidURL, OSError) as error:
            raise SignInFailed("unavailable", repr(error)) from error
        except OAuthError as error:
            raise SignInFailed("code_refused", str(error)) from error
        except (KeyError, TypeError, ValueError) as error:  # an answer that is no OpenID Connect
            raise SignInFailed("unavailable", repr(error)) from error

    def _client(self) -> Any:
        settings = self._settings
        methods = self._metadata.get("token_endpoint_auth_methods_supported", ["client_secret_basic"])
        secret = settings.oidc_secret
        method = "client_secret_basic" if "client_secret_basic" in methods else "client_secret_post"
        return AsyncOAuth2Client(
            client_id=settings.oidc_client_id,
            client_secret=secret,
            token_endpoint_auth_method="none" if secret is None else method,
            scope=settings.oidc_scopes,
            redirect_uri=redirect_uri(settings),
            code_challenge_method="S256",
            timeout=LIMIT_S,
        )

    async def _discovered(self) -> dict[str, Any]:
        """The discovery document; one request at a time, kept for KEPT_S."""
        async with self._lock:
            now = time.monotonic()
            if self._metadata and now - self._read_at < KEPT_S:
                return self._metadata
            if now - self._failed_at < RETRY_S:
                raise SignInFailed("unavailable", "it did not answer a moment ago")
            try:
                issuer = self._settings.oidc_issuer or ""
                found = await self._get(f"{issuer.rstrip('/')}/.well-known/openid-configuration")
            except (httpx2.HTTPError, asyncio.CancelledError, ValueError):
                self._failed_at = time.monotonic()
                raise
            if found.get("issuer") != issuer:
                raise SignInFailed("issuer_mismatch", f"{issuer} names itself {found.get('issuer')!r}")
            self._metadata, self._read_at, self._keys = found, now, None
            return found

    async def _get(self, url: str) -> dict[str, Any]:
        async with self._client() as client:
            answer = await client.request("GET", url, withhold_token=True)
        answer.raise_for_status()
        found = answer.json()
        if not isinstance(found, dict):
            raise ValueError(f"{url} is no JSON object")
        return found

    async def _identity(self, attempt: Attempt, code: str) -> Identity:
        metadata = await self._discovered()
        async with self._client() as client:
            token = await client.fetch_token(
                metadata["token_endpoint"],
                grant_type="authorization_code",
                code=code,
                redirect_uri=redirect_uri(self._settings),
                code_verifier=attempt.verifier,
            )
            claims = await self._verified(token, attempt)
            found = dict(claims)
            if not self._claims_to_have() <= found.keys() and "userinfo_endpoint" in metadata:
                client.token = token
                found = await self._with_userinfo(client, metadata["userinfo_endpoint"], found)
        return _identity_of(found, self._settings.oidc_trust_email)

    async def _with_userinfo(self, client: Any, url: str, found: dict[str, Any]) -> dict[str, Any]:
        """The claims of an ID token with those of userinfo that it lacks.

        Raises SignInFailed for another subject, and what the request raises where the address is missing.
        """
        try:
            answer = await client.get(url)
            answer.raise_for_status()
            more = answer.json()
            if not isinstance(more, dict):
                raise ValueError(f"{url} is no JSON object")
        except (httpx2.HTTPError, ValueError) as error:
            if "email" not in found:
                raise
            logger.warning("signing in without what userinfo would add: %r", error)
            return found
        if more.get("sub") != found["sub"]:
            raise SignInFailed("invalid_token", "userinfo is of another subject")
        return with_claims(found, more)

    def _claims_to_have(self) -> set[str]:
        """The claims for which userinfo is asked where the ID token lacks one."""
        return WANTED | ({"groups"} if self._settings.oidc_group_roles else set())

    async def _verified(self, token: dict[str, Any], attempt: Attempt) -> CodeIDToken:
        """The claims of the ID token, all checked. Raises SignInFailed."""
        try:
            try:
                decoded = await self._decoded(token["id_token"], renewed=False)
            except InvalidKeyIdError:
                decoded = await self._decoded(token["id_token"], renewed=True)
            claims = CodeIDToken(
                decoded.claims,
                decoded.header,
                {
                    "iss": {"essential": True, "value": self._settings.oidc_issuer or ""},
                    "aud": {"essential": True, "value": self._settings.oidc_client_id},
                },
                {
                    "nonce": attempt.nonce,
                    "client_id": self._settings.oidc_client_id,
                    "access_token": token.get("access_token"),
                },
            )
            claims.validate(now=int(self.now()), leeway=LEEWAY_S)
        except (JoseError, KeyError, TypeError, ValueError) as error:
            raise SignInFailed(_of_token(error), str(error)) from error
        return claims

    async def _decoded(self, token: str, renewed: bool) -> jwt.Token:
        if self._keys is None or renewed:
            self._keys = KeySet.import_key_set(await self._get(self._metadata["jwks_uri"]))  # type: ignore[arg-type]
        stated = self._metadata.get("id_token_signing_alg_values_supported", ["RS256"])
        registry = JWSRegistry(
            algorithms=[name for name in ALGORITHMS if name in stated], strict_check_header=False
        )
        return jwt.decode(token, self._keys, registry=registry)


def redirect_uri(settings: Settings) -> str:
    """Where the provider sends the browser back to; it has to be registered there."""
    return f"{settings.base_url}/api/v1/sign-in/oidc/callback"


def _of_token(error: Exception) -> Failure:
    """The code of an ID token that is not valid: too old or too new just after its issue means the clocks."""
    in_future = isinstance(error, InvalidClaimError) and ("future" in str(error) or "not yet" in str(error))
    return "clock_skew" if in_future or isinstance(error, ExpiredTokenError) else "invalid_token"


def _identity_of(claims: dict[str, Any], trust_email: bool = False) -> Identity:
    """The identity that verified claims state. Raises SignInFailed without a usable subject."""
    subject, email = subject_of(claims.get("sub")), email_of(claims.get("email"))
    if subject is None:
        raise SignInFailed(
            "invalid_token", "the claim sub is empty, too long or no text of printable characters"
        )
    verified = is_verified(claims.get("email_verified"), trust_email)
    name = name_of((claims.get("name"), claims.get("preferred_username"), email, subject))
    return Identity(
        issuer=claims["iss"],
        subject=subject,
        name=name or subject[:MAX_NAME],
        email=email if verified else None,
        unverified_email=email is not None and not verified,
        groups=groups_of(claims.get("groups")),
    )
