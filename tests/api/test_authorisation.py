"""Every operation × every kind of caller × own, another team's and missing object, from the OpenAPI document.

An operation that is added without a rule stops the application; one with a path parameter that this test has
no object for fails here. Each request leaves the line in the audit log that its rule promises, or none.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import make_url

from backend.api.access.actor import NEEDED_ROLE, ROLES, SCOPES
from backend.api.access.rules import OBJECTS, RULES
from backend.api.app import create_app
from backend.settings import Settings
from backend.store import grants
from backend.store.models import DEFAULT_TEAM
from backend.store.session import dispose
from tests.accounts import add_account, add_team, add_token, browser_headers
from tests.api.audit_lines import check_audit
from tests.api.client import BASE, Worker, problem_of, start_run
from tests.databases import Databases
from tests.service_fixtures import database
from tests.services import ROOT, RedisServer, as_role

DOCUMENT: Final[dict[str, Any]] = json.loads((ROOT / "docs" / "openapi.json").read_text())
FIXED: Final = {"host": "bench-1"}
"""Values of path parameters that name no object of a team."""


@dataclass(frozen=True)
class Operation:
    """One operation of the document."""

    id: str
    method: str
    path: str

    @property
    def permission(self) -> str:
        return RULES[self.id].permission

    @property
    def objects(self) -> list[str]:
        """The parameters that name an object of a team."""
        return [name for name in OBJECTS if f"{{{name}}}" in self.path] + [
            name for name, _ in RULES[self.id].query
        ]

    def url(self, objects: dict[str, str]) -> str:
        """The URL with these objects; the last one is of interest, for example run `b` of a comparison."""
        pictures = any(part in self.path for part in ("/trials/", "/comparisons/"))
        given = objects | FIXED | {"format": "svg" if pictures else "json"}
        query = "&".join(f"{name}={objects['run_id']}" for name, _ in RULES[self.id].query)
        return self.path.format_map(given) + (f"?{query}" if query else "")


OPERATIONS: Final = [
    Operation(described["operationId"], method.upper(), path)
    for path, operations in DOCUMENT["paths"].items()
    for method, described in operations.items()
]


@dataclass
class World:
    """Two teams with a run each, and callers of every kind."""

    settings: Settings
    api: TestClient
    own: dict[str, str]
    foreign: dict[str, str]
    missing: dict[str, str]
    callers: dict[str, dict[str, str]]

    def ask(self, operation: Operation, caller: str, objects: dict[str, str]) -> Any:
        body = {"json": {}} if operation.method not in ("GET", "DELETE") else {}
        url = operation.url(objects)
        answer = self.api.request(operation.method, url, headers=self.callers[caller], **body)
        check_audit(self.settings, operation.id, operation.method, url, caller, self.callers[caller], answer)
        return answer


def objects_of(api: TestClient, worker: Worker, headers: dict[str, str]) -> dict[str, str]:
    """One object of each kind of a team."""
    api.headers.update(headers)
    run = start_run(api)
    groups = f"/api/v1/experiments/{run['experiment_id']}/run-groups"
    group = api.post(groups, json={"hosts": ["bench-1"]}).json()
    worker.finish()
    trial = api.get(f"/api/v1/runs/{run['id']}/trials").json()["data"][0]
    share = api.post(f"/api/v1/runs/{run['id']}/shares", json={}).json()
    hook = api.post("/api/v1/webhooks", json={"url": "https://8.8.8.8/"}).json()
    message = api.post(f"/api/v1/webhooks/{hook['id']}:test").json()
    new_token = {"name": "one", "scopes": ["run:read"], "expires_in_days": 1}
    token = api.post("/api/v1/tokens", json=new_token).json()
    invitation = api.post("/api/v1/invitations", json={"role": "viewer"}).json()
    view = api.post("/api/v1/library/views", json={"name": "ci", "query": "tag:ci"}).json()
    session_id = api.get("/api/v1/sessions").json()["data"][0]["id"]
    signed_in = api.get("/api/v1/session").json()
    schedules = f"/api/v1/experiments/{run['experiment_id']}/schedules"
    schedule = api.post(schedules, json={"cron": "0 2 * * *", "hosts": ["bench-1"]}).json()
    for name in headers:
        del api.headers[name]
    found = {"run_id": run["id"], "experiment_id": run["experiment_id"], "share_id": share["id"]}
    found |= {"group_id": group["id"], "schedule_id": schedule["id"]}
    found |= {"group_id": group["id"], "view_id": view["id"]}
    found |= {"webhook_id": hook["id"], "delivery_id": message["id"]}
    found |= {"token_id": token["id"], "invitation_id": invitation["id"]}
    found |= {"session_id": session_id, "identity_id": f"idn_{'0' * 16}"}
    found |= {"enrolment_id": f"enr_{'0' * 16}"}
    found |= {"session_id": session_id, "account_id": signed_in["account"]["id"]}
    found |= {"team_id": signed_in["team"]["id"]}
    return found | {"trial_id": trial["id"], "cell_id": trial["cell_id"]}


def furnish(settings: Settings, api: TestClient) -> World:
    """Fill an empty database with the world."""
    worker = Worker(settings)
    worker.announce()
    other = add_team(settings)
    callers: dict[str, dict[str, str]] = {"anonymous": {}}
    for role in ROLES:
        callers[role] = browser_headers(settings, add_account(settings, role))
    callers["outsider"] = browser_headers(settings, add_account(settings, "admin", other))
    callers["nobody"] = browser_headers(settings, add_account(settings, None))
    callers["installation"] = browser_headers(settings, add_account(settings, installation_admin=True))
    owner = add_account(settings)
    for scope in SCOPES:
        token = add_token(settings, owner, DEFAULT_TEAM, (scope,))
        callers[f"token {scope}"] = {"Authorization": f"Bearer {token}"}
    own = objects_of(api, worker, callers["admin"])
    foreign = objects_of(api, worker, callers["outsider"])
    missing = {name: value[:4] + "0" * 16 for name, value in own.items()} | {"cell_id": own["cell_id"]}
    return World(settings, api, own, foreign, missing, callers)


@dataclass
class Worlds:
    """Makes copies of one world: its database is a template."""

    databases: Databases
    redis: RedisServer
    folder: Path
    first: World

    @contextmanager
    def copy(self) -> Iterator[World]:
        """A world of its own."""
        with database(self.databases, self.redis, self.folder) as owner:
            settings = as_role(owner, grants.API)
            with TestClient(create_app(settings), base_url=BASE) as api:
                yield replace(self.first, settings=settings, api=api)
            dispose(settings)


@pytest.fixture(scope="module")
def worlds(
    databases: Databases,
    redis_server: RedisServer,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Worlds]:
    folder = tmp_path_factory.mktemp("worlds")
    with database(databases, redis_server, folder) as owner:
        settings = as_role(owner, grants.API)
        with TestClient(create_app(settings), base_url=BASE) as api:
            first = furnish(settings, api)
        for role in (grants.API, grants.WORKER):
            dispose(as_role(owner, role))  # PostgreSQL copies no database that somebody uses
        name = make_url(owner.database_url).database
        assert name is not None
        databases.disconnect(name)
        copies = Databases(databases.postgres, name)
        yield Worlds(copies, redis_server, folder, first)
        copies.close()


@pytest.fixture(scope="module")
def shared(worlds: Worlds) -> Iterator[World]:
    """One world for all requests that change nothing."""
    with worlds.copy() as found:
        yield found


@pytest.fixture
def world(worlds: Worlds, shared: World, request: pytest.FixtureRequest) -> Iterator[World]:
    """The shared world; one of its own for an operation that may change something."""
    if request.getfixturevalue("operation").method == "GET":
        yield shared
        return
    with worlds.copy() as found:
        yield found


def may(operation: Operation, caller: str) -> bool:
    """Whether the rules of roles and scopes admit a caller to its own team's objects."""
    permission = operation.permission
    if permission == "public":
        return True
    if permission == "worker":
        return False  # tests/api/test_worker_access.py has those of hosts
    if caller == "anonymous":
        return False
    if permission == "signed_in":
        return True
    is_token = caller.startswith("token ")
    if permission == "account":
        return not is_token
    if permission == "installation":
        return caller == "installation"
    if is_token and not RULES[operation.id].admits_tokens:
        return False
    if is_token:
        return caller == f"token {RULES[operation.id].needed_scope}"
    role = {"installation": "admin", "outsider": "admin"}.get(caller, caller)
    needed = NEEDED_ROLE[permission]  # type: ignore[index]
    return role in ROLES and ROLES.index(role) >= ROLES.index(needed)  # type: ignore[arg-type]


def same(answer: Any) -> dict[str, Any]:
    """A problem document without the id of its request."""
    found: dict[str, Any] = answer.json()
    return {name: value for name, value in found.items() if name != "instance"}


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.id)
def test_roles_and_scopes(operation: Operation, world: World) -> None:
    # Those that are refused first: a caller that is admitted may delete the object.
    for caller in sorted(world.callers, key=lambda name: may(operation, name)):
        if caller == "outsider" or (caller == "nobody" and operation.objects):
            continue
        answer = world.ask(operation, caller, world.own)
        if caller == "nobody" and operation.permission == "account" and answer.status_code == 403:
            problem_of(answer, 403, "forbidden")  # tokens are of a team, and this account has none
        elif may(operation, caller):
            assert answer.status_code not in (401, 403), (caller, answer.text)
        elif caller == "anonymous" or operation.permission == "worker":
            problem_of(answer, 401, "unauthenticated")
            assert answer.headers["www-authenticate"] == "Bearer"
        else:
            code = "insufficient_scope" if caller.startswith("token ") else "forbidden"
            problem_of(answer, 403, code)


@pytest.mark.parametrize(
    "operation",
    [one for one in OPERATIONS if one.objects and one.permission != "worker"],
    ids=lambda operation: operation.id,
)
def test_objects_of_another_team_appear_missing(operation: Operation, shared: World) -> None:
    for caller in ("viewer", "runner", "admin", "nobody", "token run:read", "token admin"):
        foreign = shared.ask(operation, caller, shared.foreign)
        missing = shared.ask(operation, caller, shared.missing)
        problem_of(foreign, 404, "not_found")
        assert same(foreign) == same(missing)
        assert foreign.headers.keys() == missing.headers.keys()
    problem_of(shared.ask(operation, "outsider", shared.own), 404, "not_found")


def test_lists_show_the_own_team_only(worlds: Worlds) -> None:
    lists = [one for one in OPERATIONS if one.method == "GET" and "{" not in one.path and not one.objects]
    assert {"listRuns", "listExperiments", "listAudit"} <= {one.id for one in lists}
    with worlds.copy() as world:
        for operation in lists:
            text = world.ask(operation, "admin", world.own).text
            for name, value in world.foreign.items():
                assert name == "cell_id" or value not in text, f"{operation.id} shows another team's {name}"


@pytest.mark.parametrize(
    "operation",
    [one for one in OPERATIONS if one.permission == "installation"],
    ids=lambda operation: operation.id,
)
def test_operations_of_the_installation_hide_what_exists(operation: Operation, world: World) -> None:
    for caller in ("viewer", "admin", "outsider", "nobody", "token run:read", "token admin"):
        answers = [world.ask(operation, caller, each) for each in (world.own, world.foreign, world.missing)]
        assert [answer.status_code for answer in answers] == [403, 403, 403]
        assert same(answers[0]) == same(answers[1]) == same(answers[2])


def test_what_changes_something_needs_more_than_reading() -> None:
    harmless = {"previewPlan", "openShare", "openShareSeries", "createSession", "acceptInvitation"}
    # Without an approval from a browser, or on the request's own token.
    harmless |= {"startDeviceAuthorization", "pollDeviceAuthorization", "endToken"}
    # With the secret of an enrolment.
    harmless |= {"enrolHost"}
    # A star is the caller's own.
    harmless |= {"starRun", "unstarRun", "starExperiment", "unstarExperiment"}
    # A visit and a saved search are too; a search of the team needs the role runner.
    harmless |= {"recordHomeVisit", "createLibraryView", "updateLibraryView", "deleteLibraryView"}
    # What an account has seen is its own; a preview starts nothing.
    harmless |= {"markHistoriesSeen", "previewExtension", "previewSchedule"}
    for operation in OPERATIONS:
        if operation.method != "GET" and operation.id not in harmless:
            assert operation.permission not in ("public", "signed_in", "read"), operation.id
    reading = {
        one.id for one in OPERATIONS if one.method != "GET" and RULES[one.id].needed_scope == "run:read"
    }
    assert reading == {"previewPlan", "previewExtension", "previewSchedule"}, "these change nothing"
