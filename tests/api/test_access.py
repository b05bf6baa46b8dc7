"""Who may do what: no credentials, sessions, tokens, roles, scopes, and objects of another team."""

from __future__ import annotations

from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import text

from backend.api.access import rules
from backend.api.access.authentication import CSRF_HEADER
from backend.settings import Settings
from backend.store.models import DEFAULT_TEAM
from backend.store.repositories import accounts
from backend.store.secrets import digest, new_secret, new_token
from backend.store.session import session_scope
from tests.accounts import add_account, add_team, add_token, browser_headers
from tests.api.client import BASE, DOCUMENT, Worker, problem_of, start_run

RUNS = "/api/v1/runs"


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def sign_in_link(settings: Settings, account_id: str, lifetime: str = "1 hour") -> str:
    secret = new_secret()
    with session_scope(settings) as session:
        accounts.add_sign_in_link(
            session, account_id, digest(secret), session.scalar(text(f"SELECT interval '{lifetime}'"))
        )
    return secret


def audit(settings: Settings) -> list[Any]:
    with session_scope(settings) as session:
        return list(session.execute(text("SELECT * FROM audit ORDER BY id")))


def test_without_credentials_nothing_of_a_team_is_served(anonymous: TestClient, settings: Settings) -> None:
    answer = anonymous.get(RUNS)
    problem_of(answer, 401, "unauthenticated")
    assert answer.headers["www-authenticate"] == "Bearer"
    problem_of(anonymous.post("/api/v1/experiments", json=DOCUMENT), 401, "unauthenticated")
    (refused,) = audit(settings)
    assert (refused.actor, refused.action, refused.status) == ("anonymous", "createExperiment", 401)


def test_a_one_time_link_signs_in_once(anonymous: TestClient, settings: Settings) -> None:
    link = sign_in_link(settings, add_account(settings, name="Grace"))
    answer = anonymous.post("/api/v1/sessions", json={"link": link})
    assert answer.status_code == 204, answer.text
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie and "SameSite=lax" in cookie and "Path=/" in cookie and "Domain" not in cookie
    session = anonymous.get("/api/v1/session").json()
    assert session["account"]["name"] == "Grace"
    assert (session["team"]["id"], session["team"]["role"]) == (DEFAULT_TEAM, "admin")
    assert session["permissions"] == ["read", "write", "share", "admin"]
    anonymous.cookies.clear()
    problem_of(anonymous.post("/api/v1/sessions", json={"link": link}), 410, "gone")
    expired = sign_in_link(settings, add_account(settings), "-1 second")
    problem_of(anonymous.post("/api/v1/sessions", json={"link": expired}), 410, "gone")


def test_a_cookie_alone_changes_nothing(anonymous: TestClient, settings: Settings) -> None:
    headers = browser_headers(settings, add_account(settings))
    for wrong in ({}, {CSRF_HEADER: "0" * 32}, {CSRF_HEADER: "x" * 5000}):
        answer = anonymous.post(
            "/api/v1/experiments", json=DOCUMENT, headers={"Cookie": headers["Cookie"], **wrong}
        )
        problem_of(answer, 403, "csrf")
    assert anonymous.post("/api/v1/experiments", json=DOCUMENT, headers=headers).status_code == 201
    assert [entry.code for entry in audit(settings)] == ["csrf", "csrf", "csrf", None]


def test_signing_out_ends_the_session_on_the_server(anonymous: TestClient, settings: Settings) -> None:
    headers = browser_headers(settings, add_account(settings))
    assert anonymous.get(RUNS, headers=headers).status_code == 200
    answer = anonymous.delete("/api/v1/session", headers=headers)
    assert answer.status_code == 204 and "Max-Age=0" in answer.headers["set-cookie"]
    problem_of(anonymous.get(RUNS, headers=headers), 401, "unauthenticated")


@pytest.mark.parametrize("column", ["ended_at = now()", "expires_at = now() - interval '1 s'"])
def test_an_ended_or_expired_session_is_refused(
    anonymous: TestClient, settings: Settings, column: str
) -> None:
    headers = browser_headers(settings, add_account(settings))
    with session_scope(settings) as session:
        session.execute(text(f"UPDATE browser_session SET {column}"))
    problem_of(anonymous.get(RUNS, headers=headers), 401, "unauthenticated")


def test_a_disabled_account_has_no_access(anonymous: TestClient, settings: Settings) -> None:
    account = add_account(settings)
    headers, token = browser_headers(settings, account), add_token(settings, account)
    with session_scope(settings) as session:
        session.execute(text("UPDATE account SET disabled_at = now()"))
    for credentials in (headers, bearer(token)):
        problem_of(anonymous.get(RUNS, headers=credentials), 401, "unauthenticated")


@pytest.mark.parametrize("given", ["", "Bearer", "Bearer plm_short", "Basic YTpi", "Bearer " + "x" * 5000])
def test_a_malformed_token_is_refused_without_a_query(
    anonymous: TestClient, monkeypatch: pytest.MonkeyPatch, given: str
) -> None:
    def no_query(*_: Any) -> Any:
        raise AssertionError("the database was queried")

    monkeypatch.setattr("backend.store.repositories.callers.by_token", no_query)
    problem_of(anonymous.get(RUNS, headers={"Authorization": given}), 401, "unauthenticated")
    token = new_token()
    wrong = token[:-1] + ("0" if token[-1] != "0" else "1")
    problem_of(anonymous.get(RUNS, headers=bearer(wrong)), 401, "unauthenticated")


@pytest.mark.parametrize(
    "column", ["revoked_at = now()", "expires_at = now() - interval '1 s'", "token_sha256 = 'x'"]
)
def test_a_revoked_expired_or_unknown_token_is_refused(
    anonymous: TestClient, settings: Settings, column: str
) -> None:
    token = add_token(settings, add_account(settings))
    assert anonymous.get(RUNS, headers=bearer(token)).status_code == 200
    with session_scope(settings) as session:
        session.execute(text(f"UPDATE api_token SET {column}"))
    problem_of(anonymous.get(RUNS, headers=bearer(token)), 401, "unauthenticated")


def test_a_token_with_a_narrow_scope_cannot_change_anything(
    anonymous: TestClient, settings: Settings
) -> None:
    token = add_token(settings, add_account(settings), scopes=("run:read",))
    assert anonymous.get(RUNS, headers=bearer(token)).status_code == 200
    answer = anonymous.post("/api/v1/experiments", json=DOCUMENT, headers=bearer(token))
    problem_of(answer, 403, "insufficient_scope")
    (entry,) = audit(settings)
    assert (entry.token_prefix, entry.code, entry.status) == (token[:10], "insufficient_scope", 403)
    session = anonymous.get("/api/v1/session", headers=bearer(token)).json()
    assert (session["kind"], session["permissions"], session["csrf_token"]) == ("token", ["read"], None)


def test_a_token_that_may_only_read_changes_nothing_of_its_account(
    anonymous: TestClient, settings: Settings, worker: Worker
) -> None:
    account = add_account(settings, "viewer")
    token = bearer(add_token(settings, account, scopes=("run:read",)))
    run = start_run(
        TestClient(anonymous.app, base_url=BASE, headers=bearer(add_token(settings, add_account(settings))))
    )
    view = {"name": "ci", "query": "tag:ci"}
    requests: list[tuple[str, str, Any]] = [
        ("PUT", f"{RUNS}/{run['id']}/star", None),
        ("DELETE", f"{RUNS}/{run['id']}/star", None),
        ("PUT", f"/api/v1/experiments/{run['experiment_id']}/star", None),
        ("POST", "/api/v1/library/views", view),
        ("POST", "/api/v1/histories:markSeen", {}),
        ("POST", "/api/v1/home/visits", {}),
    ]
    for method, path, body in requests:
        answer = anonymous.request(method, path, json=body, headers=token)
        assert "run:write" in problem_of(answer, 403, "insufficient_scope")["detail"], path
    browser = browser_headers(settings, account)
    assert anonymous.put(f"{RUNS}/{run['id']}/star", headers=browser).status_code == 204
    assert anonymous.post("/api/v1/library/views", json=view, headers=browser).status_code == 201
    writing = bearer(add_token(settings, account, scopes=("run:write",)))
    assert anonymous.delete(f"{RUNS}/{run['id']}/star", headers=writing).status_code == 204


def test_a_token_may_never_do_more_than_its_account(anonymous: TestClient, settings: Settings) -> None:
    token = add_token(settings, add_account(settings, "viewer"))
    answer = anonymous.post("/api/v1/experiments", json=DOCUMENT, headers=bearer(token))
    problem_of(answer, 403, "forbidden")


def test_an_account_without_a_team_reads_nothing(anonymous: TestClient, settings: Settings) -> None:
    headers = browser_headers(settings, add_account(settings, None))
    problem_of(anonymous.get(RUNS, headers=headers), 403, "forbidden")
    assert anonymous.get("/api/v1/session", headers=headers).json()["team"] is None


def test_a_team_sees_its_own_only(api: TestClient, settings: Settings, worker: Worker) -> None:
    run = start_run(api)
    stranger = browser_headers(settings, add_account(settings, "admin", add_team(settings)))
    api.headers.clear()
    assert api.get(RUNS, headers=stranger).json()["data"] == []
    assert api.get("/api/v1/experiments", headers=stranger).json()["data"] == []
    created = api.post("/api/v1/experiments", json=DOCUMENT, headers=stranger)
    assert created.status_code == 201 and created.json()["id"] != run["experiment_id"]


def test_an_account_of_two_teams_acts_in_one(api: TestClient, settings: Settings, worker: Worker) -> None:
    run = start_run(api)
    other = add_team(settings)
    account = add_account(settings, "viewer")
    with session_scope(settings) as session:
        accounts.join(session, account, other, "admin")
    api.headers.clear()
    headers = browser_headers(settings, account)
    assert len(api.get(RUNS, headers=headers).json()["data"]) == 1
    assert api.get(RUNS, headers=headers | {"Plimsoll-Team": other}).json()["data"] == []
    problem_of(api.post(f"{RUNS}/{run['id']}:cancel", headers=headers), 403, "forbidden")
    in_other = headers | {"Plimsoll-Team": other}
    # The role in the team of the run decides, not that in the team of the header.
    problem_of(api.post(f"{RUNS}/{run['id']}:cancel", headers=in_other), 403, "forbidden")
    problem_of(api.get(RUNS, headers=headers | {"Plimsoll-Team": "tem_x"}), 403, "forbidden")
    changed = api.patch("/api/v1/session", json={"team_id": other}, headers=headers)
    assert changed.json()["team"]["id"] == other
    assert api.get(RUNS, headers=headers).json()["data"] == []
    unknown = api.patch("/api/v1/session", json={"team_id": "tem_2222222222222222"}, headers=headers)
    problem_of(unknown, 404, "not_found")


def test_an_operation_without_a_rule_stops_the_application() -> None:
    known = [(operation, ["run_id"]) for operation in rules.RULES]
    rules.check(known)
    with pytest.raises(LookupError, match="no rule for"):
        rules.check([*known, ("newOne", [])])
    with pytest.raises(LookupError, match="no operation for"):
        rules.check(known[1:])
    with pytest.raises(LookupError, match="planet_id"):
        rules.check([(known[0][0], ["planet_id"]), *known[1:]])


def test_the_audit_log_is_for_administrators(api: TestClient, settings: Settings) -> None:
    api.post("/api/v1/experiments", json=DOCUMENT)
    log = api.get("/api/v1/audit").json()["data"]
    assert [(line["action"], line["status"], line["actor"]) for line in log] == [
        ("createExperiment", 201, "Ada")
    ]
    api.headers.clear()
    runner = browser_headers(settings, add_account(settings, "runner"))
    problem_of(api.get("/api/v1/audit", headers=runner), 403, "forbidden")


HOST_NETWORK = DOCUMENT | {
    "name": "host-network",
    "factors": DOCUMENT["factors"] | {"path": ["same_container", "host_network"]},
}


def test_the_hosts_network_needs_a_scope_of_its_own(
    anonymous: TestClient, settings: Settings, worker: Worker
) -> None:
    account = add_account(settings)
    narrow = bearer(add_token(settings, account, scopes=("run:read", "run:write")))
    wide = bearer(add_token(settings, account, scopes=("run:read", "run:write", "run:host-network")))
    experiment = anonymous.post("/api/v1/experiments", json=HOST_NETWORK, headers=narrow).json()["id"]
    runs = f"/api/v1/experiments/{experiment}/runs"
    problem_of(anonymous.post(runs, json={}, headers=narrow), 403, "insufficient_scope")
    assert anonymous.get(RUNS, headers=narrow).json()["data"] == []
    assert anonymous.post(runs, json={}, headers=wide).status_code == 202
    plain = anonymous.post("/api/v1/experiments", json=DOCUMENT, headers=narrow).json()["id"]
    assert anonymous.post(f"/api/v1/experiments/{plain}/runs", json={}, headers=narrow).status_code == 202


def test_a_host_is_closed_to_its_network_by_the_installations_administrator(
    api: TestClient, settings: Settings, worker: Worker
) -> None:
    closed = {"host_network": False}
    problem_of(api.patch("/api/v1/hosts/bench-1", json=closed), 403, "forbidden")
    above = browser_headers(settings, add_account(settings, installation_admin=True))
    problem_of(api.patch("/api/v1/hosts/none", json=closed, headers=above), 404, "not_found")
    answer = api.patch("/api/v1/hosts/bench-1", json=closed, headers=above)
    assert answer.status_code == 200 and answer.json()["host_network"] is False
    experiment = api.post("/api/v1/experiments", json=HOST_NETWORK).json()["id"]
    runs = f"/api/v1/experiments/{experiment}/runs"
    problem_of(api.post(runs, json={}), 422, "mode_not_enabled")
    worker.announce()  # a worker that starts again opens nothing
    problem_of(api.post(runs, json={}), 422, "mode_not_enabled")
    api.patch("/api/v1/hosts/bench-1", json={"host_network": True}, headers=above)
    assert api.post(runs, json={}).status_code == 202
    changes = [entry for entry in audit(settings) if entry.action == "updateHost" and entry.status == 200]
    assert changes and {entry.object for entry in changes} == {"bench-1"}


def test_the_audit_log_names_who_signed_in(anonymous: TestClient, settings: Settings) -> None:
    account = add_account(settings, name="Grace")
    anonymous.post("/api/v1/sessions", json={"link": sign_in_link(settings, account)})
    (entry,) = audit(settings)
    assert (entry.actor, entry.account_id, entry.team_id) == ("Grace", account, DEFAULT_TEAM)


def test_the_audit_log_names_the_run_and_what_was_made_of_it(
    api: TestClient, worker: Worker, settings: Settings
) -> None:
    run = start_run(api)
    worker.finish()
    share = api.post(f"/api/v1/runs/{run['id']}/shares", json={}).json()
    named = {entry.action: (entry.object, entry.created) for entry in audit(settings)}
    assert named == {
        "createExperiment": (run["experiment_id"], run["experiment_id"]),
        "startRun": (run["experiment_id"], run["id"]),
        "createShare": (run["id"], share["id"]),
    }
    line = api.get("/api/v1/audit").json()["data"][0]
    assert (line["object"], line["created"]) == (run["id"], share["id"])


@pytest.mark.parametrize("body", [b"{", b"[" * 3000, b'{"a": 1, "a": 2}', b'{"a": NaN}', b"{}", b'{"x": 1}'])
def test_the_audit_log_has_the_status_and_code_of_the_response(
    api: TestClient, settings: Settings, body: bytes
) -> None:
    for path in ("tokens", "imports", "experiments"):
        headers = {"Content-Type": "application/json"}
        answer = api.post(f"/api/v1/{path}", content=body, headers=headers)
        entry = audit(settings)[-1]
        assert (entry.status, entry.code) == (answer.status_code, answer.json()["code"]), answer.text


def test_a_disabled_account_does_not_sign_in(anonymous: TestClient, settings: Settings) -> None:
    link = sign_in_link(settings, add_account(settings))
    with session_scope(settings) as session:
        session.execute(text("UPDATE account SET disabled_at = now()"))
    answer = anonymous.post("/api/v1/sessions", json={"link": link})
    problem_of(answer, 410, "gone")
    assert "set-cookie" not in answer.headers
