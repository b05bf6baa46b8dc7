"""Teams of the installation: created with their first administrator, renamed, deleted when empty."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import text

from backend.settings import Settings
from backend.store.models import DEFAULT_TEAM
from backend.store.session import session_scope
from tests.accounts import OTHER_TEAM, add_account, add_team, add_token, browser_headers
from tests.api.client import DOCUMENT, Worker, problem_of, start_run

TEAMS = "/api/v1/teams"
ACCEPT = "/api/v1/invitations:accept"


@pytest.fixture
def root(anonymous: TestClient, settings: Settings) -> TestClient:
    """A client of an administrator of the installation, who is in no team."""
    account = add_account(settings, None, name="Root", installation_admin=True)
    anonymous.headers.update(browser_headers(settings, account))
    return anonymous


def create(root: TestClient, name: str = "Lab", **body: Any) -> dict[str, Any]:
    answer = root.post(TEAMS, json={"name": name} | body)
    assert answer.status_code == 201, answer.text
    assert answer.headers["cache-control"] == "no-store"
    found: dict[str, Any] = answer.json()
    return found


def join(root: TestClient, team: dict[str, Any], name: str = "Grace") -> dict[str, str]:
    """The headers of the team's first administrator, who accepted the invitation in another browser."""
    link = team["invitation"]["url"].partition("#")[2]
    with TestClient(root.app, base_url=str(root.base_url)) as browser:
        assert browser.post(ACCEPT, json={"link": link, "name": name}).status_code == 204
        token = browser.get("/api/v1/session").json()["csrf_token"]
        cookies = "; ".join(f"{key}={value}" for key, value in browser.cookies.items())
    return {"Cookie": cookies, "X-CSRF-Token": token}


def lines(settings: Settings, action: str) -> list[tuple[str | None, str | None, int, str | None]]:
    """Team, object, status and code of the audit entries of an operation."""
    query = text("SELECT team_id, object, status, code FROM audit WHERE action = :action ORDER BY id")
    with session_scope(settings) as session:
        return [tuple(row) for row in session.execute(query, {"action": action})]


def test_a_new_team_starts_with_an_invitation(root: TestClient, settings: Settings) -> None:
    team = create(root, email="grace@example.org")
    assert lines(settings, "createTeam") == [(team["id"], team["id"], 201, None)]
    assert root.get("/api/v1/session").json()["teams"] == []
    (listed,) = root.get(TEAMS, params={"text": "LAB"}).json()["data"]
    assert (listed["members"], listed["administrators"], listed["runs"]) == (0, 0, 0)
    headers = join(root, team)
    session = root.get("/api/v1/session", headers=headers).json()
    assert (session["team"]["name"], session["team"]["role"]) == ("Lab", "admin")
    assert session["account"]["email"] == "grace@example.org"
    assert not session["account"]["installation_admin"]
    (listed,) = root.get(TEAMS, params={"text": "lab"}).json()["data"]
    assert (listed["members"], listed["administrators"]) == (1, 1)
    again = root.post(ACCEPT, json={"link": team["invitation"]["url"].partition("#")[2], "name": "Eve"})
    problem_of(again, 410, "gone")


def test_teams_see_nothing_of_each_other(
    root: TestClient, settings: Settings, worker: Worker, api: TestClient
) -> None:
    run = start_run(api)
    first, second = create(root, "First"), create(root, "Second")
    ours, theirs = join(root, first, "Grace"), join(root, second, "Eve")
    experiment = root.post("/api/v1/experiments", json=DOCUMENT, headers=ours).json()["id"]
    assert root.get("/api/v1/runs", headers=ours).json()["data"] == []
    for path in ("runs", "experiments", "members", "invitations", "tokens", "audit", "shares", "webhooks"):
        text_ = root.get(f"/api/v1/{path}", headers=theirs).text
        assert not any(foreign in text_ for foreign in (first["id"], "Grace", "First", experiment, run["id"]))
    problem_of(root.get(f"/api/v1/runs/{run['id']}", headers=ours), 404, "not_found")
    problem_of(root.get(f"/api/v1/experiments/{experiment}", headers=theirs), 404, "not_found")
    switch = root.patch("/api/v1/session", json={"team_id": first["id"]}, headers=theirs)
    problem_of(switch, 404, "not_found")
    problem_of(root.get("/api/v1/runs", headers=theirs | {"Plimsoll-Team": first["id"]}), 403, "forbidden")
    problem_of(root.get(TEAMS, headers=theirs), 403, "forbidden")
    assert lines(settings, "listTeams") == [(second["id"], None, 403, "forbidden")]


def test_the_administrator_of_the_installation_sees_no_runs_without_joining(
    root: TestClient, settings: Settings, worker: Worker, api: TestClient
) -> None:
    run = start_run(api)
    problem_of(root.get(f"/api/v1/runs/{run['id']}"), 404, "not_found")
    problem_of(root.get("/api/v1/runs"), 403, "forbidden")
    me = root.get("/api/v1/session").json()["account"]["id"]
    members = f"{TEAMS}/{DEFAULT_TEAM}/members/{me}"
    assert root.put(members, json={"role": "viewer"}).status_code == 204
    assert root.get(f"/api/v1/runs/{run['id']}").status_code == 200
    seen = api.get("/api/v1/audit").json()["data"]
    (line,) = [each for each in seen if each["action"] == "setTeamMember"]
    assert (line["actor"], line["object"]) == ("Root", me)


def test_names_are_unique(root: TestClient, settings: Settings) -> None:
    team, other = create(root, "Lab"), create(root, "Other")
    problem_of(root.post(TEAMS, json={"name": "Lab"}), 409, "name_taken")
    problem_of(root.patch(f"{TEAMS}/{other['id']}", json={"name": "Lab"}), 409, "name_taken")
    renamed = root.patch(f"{TEAMS}/{team['id']}", json={"name": "Laboratory"})
    assert (renamed.status_code, renamed.json()["name"]) == (200, "Laboratory")
    assert lines(settings, "updateTeam") == [
        (other["id"], other["id"], 409, "name_taken"),
        (team["id"], team["id"], 200, None),
    ]
    with ThreadPoolExecutor() as pool:
        answers = list(pool.map(lambda _: root.post(TEAMS, json={"name": "Race"}).status_code, range(6)))
    assert sorted(answers) == [201] + [409] * 5


@pytest.mark.parametrize(
    "body", [{}, {"name": ""}, {"name": "a\nb"}, {"name": "x" * 101}, {"name": "a", "email": "no"}]
)
def test_hostile_teams_are_refused(root: TestClient, body: dict[str, Any]) -> None:
    assert root.post(TEAMS, json=body).status_code == 422


def test_only_an_empty_team_is_deleted(root: TestClient, settings: Settings, worker: Worker) -> None:
    team = create(root)
    headers = join(root, team)
    token = root.post(
        "/api/v1/tokens", json={"name": "ci", "scopes": ["run:read"], "expires_in_days": 1}, headers=headers
    ).json()["token"]
    experiment = root.post("/api/v1/experiments", json=DOCUMENT, headers=headers).json()["id"]
    path = f"{TEAMS}/{team['id']}"
    refused = problem_of(root.delete(path), 409, "team_in_use")
    assert "still has experiments (1) and runs (0)" in refused["detail"]
    assert root.delete(f"/api/v1/experiments/{experiment}", headers=headers).status_code == 204
    assert root.delete(path).status_code == 204
    problem_of(root.delete(path), 404, "not_found")
    bearer = {"Authorization": f"Bearer {token}"}
    with TestClient(root.app, base_url=str(root.base_url)) as script:
        problem_of(script.get("/api/v1/runs", headers=bearer), 401, "unauthenticated")
    assert root.get("/api/v1/session", headers=headers).json()["teams"] == []
    assert lines(settings, "deleteTeam") == [
        (team["id"], team["id"], 409, "team_in_use"),
        (team["id"], team["id"], 204, None),
        (team["id"], team["id"], 404, "not_found"),
    ]
    problem_of(root.delete(f"{TEAMS}/{DEFAULT_TEAM}"), 409, "team_in_use")


def test_a_team_is_deleted_or_gets_an_experiment(root: TestClient, settings: Settings) -> None:
    for turn in range(4):
        team = add_team(settings, f"tem_{turn + 2:016d}", f"Race {turn}")
        headers = browser_headers(settings, add_account(settings, "admin", team))
        with ThreadPoolExecutor() as pool:
            deleted = pool.submit(root.delete, f"{TEAMS}/{team}")
            stored = pool.submit(root.post, "/api/v1/experiments", json=DOCUMENT, headers=headers)
        statuses = deleted.result().status_code, stored.result().status_code
        assert statuses in {(409, 201), (204, 403), (204, 503)}, (deleted.result().text, stored.result().text)


def test_members_of_any_team(root: TestClient, settings: Settings) -> None:
    add_team(settings)
    account = add_account(settings, None)
    path = f"{TEAMS}/{OTHER_TEAM}/members/{account}"
    assert root.put(path, json={"role": "admin"}).status_code == 204
    problem_of(root.put(path, json={"role": "viewer"}), 409, "conflict")
    problem_of(root.delete(path), 409, "conflict")
    headers = {"Authorization": f"Bearer {add_token(settings, account, OTHER_TEAM)}"}
    second = add_account(settings, None)
    assert root.put(f"{TEAMS}/{OTHER_TEAM}/members/{second}", json={"role": "admin"}).status_code == 204
    assert root.put(path, json={"role": "viewer"}).status_code == 204
    assert root.delete(path).status_code == 204
    problem_of(root.delete(path), 404, "not_found")
    with TestClient(root.app, base_url=str(root.base_url)) as script:
        problem_of(script.get("/api/v1/runs", headers=headers), 403, "forbidden")
    assert [line[2:] for line in lines(settings, "removeTeamMember")] == [
        (409, "conflict"),
        (204, None),
        (404, "not_found"),
    ]
    unknown = {"acc_0000000000000000", "acc_x", "nobody"}
    for each in unknown:
        problem_of(root.put(f"{TEAMS}/{OTHER_TEAM}/members/{each}", json={"role": "admin"}), 404, "not_found")
    problem_of(root.put(f"{TEAMS}/tem_0/members/{account}", json={"role": "admin"}), 404, "not_found")


def test_a_lost_first_invitation_is_replaced(root: TestClient, settings: Settings) -> None:
    team = create(root)
    answer = root.post(f"{TEAMS}/{team['id']}/invitations", json={"role": "admin", "expires_in_days": 1})
    assert answer.status_code == 201, answer.text
    join(root, {"invitation": answer.json()})
    (listed,) = root.get(TEAMS, params={"text": "Lab"}).json()["data"]
    assert listed["administrators"] == 1
    missing = root.post(f"{TEAMS}/tem_0000000000000009/invitations", json={"role": "admin"})
    problem_of(missing, 404, "not_found")
    assert lines(settings, "createTeamInvitation")[0] == (team["id"], team["id"], 201, None)


def test_pages_of_teams(root: TestClient) -> None:
    names = ["alpha", "Beta", "gamma", "100%_a"]
    for name in names:
        create(root, name)
    seen, cursor = [], None
    while True:
        page = root.get(TEAMS, params={"limit": 2} | ({"cursor": cursor} if cursor else {})).json()
        seen += [team["name"] for team in page["data"]]
        cursor = page["next_cursor"]
        if cursor is None:
            break
    assert [name for name in seen if name in names] == ["100%_a", "alpha", "Beta", "gamma"]
    assert [team["name"] for team in root.get(TEAMS, params={"text": "%_"}).json()["data"]] == ["100%_a"]
    problem_of(root.get(TEAMS, params={"cursor": "eA"}), 422, "bad_cursor")
