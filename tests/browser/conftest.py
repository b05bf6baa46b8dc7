"""The time limit of a test, above that of its program, and seeded records, which are cloned for each test."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import make_url

from backend.api.app import create_app
from backend.settings import Settings
from backend.store import grants
from backend.store.session import dispose
from tests.accounts import add_account, browser_headers
from tests.api.client import BASE
from tests.browser.hosts.seeded import addresses, seed
from tests.browser.program import PROGRAM_S
from tests.databases import Databases
from tests.service_fixtures import database
from tests.services import RedisServer, as_role

HERE = Path(__file__).parent


def pytest_configure(config: pytest.Config) -> None:
    """PostgreSQL and Redis for the tests of this folder."""
    config.pluginmanager.import_plugin("tests.service_fixtures")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give every test of this folder its limit."""
    for item in items:
        if item.path.is_relative_to(HERE):
            item.add_marker(pytest.mark.timeout(PROGRAM_S + 120))


@dataclass(frozen=True)
class Template:
    """Databases of hosts and groups of runs, an administrator's cookie, ids in them."""

    databases: Databases
    cookie: str
    addresses: dict[str, str]


@dataclass(frozen=True)
class Seeded:
    """A clone of the template: the API's settings, the same cookie and the same ids."""

    settings: Settings
    cookie: str
    addresses: dict[str, str]


@pytest.fixture(scope="session")
def seeded_template(
    databases: Databases,
    redis_server: RedisServer,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Template]:
    """Hosts and groups of runs, stored once: recording their trials takes seconds."""
    with database(databases, redis_server, tmp_path_factory.mktemp("seeded"), new=True) as owner:
        settings = as_role(owner, grants.API)
        headers = browser_headers(settings, add_account(settings, installation_admin=True))
        with TestClient(create_app(settings), base_url=BASE, headers=headers) as api:
            known = addresses(api, seed(api, settings))
        name = make_url(owner.database_url).database
        assert name is not None
        for role in grants.ROLES:  # a database with a connection cannot be cloned
            dispose(as_role(owner, role))
        databases.disconnect(name)
        clones = Databases(databases.postgres, name)
        yield Template(clones, headers["Cookie"], known)
        clones.close()


@pytest.fixture
def seeded(seeded_template: Template, redis_server: RedisServer, tmp_path: Path) -> Iterator[Seeded]:
    """The seeded records in a database of this test."""
    with database(seeded_template.databases, redis_server, tmp_path) as owner:
        settings = as_role(owner, grants.API)
        yield Seeded(settings, seeded_template.cookie, seeded_template.addresses)
        dispose(settings)
