"""Sign-in of the command line by a browser (RFC 8628), on the real API and database."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import text

from backend.api.device_authorizations import service
from backend.settings import Settings
from backend.store.models import DEFAULT_TEAM
from backend.store.session import session_scope
from tests.accounts import add_account, add_team, add_token, browser_headers
from tests.api.client import BASE, problem_of

DEVICES = "/api/v1/device-authorizations"
START = {"client_name": "laptop", "scopes": ["run:read", "run:write"]}


def begin(client: TestClient, **change: Any) -> dict[str, Any]:
    made = client.post(DEVICES, json=START | change)
    assert made.status_code == 201, made.text
    found: dict[str, Any] = made.json()
    return found


def poll(client: TestClient, codes: dict[str, Any]) -> Any:
    return client.post(f"{DEVICES}:token", json={"device_code": codes["device_code"]})


def approval(codes: dict[str, Any], **change: Any) -> dict[str, Any]:
    given = {"user_code": codes["user_code"], "team_id": DEFAULT_TEAM}
    return given | {"scopes": ["run:read"], "expires_in_days": 30} | change


def execute(settings: Settings, statement: str, **values: Any) -> list[Any]:
    with session_scope(settings) as session:
        found = session.execute(text(statement), values)
        return list(found.all()) if found.returns_rows else []  # type: ignore[attr-defined]


def wait_for_interval(settings: Settings) -> None:
    """As if the interval of every waiting client had passed."""
    execute(settings, "UPDATE device_authorization SET polled_at = polled_at - interval '1 hour'")


@pytest.fixture
def person(settings: Settings) -> dict[str, str]:
    """The headers of a browser of a runner."""
    return browser_headers(settings, add_account(settings, "runner", name="Ada"))


def test_the_token_is_approved_in_the_browser_and_delivered_once(
    anonymous: TestClient, settings: Settings, person: dict[str, str]
) -> None:
    codes = begin(anonymous)
    assert re.fullmatch(r"[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}", codes["user_code"])
    assert codes["verification_uri"] == f"{settings.base_url}/device"
    assert codes["verification_uri_complete"] == f"{settings.base_url}/device?user_code={codes['user_code']}"
    assert (codes["expires_in"], codes["interval"]) == (600, 5)
    problem_of(poll(anonymous, codes), 400, "authorization_pending")
    typed = codes["user_code"].lower().replace("-", " ")
    shown = anonymous.post(f"{DEVICES}:find", json={"user_code": typed}, headers=person).json()
    assert (shown["client_name"], shown["scopes"]) == ("laptop", START["scopes"])
    assert shown["address"] == "testclient" and shown["same_address"] is True
    approved = anonymous.post(f"{DEVICES}:approve", json=approval(codes), headers=person)
    assert approved.status_code == 204
    delivered = poll(anonymous, codes)
    assert delivered.status_code == 200 and delivered.headers["cache-control"] == "no-store"
    token = delivered.json()
    assert (token["token_type"], token["scope"], token["expires_in"]) == ("Bearer", "run:read", 30 * 86_400)
    bearer = {"Authorization": f"Bearer {token['access_token']}"}
    assert anonymous.get("/api/v1/runs", headers=bearer).status_code == 200
    problem_of(anonymous.post("/api/v1/experiments", json={}, headers=bearer), 403, "insufficient_scope")
    (entry,) = anonymous.get("/api/v1/tokens", headers=person).json()["data"]
    assert (entry["id"], entry["name"]) == (token["id"], "Command line on laptop")
    problem_of(poll(anonymous, codes), 400, "invalid_grant")
    assert anonymous.delete(f"/api/v1/tokens/{entry['id']}", headers=person).status_code == 204
    problem_of(anonymous.get("/api/v1/runs", headers=bearer), 401, "unauthenticated")


def test_no_secret_is_stored_and_the_audit_log_names_who_approved(
    anonymous: TestClient, settings: Settings, person: dict[str, str]
) -> None:
    codes = begin(anonymous)
    problem_of(poll(anonymous, codes), 400, "authorization_pending")
    anonymous.post(f"{DEVICES}:approve", json=approval(codes), headers=person)
    stored = str(execute(settings, "SELECT * FROM device_authorization"))
    assert codes["device_code"] not in stored and "plm_" not in stored
    token = poll(anonymous, codes).json()
    everything = "".join(
        str(execute(settings, f"SELECT * FROM {table}"))
        for table in ("device_authorization", "api_token", "audit")
    )
    assert token["access_token"] not in everything and codes["device_code"] not in everything
    logged = execute(settings, "SELECT action, actor, object, status FROM audit ORDER BY id")
    # Of a client that waits, no request is logged.
    assert [(row.action, row.actor, row.status) for row in logged] == [
        ("startDeviceAuthorization", "anonymous", 201),
        ("approveDeviceAuthorization", "Ada", 204),
        ("pollDeviceAuthorization", "Ada", 200),
    ]
    assert [row.object[:4] for row in logged] == ["dev_", "dev_", "tok_"]


def test_a_denied_client_gets_no_token(anonymous: TestClient, person: dict[str, str]) -> None:
    codes = begin(anonymous)
    given = {"user_code": codes["user_code"]}
    assert anonymous.post(f"{DEVICES}:deny", json=given, headers=person).status_code == 204
    problem_of(poll(anonymous, codes), 400, "access_denied")
    problem_of(anonymous.post(f"{DEVICES}:find", json=given, headers=person), 404, "not_found")
    problem_of(anonymous.post(f"{DEVICES}:approve", json=approval(codes), headers=person), 404, "not_found")


def test_an_authorization_expires_and_is_deleted_later(
    anonymous: TestClient, settings: Settings, person: dict[str, str]
) -> None:
    codes = begin(anonymous)
    execute(settings, "UPDATE device_authorization SET expires_at = clock_timestamp()")
    problem_of(anonymous.post(f"{DEVICES}:approve", json=approval(codes), headers=person), 404, "not_found")
    problem_of(poll(anonymous, codes), 400, "expired_token")
    execute(settings, "UPDATE device_authorization SET expires_at = expires_at - interval '1 hour'")
    begin(anonymous)
    problem_of(poll(anonymous, codes), 400, "invalid_grant")
    assert len(execute(settings, "SELECT id FROM device_authorization")) == 1


def test_an_approval_expires_too(anonymous: TestClient, settings: Settings, person: dict[str, str]) -> None:
    codes = begin(anonymous)
    anonymous.post(f"{DEVICES}:approve", json=approval(codes), headers=person)
    execute(settings, "UPDATE device_authorization SET expires_at = clock_timestamp()")
    problem_of(poll(anonymous, codes), 400, "expired_token")
    assert execute(settings, "SELECT id FROM api_token") == []


def test_a_client_that_asks_too_often_has_to_slow_down(anonymous: TestClient, settings: Settings) -> None:
    codes = begin(anonymous)
    problem_of(poll(anonymous, codes), 400, "authorization_pending")
    for interval in (10, 15):
        assert f"every {interval} seconds" in problem_of(poll(anonymous, codes), 400, "slow_down")["detail"]
    wait_for_interval(settings)
    problem_of(poll(anonymous, codes), 400, "authorization_pending")
    assert execute(settings, "SELECT interval_s FROM device_authorization") == [(15,)]


@pytest.mark.parametrize(
    ("role", "change", "status", "code"),
    [
        ("viewer", {"scopes": ["run:read", "run:write"]}, 422, "scope_not_allowed"),
        ("admin", {"scopes": ["run:read", "admin"]}, 422, "scope_not_allowed"),  # the client does not want it
        ("runner", {"expires_in_days": None}, 422, "expiry_required"),
        ("runner", {"expires_in_days": 366}, 422, "less_than_equal"),
        ("runner", {"scopes": []}, 422, "too_short"),
        ("runner", {"team_id": "tem_1111111111111111"}, 403, "forbidden"),
        ("runner", {"account_id": "acc_1111111111111111"}, 422, "unknown_field"),
        ("runner", {"user_code": "BBBB-BBBB"}, 404, "not_found"),
    ],
)
def test_an_approval_never_exceeds_its_maker(
    anonymous: TestClient, settings: Settings, role: Any, change: dict[str, Any], status: int, code: str
) -> None:
    add_team(settings)
    headers = browser_headers(settings, add_account(settings, role))
    codes = begin(anonymous)
    answer = anonymous.post(f"{DEVICES}:approve", json=approval(codes, **change), headers=headers)
    problem_of(answer, status, code)
    problem_of(poll(anonymous, codes), 400, "authorization_pending")


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE membership SET role = 'viewer'",
        "DELETE FROM membership",
        "UPDATE account SET disabled_at = clock_timestamp()",
    ],
)
def test_rights_that_are_lost_before_the_delivery_are_not_delivered(
    anonymous: TestClient, settings: Settings, person: dict[str, str], change: str
) -> None:
    codes = begin(anonymous)
    given = approval(codes, scopes=["run:write"])
    assert anonymous.post(f"{DEVICES}:approve", json=given, headers=person).status_code == 204
    execute(settings, change)
    problem_of(poll(anonymous, codes), 400, "access_denied")
    assert execute(settings, "SELECT id FROM api_token") == []


def test_a_token_cannot_approve(anonymous: TestClient, settings: Settings) -> None:
    headers = {"Authorization": f"Bearer {add_token(settings, add_account(settings))}"}
    codes = begin(anonymous)
    given = {"user_code": codes["user_code"]}
    for verb, body in (("approve", approval(codes)), ("find", given), ("deny", given)):
        answer = anonymous.post(f"{DEVICES}:{verb}", json=body, headers=headers)
        problem_of(answer, 403, "insufficient_scope")


def test_another_site_cannot_approve(anonymous: TestClient, person: dict[str, str]) -> None:
    codes = begin(anonymous)
    cookie = {"Cookie": person["Cookie"]}
    problem_of(anonymous.post(f"{DEVICES}:approve", json=approval(codes), headers=cookie), 403, "csrf")
    foreign = person | {"Origin": "https://evil.example"}
    answer = anonymous.post(f"{DEVICES}:approve", json=approval(codes), headers=foreign)
    problem_of(answer, 403, "cross_origin")


def test_wrong_user_codes_are_limited(anonymous: TestClient, person: dict[str, str]) -> None:
    for _ in range(30):
        answer = anonymous.post(f"{DEVICES}:find", json={"user_code": "BBBB-BBBB"}, headers=person)
        problem_of(answer, 404, "not_found")
    codes = begin(anonymous)
    for verb, body in (("find", {"user_code": codes["user_code"]}), ("approve", approval(codes))):
        refused = anonymous.post(f"{DEVICES}:{verb}", json=body, headers=person)
        problem_of(refused, 429, "rate_limited")
        assert int(refused.headers["retry-after"]) > 0


def test_few_of_one_address_may_wait(anonymous: TestClient, settings: Settings) -> None:
    for _ in range(service.MAX_OF_NETWORK):
        begin(anonymous)
    refused = anonymous.post(DEVICES, json=START)
    problem_of(refused, 429, "rate_limited")
    assert refused.headers["retry-after"] == "60"
    execute(settings, "UPDATE device_authorization SET network = 'elsewhere'")
    begin(anonymous)


def flood(client: TestClient, addresses: Iterable[str]) -> Counter[int]:
    """Begin a sign-in from each of these addresses; the statuses."""
    strangers = (TestClient(client.app, base_url=BASE, client=(address, 50000)) for address in addresses)
    return Counter(stranger.post(DEVICES, json=START).status_code for stranger in strangers)


@pytest.mark.parametrize(
    "addresses",
    [
        [f"2001:db8:7:{number:x}::1" for number in range(60)],
        [f"203.0.113.{number % 6}" for number in range(60)],
        ["127.0.0.1"] * 60,
    ],
    ids=["one site of 65,536 networks", "few addresses", "this host"],
)
def test_a_flood_locks_nobody_out(
    anonymous: TestClient,
    settings: Settings,
    person: dict[str, str],
    monkeypatch: pytest.MonkeyPatch,
    addresses: list[str],
) -> None:
    monkeypatch.setattr(service, "MAX_IN_ALL", 20)
    before = begin(anonymous)
    flood(anonymous, addresses)
    codes = begin(anonymous)
    flood(anonymous, addresses)
    for honest in (before, codes):
        assert anonymous.post(f"{DEVICES}:approve", json=approval(honest), headers=person).status_code == 204
        assert poll(anonymous, honest).status_code == 200
    ((stored,),) = execute(settings, "SELECT count(*) FROM device_authorization")
    assert 10 < stored <= 20


def test_programs_of_this_host_wait_for_none_of_each_other(anonymous: TestClient, settings: Settings) -> None:
    seen = flood(anonymous, ["127.0.0.1"] * (service.MAX_OF_NETWORK + 5))
    assert seen == {201: service.MAX_OF_NETWORK + 5}


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"client_name": "a\nb"}, "string_pattern_mismatch"),
        ({"client_name": ""}, "string_too_short"),
        ({"client_name": "x" * 65}, "string_too_long"),
        ({"scopes": ["run:read", "root"]}, "literal_error"),
        ({"scopes": []}, "too_short"),
        ({"account_id": "acc_1111111111111111"}, "unknown_field"),
    ],
)
def test_a_bad_start(anonymous: TestClient, change: dict[str, Any], code: str) -> None:
    problem_of(anonymous.post(DEVICES, json=START | change), 422, code)


def test_a_token_ends_itself(anonymous: TestClient, settings: Settings, person: dict[str, str]) -> None:
    account = add_account(settings, "viewer")
    first, second = ({"Authorization": f"Bearer {add_token(settings, account)}"} for _ in range(2))
    assert anonymous.delete("/api/v1/token", headers=first).status_code == 204
    problem_of(anonymous.get("/api/v1/session", headers=first), 401, "unauthenticated")
    assert anonymous.get("/api/v1/session", headers=second).json()["token"]["name"] == "test"
    problem_of(anonymous.delete("/api/v1/token", headers=person), 409, "conflict")
