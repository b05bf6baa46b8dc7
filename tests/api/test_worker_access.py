"""What the token of an enrolled host may do: report for its own host, and nothing else."""

from __future__ import annotations

import json
from typing import Any, Final

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import text

from backend.api.access.rules import OBJECTS, RULES, SUBJECTS
from backend.settings import Settings
from backend.store.secrets import HOST, SHOWN, new_token
from backend.store.session import session_scope
from tests.accounts import token_headers
from tests.api.client import problem_of, start_run
from tests.api.http_worker import SENT_AT, WORKER, HttpWorker
from tests.services import ROOT

PATHS: Final[dict[str, Any]] = json.loads((ROOT / "docs" / "openapi.json").read_text())["paths"]
OPERATIONS: Final = [
    (described["operationId"], method.upper(), path)
    for path, operations in PATHS.items()
    for method, described in operations.items()
]
OWN: Final = [one for one in OPERATIONS if RULES[one[0]].permission == "worker"]
OTHERS: Final = [one for one in OPERATIONS if RULES[one[0]].permission not in ("worker", "public")]


@pytest.fixture
def trial(api: TestClient, far: HttpWorker) -> dict[str, Any]:
    """A running trial of far-1."""
    start_run(api)
    return far.must_claim()


def url(path: str, trial: dict[str, Any]) -> str:
    kinds = OBJECTS | SUBJECTS
    names = {name: f"{kind}_{'0' * 16}" for name, kind in kinds.items()}
    names |= {"cell_id": "c1", "delivery_id": "1", "format": "json", "host": "far-1"}
    return path.format_map(names | {"run_id": trial["run_id"], "trial_id": trial["trial_id"]})


def test_a_stolen_token_against_every_other_operation(
    anonymous: TestClient, far: HttpWorker, trial: dict[str, Any], settings: Settings
) -> None:
    assert len(OTHERS) > 80
    for identity, method, path in OTHERS:
        body = {} if method in ("GET", "DELETE") else {"json": {}}
        answer = anonymous.request(method, url(path, trial), headers=far.headers, **body)
        problem_of(answer, 401, "unauthenticated")
        with session_scope(settings) as session:
            query = text("SELECT count(*) FROM audit WHERE request_id = :id AND action = :action")
            given = {"id": answer.headers["x-request-id"], "action": identity}
            assert session.execute(query, given).scalar_one() == 1, identity
    assert far.beat(trial) == "ok"


def test_no_other_credential_opens_an_operation_of_workers(
    api: TestClient, installation: dict[str, str], trial: dict[str, Any], settings: Settings
) -> None:
    """A browser of an administrator, an API token of all scopes, none, and a token that was never given."""
    callers = [installation, token_headers(settings), {}, {"Authorization": f"Bearer {new_token(HOST)}"}]
    callers.append({"Authorization": f"Basic {new_token(HOST)}"})
    with TestClient(api.app, base_url=str(api.base_url)) as client:
        for _, method, path in OWN:
            for headers in callers:
                body = {} if method in ("GET", "DELETE") else {"json": {}}
                answer = client.request(method, url(path, trial), headers=headers, **body)
                problem_of(answer, 401, "unauthenticated")


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "/trials/{trial_id}/heartbeat", {"fence": 1}),
        ("POST", "/trials/{trial_id}/ending", {"fence": 1, "kind": "fail", "code": "x"}),
        ("PUT", "/trials/{trial_id}/record", {"fence": 1}),
        ("GET", "/runs/{run_id}/cells", None),
        ("POST", "/runs/{run_id}/interim-analysis", {}),
        ("PATCH", "/runs/{run_id}/environment", {"environment": {"kernel": "hacked"}}),
    ],
)
def test_another_hosts_objects_appear_missing(
    far: HttpWorker,
    installation: dict[str, str],
    trial: dict[str, Any],
    method: str,
    path: str,
    body: Any,
) -> None:
    thief = HttpWorker.joined(far.api, installation, "far-2")
    assert thief.claim()["trial"] is None
    foreign = problem_of(thief.send(method, path.format_map(trial), body), 404, "not_found")
    unknown = {"trial_id": f"trl_{'0' * 16}", "run_id": f"run_{'0' * 16}"}
    missing = problem_of(thief.send(method, path.format_map(unknown), body), 404, "not_found")
    strange = {"trial_id": "trl_x", "run_id": "run_x"}
    malformed = problem_of(thief.send(method, path.format_map(strange), body), 404, "not_found")
    for one in (foreign, missing, malformed):
        del one["instance"]
    assert foreign == missing == malformed
    assert far.beat(trial) == "ok"


def test_a_revoked_token_is_refused_at_once(
    far: HttpWorker, installation: dict[str, str], trial: dict[str, Any], settings: Settings
) -> None:
    revoke = "/api/v1/hosts/far-1:revoke"
    for _ in range(2):
        assert far.api.post(revoke, headers=installation).status_code == 204
    for _, method, path in OWN:
        body = None if method in ("GET", "DELETE") else {"fence": trial["fence"]}
        answer = far.send(method, url(path, trial).removeprefix(WORKER), body)
        problem_of(answer, 401, "unauthenticated")
    with session_scope(settings) as session:
        found = session.execute(text("SELECT object, actor FROM audit WHERE action = 'revokeHost'")).all()
        state = session.execute(text("SELECT state FROM trial WHERE fence > 0")).scalar_one()
    assert [tuple(row) for row in found] == [("far-1", "Ada")] * 2
    assert state == "running"  # until its lease expires; nobody else has it


def test_a_revoked_host_is_shown_as_such_at_once(far: HttpWorker, installation: dict[str, str]) -> None:
    def shown() -> tuple[object, object]:
        found = far.api.get("/api/v1/hosts/far-1", headers=installation).json()
        return found["access"], found["online"]

    assert shown() == ("joined", True)
    assert far.api.post("/api/v1/hosts/far-1:revoke", headers=installation).status_code == 204
    assert shown() == ("revoked", False)


def test_only_enrolled_hosts_are_revoked(
    anonymous: TestClient, installation: dict[str, str], worker: Any
) -> None:
    answer = anonymous.post("/api/v1/hosts/bench-1:revoke", headers=installation)
    problem_of(answer, 409, "host_not_enrolled")
    answer = anonymous.post("/api/v1/hosts/nobody:revoke", headers=installation)
    problem_of(answer, 404, "not_found")


def test_refusals_are_audited_and_the_rest_is_not(far: HttpWorker, settings: Settings) -> None:
    far.claim()
    problem_of(far.send("POST", f"/trials/trl_{'0' * 16}/heartbeat", {"fence": 1}), 404, "not_found")
    far.send("DELETE", "/host")
    with session_scope(settings) as session:
        query = text("SELECT action, status, token_prefix FROM audit WHERE actor = 'host far-1' ORDER BY id")
        lines = [tuple(row) for row in session.execute(query)]
    shown = far.token[:SHOWN]
    assert lines == [("beatTrial", 404, shown), ("leaveServer", 204, shown)]


def test_what_a_worker_reports_is_stored_and_answered(far: HttpWorker, settings: Settings) -> None:
    with session_scope(settings) as session:
        policy = "UPDATE host SET policy = '{\"longest_trial_s\": 60}', drained_at = clock_timestamp()"
        session.execute(text(policy))
    condition = {"part": "server", "since": SENT_AT, "until": None, "reason": "away", "effect": "waits"}
    report = {
        "conditions": [condition],
        "disk": {"total_bytes": 10**12, "free_bytes": 10**11, "inodes": 5},
        "sent_at": SENT_AT,
        "clock": {"offset_s": -0.25, "uncertainty_s": 0.002},
        "of_a_later_release": True,
    }
    orders = far.ask("POST", "/seen", report)
    assert (orders["drained"], orders["policy"]["longest_trial_s"], orders["release"]) == (True, 60, "0.1.0")
    far.ask("POST", "/seen", {"sent_at": SENT_AT})
    with session_scope(settings) as session:
        row = session.execute(text("SELECT * FROM host")).one()
    assert row.disk == {"total_bytes": 10**12, "free_bytes": 10**11}
    assert row.clock["offset_s"] == -0.25 and row.clock["uncertainty_s"] == 0.002
    assert (row.release, row.protocol, row.install_id, row.conditions) == ("0.1.0", 1, "far", [])


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/seen", {"conditions": []}),
        ("/seen", {"sent_at": "yesterday"}),
        ("/seen", {"sent_at": SENT_AT, "disk": {"total_bytes": -1, "free_bytes": 0}}),
        ("/seen", {"sent_at": SENT_AT, "clock": {"offset_s": "soon", "uncertainty_s": 0}}),
        ("/seen", {"sent_at": SENT_AT, "conditions": [{"part": "moon"}]}),
        ("/claims", {"environment": {}}),
        ("/claims", {"key": "short"}),
        ("/claims", {"key": "key-of-claim", "environment": {"kernel": 6}}),
        ("/claims", {"key": "key-of-claim", "last": "trl_1"}),
    ],
)
def test_strict_requests(far: HttpWorker, path: str, body: dict[str, Any]) -> None:
    assert far.send("POST", path, body).status_code == 422


def test_capabilities_that_the_page_cannot_show_are_refused(far: HttpWorker, api: TestClient) -> None:
    problem_of(far.announce(paths="all"), 422, "invalid")
    problem_of(far.announce(reasons={"path.overlay": 7}), 422, "invalid")
    assert far.announce(paths=["same_container"], of_a_later_release=1).status_code == 200
    assert api.get("/api/v1/hosts").json()["data"][0]["capabilities"]["paths"] == ["same_container"]


@pytest.mark.parametrize(
    ("given", "status", "code"),
    [
        ("0.0.9/0", 426, "worker_outdated"),
        ("2.0.0/2", 426, "worker_too_new"),
        ("", 422, "missing"),
        ("0.1.0", 422, "missing"),
        ("0.1.0/1/2", 422, "missing"),
        ("0.1.0/-1", 422, "missing"),
        ("0.1.0/99999", 422, "missing"),
        ("../../x/1", 422, "missing"),
    ],
)
def test_the_protocol_of_a_worker(far: HttpWorker, given: str, status: int, code: str) -> None:
    far.version["Plimsoll-Worker"] = given
    answer = far.send("POST", "/seen", {"sent_at": SENT_AT})
    found = problem_of(answer, status, code)
    if status == 426:
        assert answer.headers["upgrade"] == "plimsoll-worker/1"
    if code == "worker_outdated":
        assert "./scripts/join" in found["detail"] and "0.0.9" in found["detail"]
    far.version["Plimsoll-Worker"] = "9.9.9.dev4+g123/1"
    assert far.send("POST", "/seen", {"sent_at": SENT_AT}).status_code == 200


def test_a_drained_host_claims_no_trial_and_the_running_one_ends(
    api: TestClient, far: HttpWorker, settings: Settings
) -> None:
    start_run(api)
    trial = far.must_claim()
    with session_scope(settings) as session:
        session.execute(text("UPDATE host SET drained_at = clock_timestamp()"))
    assert far.claim()["trial"] is None
    assert far.beat(trial) == "ok" and far.outcome(trial) == "recorded"
    with session_scope(settings) as session:
        session.execute(text("UPDATE host SET drained_at = NULL"))
    assert far.claim()["trial"] is not None
