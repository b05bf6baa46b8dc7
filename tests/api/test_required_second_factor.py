"""A team that requires a second factor: who has access before and after enrolment."""

from __future__ import annotations

from typing import Any, Final

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import text

from backend.api.access.actor import NEEDED_ROLE
from backend.api.access.rules import RULES
from backend.settings import Settings
from backend.store.models import DEFAULT_TEAM
from backend.store.session import session_scope
from tests.accounts import add_account, add_team, add_token, browser_headers
from tests.api.client import Worker, problem_of
from tests.api.test_authorisation import OPERATIONS, Operation, objects_of
from tests.api.test_second_factor_endpoints import PATH, Headers, age, enrol, execute

TEAM: Final = "/api/v1/team"
CODE: Final = "team_requires_second_factor"


def require(settings: Settings) -> None:
    execute(settings, "UPDATE team SET requires_second_factor = true")


@pytest.fixture
def headers(settings: Settings) -> Headers:
    return browser_headers(settings, add_account(settings))


def test_an_administrator_requires_it(anonymous: TestClient, headers: Headers) -> None:
    assert anonymous.get(TEAM, headers=headers).json()["requires_second_factor"] is False
    change = {"requires_second_factor": True}
    problem_of(anonymous.patch(TEAM, headers=headers, json=change), 409, "conflict")
    enrol(anonymous, headers)
    assert anonymous.patch(TEAM, headers=headers, json=change).json()["requires_second_factor"] is True
    assert anonymous.get("/api/v1/runs", headers=headers).status_code == 200
    assert anonymous.get(PATH, headers=headers).json()["required_by"] == ["Team"]
    off = anonymous.patch(TEAM, headers=headers, json={"requires_second_factor": False})
    assert off.json()["requires_second_factor"] is False


def test_who_may_not_require_it(anonymous: TestClient, settings: Settings, headers: Headers) -> None:
    runner = browser_headers(settings, add_account(settings, "runner"))
    change = {"requires_second_factor": False}
    problem_of(anonymous.patch(TEAM, headers=runner, json=change), 403, "forbidden")
    token = {"Authorization": f"Bearer {add_token(settings, add_account(settings))}"}
    problem_of(anonymous.patch(TEAM, headers=token, json=change), 403, "insufficient_scope")
    problem_of(anonymous.patch(TEAM, headers=token, json={}), 403, "insufficient_scope")
    age(settings)
    problem_of(anonymous.patch(TEAM, headers=headers, json=change), 403, "sign_in_again")


def test_a_member_sets_it_up_in_the_session_that_lacks_it(
    anonymous: TestClient, settings: Settings, headers: Headers
) -> None:
    require(settings)
    refused = anonymous.get("/api/v1/runs", headers=headers)
    assert "/account" in problem_of(refused, 403, CODE)["detail"]
    session = anonymous.get("/api/v1/session", headers=headers).json()
    assert session["team"]["needs_second_factor"] and session["permissions"] == []
    enrol(anonymous, headers)
    assert anonymous.get("/api/v1/runs", headers=headers).status_code == 200
    session = anonymous.get("/api/v1/session", headers=headers).json()
    assert not session["team"]["needs_second_factor"] and "admin" in session["permissions"]


def test_another_browser_of_the_account_has_to_prove_it(anonymous: TestClient, settings: Settings) -> None:
    account = add_account(settings)
    first, other = browser_headers(settings, account), browser_headers(settings, account)
    _, codes = enrol(anonymous, first)
    require(settings)
    problem_of(anonymous.get("/api/v1/runs", headers=other), 403, CODE)
    assert anonymous.post(f"{PATH}:verify", headers=other, json={"code": codes[0]}).status_code == 204
    assert anonymous.get("/api/v1/runs", headers=other).status_code == 200
    assert anonymous.post(f"{PATH}:remove", headers=first, json={"code": codes[1]}).status_code == 204
    for headers in (first, other):
        problem_of(anonymous.get("/api/v1/runs", headers=headers), 403, CODE)


@pytest.mark.parametrize(
    ("method", "status"), [("identity_provider", 200), ("password", 403), ("link", 403), ("invitation", 403)]
)
def test_a_sign_in_by_the_provider_counts(
    anonymous: TestClient, settings: Settings, headers: Headers, method: str, status: int
) -> None:
    require(settings)
    execute(settings, f"UPDATE browser_session SET method = '{method}'")
    assert anonymous.get("/api/v1/runs", headers=headers).status_code == status


def test_tokens_of_a_member_without_it(anonymous: TestClient, settings: Settings) -> None:
    account = add_account(settings)
    headers = browser_headers(settings, account)
    token = {"Authorization": f"Bearer {add_token(settings, account)}"}
    require(settings)
    problem_of(anonymous.get("/api/v1/runs", headers=token), 403, CODE)
    start = {"name": "one", "scopes": ["run:read"], "expires_in_days": 1}
    problem_of(anonymous.post("/api/v1/tokens", headers=headers, json=start), 403, CODE)
    enrol(anonymous, headers)
    assert anonymous.get("/api/v1/runs", headers=token).status_code == 200
    assert anonymous.post("/api/v1/tokens", headers=headers, json=start).status_code == 201
    execute(settings, "DELETE FROM second_factor")
    problem_of(anonymous.get("/api/v1/runs", headers=token), 403, CODE)
    with session_scope(settings) as session:
        session.execute(
            text("INSERT INTO external_identity (issuer, subject, account_id) VALUES ('https://x', '1', :a)"),
            {"a": account},
        )
    assert anonymous.get("/api/v1/runs", headers=token).status_code == 200


def test_other_teams_of_the_member_are_open(anonymous: TestClient, settings: Settings) -> None:
    account, other = add_account(settings), add_team(settings)
    with session_scope(settings) as session:
        session.execute(
            text("INSERT INTO membership (account_id, team_id, role) VALUES (:a, :t, 'admin')"),
            {"a": account, "t": other},
        )
    headers = browser_headers(settings, account)
    execute(settings, f"UPDATE team SET requires_second_factor = true WHERE id = '{DEFAULT_TEAM}'")
    for team, status in ((DEFAULT_TEAM, 403), (other, 200)):
        given = {**headers, "Plimsoll-Team": team}
        assert anonymous.get("/api/v1/runs", headers=given).status_code == status
    session_of = anonymous.get("/api/v1/session", headers=headers).json()
    assert {one["id"]: one["needs_second_factor"] for one in session_of["teams"]} == {
        DEFAULT_TEAM: True,
        other: False,
    }
    chosen = anonymous.patch("/api/v1/session", headers=headers, json={"team_id": DEFAULT_TEAM})
    assert chosen.status_code == 200 and chosen.json()["permissions"] == []


def test_administrators_see_who_has_none(anonymous: TestClient, settings: Settings, headers: Headers) -> None:
    viewer = browser_headers(settings, add_account(settings, "viewer", name="Grace"))
    enrol(anonymous, headers)
    found = anonymous.get("/api/v1/members", headers=headers).json()["data"]
    assert [(one["name"], one["second_factor"]) for one in found] == [("Ada", True), ("Grace", False)]
    seen = anonymous.get("/api/v1/members", headers=viewer).json()["data"]
    assert [one["second_factor"] for one in seen] == [None, None]


def test_every_operation_of_the_team(anonymous: TestClient, settings: Settings, worker: Worker) -> None:
    """Each operation, as a member without it: refused for the team, and nothing of the team in the rest."""
    account = add_account(settings)
    headers = browser_headers(settings, account)
    own = objects_of(anonymous, worker, headers)
    missing = {name: value[:4] + "0" * 16 for name, value in own.items()} | {"cell_id": own["cell_id"]}
    token = {"Authorization": f"Bearer {add_token(settings, account)}"}
    require(settings)
    secrets = {own[name] for name in ("run_id", "experiment_id", "share_id", "webhook_id", "token_id")}
    for operation in sorted(OPERATIONS, key=is_of_team, reverse=True):  # others may end the session
        for caller in (headers, token):
            answer = ask(anonymous, operation, own, caller)
            if is_of_team(operation):
                admitted = caller is headers or RULES[operation.id].admits_tokens
                problem_of(answer, 403, CODE if admitted else "insufficient_scope")
            else:
                assert answer.status_code < 500, (operation.id, answer.text)
                assert not any(one in answer.text for one in secrets), operation.id
            if is_of_team(operation) and operation.objects:
                problem_of(ask(anonymous, operation, missing, caller), 404, "not_found")


def is_of_team(operation: Operation) -> bool:
    return RULES[operation.id].permission in NEEDED_ROLE


def ask(client: TestClient, operation: Operation, objects: dict[str, str], headers: Headers) -> Any:
    body: dict[str, Any] = {"json": {}} if operation.method not in ("GET", "DELETE") else {}
    return client.request(operation.method, operation.url(objects), headers=headers, **body)
