"""One server for all tests of a file: a refused request changes nothing that the next one could see."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from backend.api.access.actor import ROLES, SCOPES
from backend.api.app import create_app
from backend.store import grants
from backend.store.models import DEFAULT_TEAM
from tests.accounts import add_account, add_team, add_token, browser_headers
from tests.api.attacks.arena import Arena
from tests.api.client import BASE, Worker
from tests.api.test_authorisation import objects_of
from tests.databases import Databases
from tests.service_fixtures import database
from tests.services import RedisServer, as_role


@pytest.fixture(scope="module")
def arena(
    databases: Databases,
    redis_server: RedisServer,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Arena]:
    """Two teams with a finished run each, and callers of every kind."""
    folder: Path = tmp_path_factory.mktemp("arena")
    with database(databases, redis_server, folder) as owner:
        settings = as_role(owner, grants.API)
        worker = Worker(settings)
        worker.announce()
        with TestClient(create_app(settings), base_url=BASE) as api:
            other = add_team(settings)
            callers: dict[str, dict[str, str]] = {"anonymous": {}}
            for role in ROLES:
                callers[role] = browser_headers(settings, add_account(settings, role))
            callers["outsider"] = browser_headers(settings, add_account(settings, "admin", other))
            above = add_account(settings, installation_admin=True)
            callers["installation"] = browser_headers(settings, above)
            for scope in SCOPES:
                token = add_token(settings, above, DEFAULT_TEAM, (scope,))
                callers[f"token {scope}"] = {"Authorization": f"Bearer {token}"}
            own = objects_of(api, worker, callers["admin"])
            foreign = objects_of(api, worker, callers["outsider"])
            yield Arena(settings, owner, redis_server, api, worker, callers, own, foreign)
