"""Claims as Entra ID, Okta, Authelia and others send them, and answers that are none."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from typing import Any

import pytest

from backend.api.identity import provider as providers
from backend.api.identity import service
from backend.api.identity.attempt import Attempt
from backend.api.identity.provider import Identity, Provider, SignInFailed
from backend.api.identity.service import Visit
from backend.api.sessions.service import Browser
from backend.settings import Settings
from tests.api.small_provider import CLIENT_ID, SmallProvider, small_provider

EMAIL = "grace@example.org"
KNOWN = {"email": EMAIL, "email_verified": True, "name": "Grace"}
ENDPOINTS = ("/.well-known/openid-configuration", "/keys", "/token", "/userinfo")
JSON = "application/json"


@pytest.fixture
def issuer() -> Iterator[SmallProvider]:
    with small_provider() as found:
        yield found


def settings_of(issuer: SmallProvider, settings: Settings | None = None, **more: Any) -> Settings:
    given = {} if settings is None else settings.model_dump(exclude_unset=True)
    return Settings(**given | {"oidc_issuer": issuer.issuer, "oidc_client_id": CLIENT_ID} | more)


def identity(issuer: SmallProvider, **more: Any) -> Identity:
    """The identity of a sign-in at this provider."""
    attempt = Attempt.begin(time.time(), "/")
    issuer.begin(attempt)
    return asyncio.run(Provider(settings_of(issuer, **more)).identity(attempt, "code"))


def test_what_the_token_has_is_not_asked_again(issuer: SmallProvider) -> None:
    issuer.id_token = dict(KNOWN)
    assert identity(issuer).email == EMAIL
    assert "/userinfo" not in issuer.asked


@pytest.mark.parametrize("missing", ["email", "email_verified", "name"])
def test_userinfo_adds_what_the_token_lacks(issuer: SmallProvider, missing: str) -> None:
    """Authelia and Okta send most claims only there."""
    issuer.id_token = {name: value for name, value in KNOWN.items() if name != missing}
    issuer.userinfo = {missing: KNOWN[missing]}
    found = identity(issuer)
    assert (found.email, found.name) == (EMAIL, "Grace")


@pytest.mark.parametrize(
    ("groups", "expected"), [(["bench", "ops"], ("bench", "ops")), ("bench", ("bench",)), ({}, ()), (7, ())]
)
def test_groups_come_at_userinfo_and_as_one_text(
    issuer: SmallProvider, groups: object, expected: tuple[str, ...]
) -> None:
    issuer.id_token, issuer.userinfo = dict(KNOWN), {"groups": groups}
    assert identity(issuer, oidc_group_roles="bench=runner").groups == expected
    issuer.asked.clear()
    assert identity(issuer).groups == ()
    assert "/userinfo" not in issuer.asked, "groups are not needed without roles for them"


@pytest.mark.parametrize(
    ("stated", "trusted", "verified"),
    [
        (True, False, True),
        ("true", False, True),
        ("True", False, True),
        (False, False, False),
        ("false", False, False),
        (None, False, False),
        (1, False, False),
        ("yes", False, False),
        (None, True, True),
        (False, True, False),
        ("false", True, False),
        ([True], True, False),
    ],
)
def test_an_address_is_verified_where_the_provider_says_so(
    issuer: SmallProvider, stated: object, trusted: bool, verified: bool
) -> None:
    """Entra ID sends no `email_verified`: the operator may trust such an issuer, never against its word."""
    issuer.id_token = {"email": EMAIL, "name": "Grace", "email_verified": stated}
    found = identity(issuer, oidc_trust_email=trusted)
    assert (found.email, found.unverified_email) == ((EMAIL, False) if verified else (None, True))


def test_a_provider_without_userinfo_is_enough(issuer: SmallProvider) -> None:
    issuer.id_token, issuer.userinfo = {"email": EMAIL}, None
    assert identity(issuer).unverified_email


def test_userinfo_of_another_subject_is_refused(issuer: SmallProvider) -> None:
    issuer.userinfo = dict(KNOWN) | {"sub": "somebody-else"}
    with pytest.raises(SignInFailed) as refused:
        identity(issuer)
    assert refused.value.code == "invalid_token"


@pytest.mark.parametrize(
    "answer", [(500, JSON, b"{}"), (200, "application/jwt", b"a.b.c"), (200, JSON, b"[]")]
)
def test_without_userinfo_a_sign_in_goes_on_if_the_token_has_the_address(
    issuer: SmallProvider, answer: tuple[int, str, bytes]
) -> None:
    issuer.answers["/userinfo"] = answer
    issuer.id_token = {"email": EMAIL, "email_verified": True}
    assert identity(issuer).email == EMAIL
    issuer.id_token = {}
    with pytest.raises(SignInFailed) as refused:
        identity(issuer)
    assert refused.value.code == "unavailable"


@pytest.mark.parametrize("endpoint", ENDPOINTS)
@pytest.mark.parametrize(
    "body",
    [b"", b"null", b"[]", b'"text"', b"{}", b"7", b"{", b"\xff\xfe", b'{"keys": 1}', b'{"id_token": []}'],
)
def test_an_answer_of_another_form_is_a_failure_with_a_code(
    issuer: SmallProvider, endpoint: str, body: bytes
) -> None:
    issuer.answers[endpoint] = (200, JSON, body)
    with pytest.raises(SignInFailed) as refused:
        identity(issuer)
    expected = {"unavailable", "issuer_mismatch", "code_refused", "invalid_token"}
    assert refused.value.code in expected, refused.value


@pytest.mark.parametrize("endpoint", ENDPOINTS)
def test_a_late_answer_is_given_up(
    issuer: SmallProvider, endpoint: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(providers, "LIMIT_S", 0.5)
    issuer.delays[endpoint] = 1.5
    with pytest.raises(SignInFailed) as refused:
        identity(issuer)
    assert refused.value.code == "unavailable"


@pytest.mark.parametrize(
    ("claims", "code"),
    [
        ({"email": EMAIL}, "email_unverified"),
        ({"email": EMAIL, "email_verified": "false"}, "email_unverified"),
        ({}, "not_invited"),
        ({"email": EMAIL, "email_verified": "true"}, "not_invited"),
    ],
)
def test_a_refusal_says_whether_the_address_is_the_reason(
    issuer: SmallProvider, settings: Settings, claims: dict[str, Any], code: str
) -> None:
    issuer.id_token = claims
    found = identity(issuer)
    with pytest.raises(SignInFailed) as refused:
        service.sign_in(settings_of(issuer, settings), found, Visit(Browser("", ""), "request"))
    assert refused.value.code == code


@pytest.mark.parametrize(
    ("id_token", "userinfo", "verified"),
    [
        ({"email": "x@example.org"}, {"email": EMAIL, "email_verified": True}, None),
        ({"email": EMAIL}, {"email": EMAIL, "email_verified": True}, EMAIL),
        ({"email": EMAIL}, {"email_verified": True}, EMAIL),
        ({"email_verified": True}, {"email": EMAIL, "email_verified": False}, None),
        ({"email_verified": True}, {"email": EMAIL}, EMAIL),
    ],
)
def test_what_is_said_of_one_address_does_not_verify_another(
    issuer: SmallProvider, id_token: dict[str, Any], userinfo: dict[str, Any], verified: str | None
) -> None:
    issuer.id_token, issuer.userinfo = id_token, userinfo
    assert identity(issuer).email == verified
