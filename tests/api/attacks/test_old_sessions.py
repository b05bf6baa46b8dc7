"""A session that is old, such as a stolen cookie or a laptop left open, makes and widens no credential."""

from __future__ import annotations

from typing import Any, Final

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import text

from backend.api.access.rules import RULES
from backend.settings import Settings
from backend.store.models import DEFAULT_TEAM
from backend.store.session import session_scope
from tests.accounts import add_account, browser_headers
from tests.api.attacks.arena import Arena
from tests.api.attacks.test_lasting_access import LETS_IN, secrets_of
from tests.api.client import problem_of
from tests.api.test_authorisation import OPERATIONS, Operation
from tests.api.test_device_authorizations import approval, begin

CREDENTIALS: Final = (
    "createToken", "approveDeviceAuthorization", "linkIdentity", "unlinkIdentity", "beginSecondFactor",
    "confirmSecondFactor", "renewRecoveryCodes", "removeSecondFactor", "resetSecondFactor", "updateAccount",
    "createInvitation", "updateMember", "changeTeam", "createTeam", "createTeamInvitation", "setTeamMember",
    "setAccountAccess", "createSignInLink", "createEnrolment",
)  # fmt: skip
"""Operations that make or widen a credential."""
OTHERWISE: Final = {
    "removeMember": "takes access away",
    "removeTeamMember": "takes access away",
    "updateTeam": "changes a name",
    "setPassword": "asks for the current password, or for a recent sign-in",
    "getSession": "answers with the CSRF token of the session that asks",
    "updateSession": "answers with the CSRF token of the session that asks",
    "getSecondFactor": "answers with the number of recovery codes",
    "createShare": "may be done by a token: a link to one result",
    "createWebhook": "may be done by a token: what the receiver checks messages by",
    "updateWebhook": "may be done by a token: the receiver's address",
    "findDeviceAuthorization": "answers with the code that the caller gave",
}
"""Operations that let somebody in, or answer with a secret, and need no recent sign-in."""
TOKEN: Final = {"name": "mine", "scopes": ["run:read"]}


@pytest.fixture(scope="module")
def old(arena: Arena) -> str:
    """An administrator of the team and of the installation, signed in 16 minutes ago."""
    account = add_account(arena.settings, installation_admin=True)
    arena.callers["old"] = browser_headers(arena.settings, account)
    arena.execute(
        "UPDATE browser_session SET created_at = created_at - interval '16 min' WHERE account_id = :id",
        id=account,
    )
    return "old"


@pytest.mark.parametrize("operation", [one for one in OPERATIONS if one.id in CREDENTIALS])
def test_an_old_session_makes_and_widens_no_credential(arena: Arena, old: str, operation: Operation) -> None:
    arena.refuses(operation, 403, "sign_in_again", caller=old)


@pytest.mark.parametrize("operation", [one.id for one in OPERATIONS])
def test_every_operation_that_lets_somebody_in_needs_a_recent_sign_in(operation: str) -> None:
    rule = RULES[operation]
    assert rule.recent == (operation in CREDENTIALS)
    assert not (rule.recent and rule.admits_tokens), "a token has no sign-in"
    lets_in = operation in LETS_IN or (secrets_of(operation) and rule.permission != "public")
    assert not lets_in or rule.recent or operation in OTHERWISE


def test_after_a_new_sign_in_the_same_account_makes_a_token(arena: Arena, old: str) -> None:
    headers = arena.callers[old]
    account = arena.api.get("/api/v1/session", headers=headers).json()["account"]["id"]
    new = browser_headers(arena.settings, account)
    assert arena.api.post("/api/v1/tokens", json=TOKEN, headers=new).status_code == 201
    problem_of(arena.api.post("/api/v1/tokens", json=TOKEN, headers=headers), 403, "sign_in_again")


def test_an_old_session_still_takes_access_away(arena: Arena, old: str) -> None:
    leaves = add_account(arena.settings, "viewer")
    answer = arena.api.delete(f"/api/v1/members/{leaves}", headers=arena.callers[old])
    assert answer.status_code == 204


@pytest.mark.parametrize("path", ["tokens", "device-authorizations:approve"])
def test_nobody_makes_a_token_that_never_expires(
    anonymous: TestClient, settings: Settings, path: str
) -> None:
    admin = browser_headers(settings, add_account(settings, installation_admin=True))
    codes = begin(anonymous)
    body: dict[str, Any] = TOKEN if path == "tokens" else approval(codes)
    for days, code in ((None, "expiry_required"), (366, "less_than_equal")):
        refused = anonymous.post(f"/api/v1/{path}", json=body | {"expires_in_days": days}, headers=admin)
        assert problem_of(refused, 422, code)["errors"][0]["pointer"] == "/expires_in_days"
    body = {name: value for name, value in body.items() if name != "expires_in_days"}
    assert anonymous.post(f"/api/v1/{path}", json=body, headers=admin).status_code in (201, 204)
    if path != "tokens":
        given = {"device_code": codes["device_code"]}
        delivered = anonymous.post("/api/v1/device-authorizations:token", json=given).json()
        assert delivered["expires_in"] == 90 * 86_400
    with session_scope(settings) as session:
        query = "SELECT round(extract(epoch FROM expires_at - created_at) / 86400) FROM api_token"
        assert list(session.execute(text(query)).scalars()) == [90]
        teams = session.execute(text("SELECT team_id FROM api_token")).scalars()
        assert list(teams) == [DEFAULT_TEAM]
