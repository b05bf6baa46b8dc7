"""Invitations and members: who joins a team, changes roles, and leaves."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import text

from backend.settings import Settings
from backend.store.models import DEFAULT_TEAM
from backend.store.repositories import accounts
from backend.store.repositories.passwords import FREE_FAILURES
from backend.store.session import session_scope
from tests.accounts import add_account, add_team, browser_headers
from tests.api.client import problem_of

INVITATIONS = "/api/v1/invitations"
ACCEPT = "/api/v1/invitations:accept"
MEMBERS = "/api/v1/members"


def invite(api: TestClient, **body: Any) -> str:
    """The secret of a new invitation."""
    answer = api.post(INVITATIONS, json={"role": "runner"} | body)
    assert answer.status_code == 201, answer.text
    url: str = answer.json()["url"]
    assert "/invitation#" in url
    return url.partition("#")[2]


def test_an_invitation_makes_a_signed_in_member_once(api: TestClient, anonymous: TestClient) -> None:
    link = invite(api)
    answer = anonymous.post(ACCEPT, json={"link": link, "name": "Grace", "email": "grace@example.org"})
    assert answer.status_code == 204, answer.text
    session = anonymous.get("/api/v1/session").json()
    assert (session["account"]["name"], session["team"]["role"]) == ("Grace", "runner")
    again = anonymous.post(ACCEPT, json={"link": link, "name": "Mallory"})
    problem_of(again, 410, "gone")
    assert [member["name"] for member in api.get(MEMBERS).json()["data"]] == ["Ada", "Grace"]
    (line, *_) = api.get("/api/v1/audit").json()["data"]
    assert (line["action"], line["actor"]) == ("acceptInvitation", "Grace")


@pytest.mark.parametrize("end", ["revoke", "UPDATE one_time_link SET expires_at = now()", "unknown"])
def test_an_invitation_that_ended_looks_like_an_unknown_one(
    api: TestClient, anonymous: TestClient, settings: Settings, end: str
) -> None:
    link = invite(api)
    if end == "revoke":
        (entry,) = api.get(INVITATIONS).json()["data"]
        assert api.delete(f"{INVITATIONS}/{entry['id']}").status_code == 204
        problem_of(api.delete(f"{INVITATIONS}/{entry['id']}"), 404, "not_found")
    elif end == "unknown":
        link = "x" * 43
    else:
        with session_scope(settings) as session:
            session.execute(text(end))
    found = problem_of(anonymous.post(ACCEPT, json={"link": link, "name": "Grace"}), 410, "gone")
    assert found["detail"] == "this invitation was used before, was revoked, has expired, or never existed"


def test_an_open_invitation_says_of_few_addresses_whether_they_have_an_account(
    api: TestClient, anonymous: TestClient, settings: Settings
) -> None:
    with session_scope(settings) as session:
        for number in range(8):
            accounts.add(session, "Stranger", f"p{number}@example.org")
    link = invite(api)
    answers = [
        anonymous.post(ACCEPT, json={"link": link, "name": "Eve", "email": f"p{number}@example.org"})
        for number in range(8)
    ]
    assert [answer.status_code for answer in answers] == [409] * 5 + [429] * 3
    assert problem_of(answers[-1], 429, "sign_in_paused") and int(answers[-1].headers["retry-after"]) > 1
    assert anonymous.post(ACCEPT, json={"link": link, "name": "Eve"}).status_code == 204


def test_who_is_signed_in_joins_another_team(
    api: TestClient, anonymous: TestClient, settings: Settings
) -> None:
    link = invite(api, role="viewer")
    problem_of(anonymous.post(ACCEPT, json={"link": link}), 401, "unauthenticated")
    account = add_account(settings, "admin", add_team(settings), name="Grace")
    headers = browser_headers(settings, account)
    problem_of(
        anonymous.post(ACCEPT, json={"link": link}, headers={"Cookie": headers["Cookie"]}), 403, "csrf"
    )
    assert anonymous.post(ACCEPT, json={"link": link}, headers=headers).status_code == 204
    session = anonymous.get("/api/v1/session", headers=headers).json()
    assert (session["team"]["id"], session["team"]["role"]) == (DEFAULT_TEAM, "viewer")
    problem_of(anonymous.post(ACCEPT, json={"link": invite(api)}, headers=headers), 409, "conflict")


@pytest.mark.parametrize("email", ["mi\u212ae@example.org", "m\u0130ke@example.org"])
def test_an_address_that_is_read_as_another_one_is_refused(
    api: TestClient, anonymous: TestClient, email: str
) -> None:
    body = {"link": invite(api), "name": "Mallory", "email": email}
    problem_of(anonymous.post(ACCEPT, json=body), 422, "invalid")


def test_an_invitation_with_taken_addresses_is_paused_for_free_ones_too(
    api: TestClient, anonymous: TestClient, settings: Settings
) -> None:
    with session_scope(settings) as session:
        accounts.add(session, "Grace", "grace@example.org")
    link = invite(api)
    for _ in range(FREE_FAILURES):
        taken = {"link": link, "name": "Mallory", "email": "grace@example.org"}
        problem_of(anonymous.post(ACCEPT, json=taken), 409, "conflict")
    for email in ("grace@example.org", "free@example.org"):
        problem_of(anonymous.post(ACCEPT, json=taken | {"email": email}), 429, "sign_in_paused")


def test_an_address_belongs_to_one_account(api: TestClient, anonymous: TestClient) -> None:
    bound = invite(api, email="grace@example.org")
    other = {"link": bound, "name": "Mallory", "email": "m@example.org"}
    problem_of(anonymous.post(ACCEPT, json=other), 422, "other_email")
    assert anonymous.post(ACCEPT, json={"link": bound, "name": "Grace"}).status_code == 204
    assert anonymous.get("/api/v1/session").json()["account"]["email"] == "grace@example.org"
    link = invite(api)
    taken = {"link": link, "name": "Grace", "email": "GRACE@example.org"}
    problem_of(anonymous.post(ACCEPT, json=taken), 409, "conflict")
    assert anonymous.post(ACCEPT, json={"link": link, "name": "Grace"}).status_code == 204


@pytest.mark.parametrize(
    "body",
    [
        {"role": "root"},
        {"role": "viewer", "email": "no address"},
        {"role": "viewer", "email": "a@b\nBcc: c@d"},
        {"role": "viewer", "email": "\u202emoc.elpmaxe@ecarg"},
        {"role": "viewer", "expires_in_days": 31},
        {"role": "viewer", "team_id": DEFAULT_TEAM},
    ],
)
def test_hostile_invitations_are_refused(api: TestClient, body: dict[str, Any]) -> None:
    assert api.post(INVITATIONS, json=body).status_code == 422
    assert api.get(INVITATIONS).json()["data"] == []


def test_only_administrators_of_the_team(api: TestClient, settings: Settings) -> None:
    invite(api)
    (entry,) = api.get(INVITATIONS).json()["data"]
    ada = api.get(MEMBERS).json()["data"][0]["account_id"]
    api.headers.clear()
    runner = browser_headers(settings, add_account(settings, "runner"))
    stranger = browser_headers(settings, add_account(settings, "admin", add_team(settings), name="Eve"))
    problem_of(api.post(INVITATIONS, json={"role": "admin"}, headers=runner), 403, "forbidden")
    problem_of(api.get(INVITATIONS, headers=runner), 403, "forbidden")
    problem_of(api.patch(f"{MEMBERS}/{ada}", json={"role": "viewer"}, headers=runner), 403, "forbidden")
    assert all(member["email"] is None for member in api.get(MEMBERS, headers=runner).json()["data"])
    assert api.get(INVITATIONS, headers=stranger).json()["data"] == []
    problem_of(api.delete(f"{INVITATIONS}/{entry['id']}", headers=stranger), 404, "not_found")
    for method, body in (("PATCH", {"role": "viewer"}), ("DELETE", None)):
        problem_of(api.request(method, f"{MEMBERS}/{ada}", json=body, headers=stranger), 404, "not_found")
        problem_of(api.request(method, f"{MEMBERS}/acc_x", json=body, headers=stranger), 404, "not_found")


def test_a_removed_administrator_has_no_way_back(
    api: TestClient, anonymous: TestClient, settings: Settings
) -> None:
    account = add_account(settings, name="Mallory")
    headers = browser_headers(settings, account)
    link = (
        anonymous.post(INVITATIONS, json={"role": "admin"}, headers=headers).json()["url"].partition("#")[2]
    )
    assert api.delete(f"{MEMBERS}/{account}").status_code == 204
    problem_of(anonymous.get("/api/v1/runs", headers=headers), 403, "forbidden")
    problem_of(anonymous.post(ACCEPT, json={"link": link}, headers=headers), 410, "gone")


def test_a_team_keeps_an_administrator(api: TestClient, settings: Settings) -> None:
    ada = api.get(MEMBERS).json()["data"][0]["account_id"]
    problem_of(api.patch(f"{MEMBERS}/{ada}", json={"role": "viewer"}), 409, "conflict")
    problem_of(api.delete(f"{MEMBERS}/{ada}"), 409, "conflict")
    other = add_account(settings, "viewer", name="Grace")
    assert api.patch(f"{MEMBERS}/{other}", json={"role": "admin"}).status_code == 204
    headers = browser_headers(settings, other)

    def lower(account: str, headers: dict[str, str]) -> int:
        return api.patch(f"{MEMBERS}/{account}", json={"role": "viewer"}, headers=headers).status_code

    with ThreadPoolExecutor(2) as pool:
        statuses = sorted(pool.map(lower, (other, ada), ({}, headers)))
    assert statuses[0] == 204 and statuses[1] in (403, 409)


def test_two_invitations_into_one_team_accepted_at_once_make_one_member(
    api: TestClient, anonymous: TestClient, settings: Settings
) -> None:
    headers = browser_headers(settings, add_account(settings, "admin", add_team(settings), name="Grace"))
    links = [invite(api, role="viewer"), invite(api, role="viewer")]

    def accept(link: str) -> int:
        return anonymous.post(ACCEPT, json={"link": link}, headers=headers).status_code

    with ThreadPoolExecutor(2) as pool:
        assert sorted(pool.map(accept, links)) == [204, 409]
    assert [member["name"] for member in api.get(MEMBERS).json()["data"]].count("Grace") == 1
    assert len(api.get(INVITATIONS).json()["data"]) == 1, "the invitation that was refused is still open"


def test_of_two_accounts_that_take_one_address_at_once_one_exists(
    api: TestClient, anonymous: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = {"name": "Grace", "email": "grace@example.org"}
    assert anonymous.post(ACCEPT, json=body | {"link": invite(api)}).status_code == 204
    # The second one was checked before the first one was stored.
    monkeypatch.setattr("backend.store.repositories.invitations.has_email", lambda *_: False)
    link = invite(api)
    anonymous.cookies.clear()
    problem_of(anonymous.post(ACCEPT, json=body | {"link": link}), 409, "conflict")
    free = body | {"link": link, "email": "hopper@example.org"}
    assert anonymous.post(ACCEPT, json=free).status_code == 204, "the invitation was not used up"
