"""Accounts of the installation: listed, disabled, demoted, deleted, and signed in by a link."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx2
import pytest
from fastapi.testclient import TestClient
from sqlalchemy import text

from backend.api.access import open_request
from backend.api.app import create_app
from backend.api.runs import stream
from backend.settings import Settings
from backend.store.models import DEFAULT_TEAM
from backend.store.session import session_scope
from tests.accounts import add_account, add_team, add_token, browser_headers, signed_in
from tests.api.client import BASE, Worker, problem_of, start_run

ACCOUNTS = "/api/v1/accounts"
SESSIONS = "/api/v1/sessions"


@pytest.fixture
def me(settings: Settings) -> str:
    """The account of an administrator of the installation."""
    return add_account(settings, None, name="Root", installation_admin=True)


@pytest.fixture
def root(anonymous: TestClient, settings: Settings, me: str) -> TestClient:
    """A client of this administrator."""
    anonymous.headers.update(browser_headers(settings, me))
    return anonymous


def lines(settings: Settings, action: str) -> list[tuple[str, str | None, int, str | None]]:
    """Actor, object, status and code of the audit entries of an operation."""
    query = text("SELECT actor, object, status, code FROM audit WHERE action = :action ORDER BY id")
    with session_scope(settings) as session:
        return [tuple(row) for row in session.execute(query, {"action": action})]


def execute(settings: Settings, statement: str, **values: Any) -> None:
    with session_scope(settings) as session:
        session.execute(text(statement), values)


def entry(root: TestClient, account: str) -> dict[str, Any]:
    (found,) = [each for each in root.get(ACCOUNTS).json()["data"] if each["id"] == account]
    return dict(found)


def test_the_list_shows_teams_and_ways_to_sign_in(root: TestClient, settings: Settings, me: str) -> None:
    other = add_team(settings)
    ada = add_account(settings, "runner", name="ada")
    execute(
        settings,
        "UPDATE account SET email = 'Ada@example.org', password_hash = '$argon2id$' WHERE id = :id",
        id=ada,
    )
    execute(settings, "INSERT INTO membership VALUES (:id, :team, 'admin')", id=ada, team=other)
    execute(settings, "INSERT INTO external_identity VALUES ('https://idp', 's', :id)", id=ada)
    execute(settings, "INSERT INTO second_factor (account_id, secret) VALUES (:id, 'x')", id=ada)
    found = entry(root, ada)
    roles = {team["id"]: team["role"] for team in found["teams"]}
    assert roles == {DEFAULT_TEAM: "runner", other: "admin"}
    assert (found["has_password"], found["has_provider"], found["has_second_factor"]) == (True, True, False)
    assert (found["last_sign_in_at"], found["disabled"], found["installation_admin"]) == (None, False, False)
    execute(settings, "UPDATE second_factor SET confirmed_at = now()")
    browser_headers(settings, ada)
    found = entry(root, ada)
    assert found["has_second_factor"] and found["last_sign_in_at"] is not None
    answer = root.get(ACCOUNTS)
    assert "argon2" not in answer.text and answer.headers["cache-control"] == "no-store"

    def ids(**query: Any) -> list[str]:
        return [each["id"] for each in root.get(ACCOUNTS, params=query).json()["data"]]

    assert ids(text="EXAMPLE.org") == ids(team_id=other) == [ada]
    assert ids(text="%") == ids(disabled=True) == []
    assert set(ids(disabled=False)) == {ada, me}


def test_an_administrator_of_the_installation_sets_the_address_of_an_account(
    root: TestClient, settings: Settings
) -> None:
    ada, eve = (add_account(settings, "runner", name=name) for name in ("Ada", "Eve"))
    place = f"{ACCOUNTS}/{ada}"
    assert root.patch(place, json={"email": "ada@example.org"}).json()["email"] == "ada@example.org"
    assert root.patch(place, json={"disabled": False}).json()["email"] == "ada@example.org", "left out"
    taken = problem_of(root.patch(f"{ACCOUNTS}/{eve}", json={"email": "ADA@example.org"}), 422, "email_taken")
    assert taken["errors"][0]["pointer"] == "/email"
    assert root.patch(place, json={"email": None}).json()["email"] is None
    root.patch(place, json={"email": "ada@example.org"})
    execute(settings, "UPDATE account SET password_hash = '$argon2id$' WHERE id = :id", id=ada)
    problem_of(root.patch(place, json={"email": None}), 422, "email_needed")
    assert lines(settings, "setAccountAccess")[0] == ("Root", ada, 200, None)
    problem_of(
        root.patch(f"{ACCOUNTS}/acc_0000000000000000", json={"email": "x@example.org"}), 404, "not_found"
    )


def test_an_administrator_of_a_team_sets_no_address(settings: Settings, anonymous: TestClient) -> None:
    """Whether an address is taken, free or malformed, the answer is the same."""
    headers = browser_headers(settings, add_account(settings, "admin", name="Lead"))
    ada = add_account(settings, "runner", name="Ada")
    execute(settings, "UPDATE account SET email = 'taken@example.org' WHERE id = :id", id=ada)
    for email in ("taken@example.org", "free@example.org"):
        answer = anonymous.patch(f"{ACCOUNTS}/{ada}", json={"email": email}, headers=headers)
        problem_of(answer, 403, "forbidden")


def test_pages_of_accounts(root: TestClient, settings: Settings) -> None:
    added = {add_account(settings, name=name) for name in ("b", "B", "a", "c", "C")}
    seen: list[str] = []
    query: dict[str, Any] = {"limit": 2}
    while True:
        answer = root.get(ACCOUNTS, params=query)
        seen += [each["id"] for each in answer.json()["data"]]
        if answer.json()["next_cursor"] is None:
            break
        assert 'rel="next"' in answer.headers["link"]
        query["cursor"] = answer.json()["next_cursor"]
    assert len(seen) == len(set(seen)) and added < set(seen)
    problem_of(root.get(ACCOUNTS, params={"cursor": "eA"}), 422, "bad_cursor")


def test_disabling_ends_every_access_at_once(
    root: TestClient, settings: Settings, anonymous: TestClient
) -> None:
    account = add_account(settings, "admin", name="Mallory")
    browser = browser_headers(settings, account)
    script = {"Authorization": f"Bearer {add_token(settings, account)}"}
    invitation = root.post("/api/v1/invitations", json={"role": "admin"}, headers=browser).json()["url"]
    link = root.post(f"{ACCOUNTS}/{account}/sign-in-links", json={}).json()["url"]
    with TestClient(root.app, base_url=str(root.base_url)) as client:
        assert client.get("/api/v1/runs", headers=script).status_code == 200
        changed = root.patch(f"{ACCOUNTS}/{account}", json={"disabled": True})
        assert (changed.status_code, changed.json()["disabled"]) == (200, True)
        for headers in (browser, script):
            problem_of(client.get("/api/v1/runs", headers=headers), 401, "unauthenticated")
        problem_of(client.post(SESSIONS, json={"link": link.partition("#")[2]}), 410, "gone")
        accept = {"link": invitation.partition("#")[2], "name": "Mallory again"}
        problem_of(client.post("/api/v1/invitations:accept", json=accept), 410, "gone")
        problem_of(root.post(f"{ACCOUNTS}/{account}/sign-in-links", json={}), 409, "account_disabled")
        assert root.patch(f"{ACCOUNTS}/{account}", json={"disabled": False}).json()["disabled"] is False
        problem_of(client.get("/api/v1/runs", headers=browser), 401, "unauthenticated")
        assert client.get("/api/v1/runs", headers=script).status_code == 200
    assert lines(settings, "setAccountAccess") == [("Root", account, 200, None)] * 2


def test_disabling_ends_an_open_stream_at_once(
    served: str, settings: Settings, worker: Worker, monkeypatch: pytest.MonkeyPatch, me: str
) -> None:
    monkeypatch.setattr(open_request, "RECHECK_S", 3600.0)
    monkeypatch.setattr(stream, "KEEPALIVE_S", 3600.0)  # nothing else would end it before the client gives up
    headers = browser_headers(settings, me)
    account = add_account(settings, "viewer")
    script = {"Authorization": f"Bearer {add_token(settings, account)}"}
    with httpx2.Client(base_url=served, trust_env=False, timeout=120) as client:
        with TestClient(create_app(settings), base_url=BASE, headers=signed_in(settings)) as owner:
            run = start_run(owner)
        with client.stream("GET", f"/api/v1/runs/{run['id']}/events", headers=script) as events:
            chunks = events.iter_bytes()
            assert b"event: run" in next(chunks)
            answer = client.patch(f"{ACCOUNTS}/{account}", json={"disabled": True}, headers=headers)
            assert answer.status_code == 200, answer.text
            list(chunks)
    assert ("Root", account, 200, None) in lines(settings, "setAccountAccess")


@pytest.mark.parametrize("change", [{"disabled": True}, {"installation_admin": False}])
def test_nobody_locks_themselves_out(
    root: TestClient, settings: Settings, me: str, change: dict[str, bool]
) -> None:
    add_account(settings, installation_admin=True)
    problem_of(root.patch(f"{ACCOUNTS}/{me}", json=change), 409, "own_account")
    problem_of(root.delete(f"{ACCOUNTS}/{me}"), 409, "own_account")
    assert root.get(ACCOUNTS).status_code == 200
    assert lines(settings, "setAccountAccess") == [("Root", me, 409, "own_account")]
    assert lines(settings, "deleteAccount") == [("Root", me, 409, "own_account")]


@pytest.mark.parametrize("change", [{"disabled": True}, {"installation_admin": False}])
def test_two_administrators_who_end_each_other_leave_one(
    root: TestClient, settings: Settings, me: str, change: dict[str, bool]
) -> None:
    for _ in range(4):
        other = add_account(settings, None, name="Second", installation_admin=True)
        mine, theirs = browser_headers(settings, me), browser_headers(settings, other)
        with ThreadPoolExecutor() as pool:
            first = pool.submit(root.patch, f"{ACCOUNTS}/{other}", json=change, headers=mine)
            second = pool.submit(root.patch, f"{ACCOUNTS}/{me}", json=change, headers=theirs)
        answers = first.result(), second.result()
        assert sorted(answer.status_code for answer in answers)[0] == 200
        (refused,) = [answer for answer in answers if answer.status_code != 200]
        assert refused.status_code in (401, 403), refused.text
        query = text("SELECT id FROM account WHERE installation_admin AND disabled_at IS NULL")
        with session_scope(settings) as session:
            (me,) = session.execute(query).scalars()


def test_a_demoted_administrator_does_not_come_back_by_a_link(
    root: TestClient, settings: Settings, me: str
) -> None:
    mallory = add_account(settings, None, name="Mallory", installation_admin=True)
    theirs = browser_headers(settings, mallory)
    link = root.post(f"{ACCOUNTS}/{me}/sign-in-links", json={}, headers=theirs).json()["url"]
    team = root.post("/api/v1/teams", json={"name": "Back"}, headers=theirs).json()
    demoted = root.patch(f"{ACCOUNTS}/{mallory}", json={"installation_admin": False})
    assert demoted.json()["installation_admin"] is False
    problem_of(root.get(ACCOUNTS, headers=theirs), 403, "forbidden")
    with TestClient(root.app, base_url=str(root.base_url)) as client:
        problem_of(client.post(SESSIONS, json={"link": link.partition("#")[2]}), 410, "gone")
        invitation = {"link": team["invitation"]["url"].partition("#")[2], "name": "Eve"}
        problem_of(client.post("/api/v1/invitations:accept", json=invitation), 410, "gone")
    promoted = root.patch(f"{ACCOUNTS}/{mallory}", json={"installation_admin": True})
    assert promoted.json()["installation_admin"] is True
    assert root.get(ACCOUNTS, headers=theirs).status_code == 200


def test_a_sign_in_link_works_once_and_replaces_the_one_before(
    root: TestClient, settings: Settings, expired: Callable[[], None]
) -> None:
    account = add_account(settings, "viewer", name="Grace")
    path = f"{ACCOUNTS}/{account}/sign-in-links"
    first, second = (root.post(path, json={"expires_in_minutes": 5}) for _ in range(2))
    assert second.status_code == 201 and second.headers["cache-control"] == "no-store"
    assert "/sign-in#" in second.json()["url"]
    secrets = [answer.json()["url"].partition("#")[2] for answer in (first, second)]
    with TestClient(root.app, base_url=str(root.base_url)) as client:
        problem_of(client.post(SESSIONS, json={"link": secrets[0]}), 410, "gone")
        assert client.post(SESSIONS, json={"link": secrets[1]}).status_code == 204
        assert client.get("/api/v1/session").json()["account"]["name"] == "Grace"
        problem_of(client.post(SESSIONS, json={"link": secrets[1]}), 410, "gone")
        late = root.post(path, json={}).json()["url"].partition("#")[2]
        expired()
        problem_of(client.post(SESSIONS, json={"link": late}), 410, "gone")
    assert lines(settings, "createSignInLink") == [("Root", account, 201, None)] * 3
    with session_scope(settings) as session:
        stored = str(session.execute(text("SELECT one_time_link, audit FROM one_time_link, audit")).all())
    assert not any(secret in stored for secret in (*secrets, late))


def test_a_sign_in_and_a_disabling_at_the_same_moment(root: TestClient, settings: Settings) -> None:
    for _ in range(6):
        account = add_account(settings)
        link = root.post(f"{ACCOUNTS}/{account}/sign-in-links", json={}).json()["url"].partition("#")[2]
        with TestClient(root.app, base_url=str(root.base_url)) as client, ThreadPoolExecutor() as pool:
            signed_in_ = pool.submit(client.post, SESSIONS, json={"link": link})
            disabled = pool.submit(root.patch, f"{ACCOUNTS}/{account}", json={"disabled": True})
            assert disabled.result().status_code == 200
            assert signed_in_.result().status_code in (204, 410)
            root.patch(f"{ACCOUNTS}/{account}", json={"disabled": False})
            problem_of(client.get("/api/v1/session"), 401, "unauthenticated")


@pytest.fixture
def expired(settings: Settings) -> Callable[[], None]:
    """Lets every link expire."""
    return lambda: execute(settings, "UPDATE one_time_link SET expires_at = now()")


@pytest.mark.parametrize("minutes", [0, 4, 1441, "60", 5.5, None])
def test_sign_in_links_are_short_lived(root: TestClient, settings: Settings, minutes: Any) -> None:
    account = add_account(settings)
    answer = root.post(f"{ACCOUNTS}/{account}/sign-in-links", json={"expires_in_minutes": minutes})
    assert answer.status_code == 422, answer.text


def test_only_a_disabled_account_is_deleted_and_the_audit_keeps_its_name(
    root: TestClient, settings: Settings, worker: Worker
) -> None:
    account = add_account(settings, "runner", name="Grace")
    browser = browser_headers(settings, account)
    with TestClient(root.app, base_url=str(root.base_url), headers=browser) as grace:
        run = start_run(grace)
    share = root.post(f"/api/v1/runs/{run['id']}/shares", json={"mode": "live"}, headers=browser)
    assert share.status_code == 201, share.text
    path = f"{ACCOUNTS}/{account}"
    problem_of(root.delete(path), 409, "account_enabled")
    root.patch(path, json={"disabled": True})
    assert root.delete(path).status_code == 204
    problem_of(root.delete(path), 404, "not_found")
    problem_of(root.patch(path, json={"disabled": True}), 404, "not_found")
    problem_of(root.post(f"{path}/sign-in-links", json={}), 404, "not_found")
    with TestClient(root.app, base_url=str(root.base_url)) as client:
        problem_of(client.get("/api/v1/runs", headers=browser), 401, "unauthenticated")
    admin = browser_headers(settings, add_account(settings))
    assert root.get(f"/api/v1/runs/{run['id']}", headers=admin).status_code == 200
    assert len(root.get("/api/v1/shares", headers=admin).json()["data"]) == 1
    assert ("Grace", run["experiment_id"], 202, None) in lines(settings, "startRun")
    assert lines(settings, "deleteAccount") == [
        ("Root", account, 409, "account_enabled"),
        ("Root", account, 204, None),
        ("Root", account, 404, "not_found"),
    ]


@pytest.mark.parametrize(
    "body", [{"disabled": "true"}, {"disabled": 1}, {"installation_admin": "no"}, {"name": "x"}, []]
)
def test_hostile_changes_are_refused(root: TestClient, settings: Settings, body: Any) -> None:
    account = add_account(settings)
    assert root.patch(f"{ACCOUNTS}/{account}", json=body).status_code == 422
    assert root.patch(f"{ACCOUNTS}/{account}", json={}).status_code == 200
    for unknown in ("acc_0000000000000000", "acc_x", "a%00b"):
        problem_of(root.patch(f"{ACCOUNTS}/{unknown}", json={"disabled": True}), 404, "not_found")
