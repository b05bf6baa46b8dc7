"""What a stolen token leaves behind: nothing that lets anybody in after it was revoked."""

from __future__ import annotations

from typing import Any, Final

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import text

from backend.api.access.actor import SCOPES
from backend.api.access.rules import RULES
from backend.settings import Settings
from backend.store.models import DEFAULT_TEAM
from backend.store.session import session_scope
from tests.accounts import add_account, add_token, browser_headers
from tests.api.client import problem_of
from tests.api.test_authorisation import DOCUMENT, OPERATIONS

SECRETS: Final = frozenset(
    {"token", "secret", "url", "recovery_codes", "device_code", "user_code", "csrf_token", "command"}
)
"""Names of fields that may be a credential, or a link with one."""
OF_TOKENS: Final = {
    "createShare": "a link to one result, with the scope share:write",
    "createWebhook": "what the receiver checks messages by; it opens nothing here",
    "updateWebhook": "the receiver's address",
    "getSession": "the CSRF token of a session, none of a token",
}
LETS_IN: Final = (
    "createInvitation", "updateMember", "removeMember", "changeTeam", "createTeamInvitation", "setTeamMember",
    "removeTeamMember", "createToken", "createSignInLink", "setAccountAccess", "setPassword", "updateAccount",
    "linkIdentity", "unlinkIdentity", "beginSecondFactor", "confirmSecondFactor", "removeSecondFactor",
    "resetSecondFactor", "renewRecoveryCodes", "approveDeviceAuthorization", "createEnrolment", "createTeam",
    "updateTeam",
)  # fmt: skip
"""Operations that make or change a way to get in."""


def secrets_of(operation: str) -> set[str]:
    """The names of fields of an operation's answer that may be secrets."""
    described = next(
        one for path in DOCUMENT["paths"].values() for one in path.values() if one["operationId"] == operation
    )
    found: set[str] = set()
    for status, response in described["responses"].items():
        for content in response.get("content", {}).values() if status.startswith("2") else ():
            name = content.get("schema", {}).get("$ref", "").rpartition("/")[2]
            found |= DOCUMENT["components"]["schemas"].get(name, {}).get("properties", {}).keys()
    return found & SECRETS


def test_an_invitation_by_a_stolen_token_is_refused(anonymous: TestClient, settings: Settings) -> None:
    account = add_account(settings)
    viewer = add_account(settings, "viewer", name="Eve")
    stolen = {"Authorization": f"Bearer {add_token(settings, account, scopes=SCOPES)}"}
    requests: list[tuple[str, str, Any]] = [
        ("POST", "/api/v1/invitations", {"role": "admin"}),
        ("PATCH", f"/api/v1/members/{viewer}", {"role": "admin"}),
        ("DELETE", f"/api/v1/members/{viewer}", None),
        ("PATCH", "/api/v1/team", {"requires_second_factor": False}),
    ]
    for method, path, body in requests:
        answer = anonymous.request(method, path, json=body, headers=stolen)
        assert "sign in with a browser" in problem_of(answer, 403, "insufficient_scope")["detail"]
    with session_scope(settings) as session:
        links = session.scalar(text("SELECT count(*) FROM one_time_link"))
        roles = session.execute(
            text("SELECT role FROM membership WHERE team_id = :team ORDER BY role"), {"team": DEFAULT_TEAM}
        ).scalars()
        refused = session.execute(text("SELECT action FROM audit WHERE status = 403")).scalars()
        assert (links, list(roles)) == (0, ["admin", "viewer"])
        assert list(refused) == ["createInvitation", "updateMember", "removeMember", "changeTeam"]
    browser = browser_headers(settings, account)
    assert anonymous.post("/api/v1/invitations", json={"role": "viewer"}, headers=browser).status_code == 201
    assert anonymous.get("/api/v1/invitations", headers=stolen).status_code == 200, "without their links"


@pytest.mark.parametrize("operation", LETS_IN)
def test_what_lets_somebody_in_needs_a_session(operation: str) -> None:
    assert not RULES[operation].admits_tokens and RULES[operation].permission != "public"


@pytest.mark.parametrize("operation", [one.id for one in OPERATIONS])
def test_an_answer_with_a_secret_is_for_sessions(operation: str) -> None:
    rule = RULES[operation]
    if operation in OF_TOKENS or not secrets_of(operation):
        return
    # A public operation exchanges one secret for another; its own is checked there.
    assert not rule.admits_tokens or rule.permission == "public", operation
