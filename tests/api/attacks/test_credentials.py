"""Requests without credentials, with wrong or too few ones, and at objects of another team."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import Engine, event, text

from backend.api.access.rules import RULES
from backend.store.secrets import digest, new_token
from backend.store.session import session_scope
from tests.accounts import add_account, add_token
from tests.api.attacks.arena import Arena, changes, comparable
from tests.api.client import problem_of
from tests.api.test_authorisation import OPERATIONS

GUARDED = [one for one in OPERATIONS if RULES[one.id].permission != "public"]
OF_PEOPLE = [one for one in GUARDED if one.permission != "worker"]
"""Those of enrolled hosts, which accept their tokens only, are in tests/api/test_worker_access.py."""
NAMING = [one for one in OF_PEOPLE if one.objects]
WRITING = [one for one in OF_PEOPLE if changes(one) and one.permission not in ("read", "signed_in")]
"""Without what needs no more than reading, such as a star, which is the caller's own."""


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


@pytest.fixture
def statements() -> Any:
    """Every SQL statement of this process while the test runs."""
    seen: list[str] = []

    def keep(_c: Any, _cursor: Any, statement: str, *_: Any) -> None:
        seen.append(statement)

    event.listen(Engine, "before_cursor_execute", keep)
    yield seen
    event.remove(Engine, "before_cursor_execute", keep)


NEVER_TOKENS = {
    "empty": "",
    "no token": "Bearer",
    "short": "Bearer plm_short",
    "long": "Bearer " + "x" * 5000,
    "another scheme": "Basic YTpi",
    "a share link": f"Bearer {'a' * 22}",
    "zeros": "Bearer plm_" + "0" * 36,
    "other letters": "Bearer pl\u00e9_",
    "two": "Bearer plm_a plm_b",
}


@pytest.mark.parametrize("given", [*NEVER_TOKENS, "wrong checksum"])
def test_what_was_never_a_token_is_refused_without_the_database(
    arena: Arena, statements: list[str], given: str
) -> None:
    token = new_token()
    wrong = f"Bearer {token[:-1]}{'0' if token[-1] != '0' else '1'}"
    headers = {"Authorization": NEVER_TOKENS.get(given, wrong).encode("latin-1")}
    answers = [arena.api.get("/api/v1/runs", headers=headers) for _ in range(3)]
    assert statements == []
    for answer in answers:
        problem_of(answer, 401, "unauthenticated")
        assert answer.headers["www-authenticate"] == "Bearer"
    changed = arena.api.post("/api/v1/experiments", json={}, headers=headers)
    problem_of(changed, 401, "unauthenticated")
    assert [one.split()[:3] for one in statements] == [["INSERT", "INTO", "audit"]]


def test_what_is_admitted_changes_the_state_that_refusals_leave_alone(arena: Arena) -> None:
    before = arena.state()
    runs, admin = f"/api/v1/experiments/{arena.own['experiment_id']}/runs", arena.callers["admin"]
    started = arena.api.post(runs, json={}, headers=admin)
    assert started.status_code == 202, started.text
    after = arena.state()
    changed = {found[0] for found, earlier in zip(after, before, strict=True) if found != earlier}
    assert {"run", "trial", "event"} <= changed and after[-1] != before[-1], "a worker got a message"
    cancelled = arena.api.post(f"/api/v1/runs/{started.json()['id']}:cancel", headers=admin)
    assert cancelled.status_code == 202


def test_every_operation_without_credentials(arena: Arena) -> None:
    with arena.unchanged():
        for operation in GUARDED:
            arena.refuses(operation, 401, "unauthenticated", "anonymous")


@pytest.mark.parametrize("end", ["revoked_at = now()", "expires_at = now() - interval '1 s'"])
def test_every_operation_with_a_token_that_has_ended(arena: Arena, end: str) -> None:
    token = add_token(arena.settings, add_account(arena.settings))
    assert arena.api.get("/api/v1/runs", headers=bearer(token)).status_code == 200
    with session_scope(arena.settings) as session:
        update = f"UPDATE api_token SET {end} WHERE token_sha256 = :sha"
        session.execute(text(update), {"sha": digest(token)})
    with arena.unchanged():
        for operation in GUARDED:
            arena.refuses(operation, 401, "unauthenticated", "anonymous", headers=bearer(token))


def test_a_reading_token_changes_nothing(arena: Arena) -> None:
    assert len(WRITING) >= 25
    with arena.unchanged():
        for operation in WRITING:
            arena.refuses(operation, 403, "insufficient_scope", "token run:read")


def test_objects_of_another_team_are_byte_for_byte_missing(arena: Arena) -> None:
    """Reading, changing, exports, logs, the event stream and comparisons."""
    missing = {name: value[:4] + "0" * 16 for name, value in arena.own.items()}
    missing["cell_id"] = arena.own["cell_id"]
    found = {one.id for one in NAMING}
    assert {"exportRun", "getTrialRaw", "streamRun", "compareRuns", "deleteRun", "cancelRun"} <= found
    with arena.unchanged():
        for operation in NAMING:
            for caller in ("admin", "token admin"):
                foreign = arena.refuses(operation, 404, "not_found", caller, arena.foreign)
                unknown = arena.refuses(operation, 404, "not_found", caller, missing)
                assert comparable(foreign) == comparable(unknown), operation.id


@pytest.mark.parametrize("name", ["token", "access_token", "api_key", "session", "link"])
def test_a_credential_in_the_url_is_none(arena: Arena, name: str) -> None:
    token = add_token(arena.settings, add_account(arena.settings))
    query = f"?{name}={token}"
    for path in ("runs", "session", f"runs/{arena.own['run_id']}/events"):
        arena.refused("GET", f"/api/v1/{path}{query}", 401, "unauthenticated", caller="anonymous")
    arena.refused(
        "POST", f"/api/v1/experiments{query}", 401, "unauthenticated",
        caller="anonymous", action="createExperiment", json={},
    )  # fmt: skip
