"""A real PostgreSQL and a real Redis, started once for the tests that ask for `settings`.

Each such test gets a migrated database of its own: no rows of others are in it. The folders whose tests
need them register this module as a plugin in their conftest.py: with imported fixtures, each would start
servers.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from backend.settings import Settings
from backend.store import grants
from backend.store.session import dispose
from tests.databases import Databases
from tests.services import (
    REDIS_ADMIN,
    PostgresServer,
    RedisServer,
    as_role,
    migrate,
    redis_rules,
    redis_url,
)

RATES = ("rate_address_reads", "rate_address_writes", "rate_caller_reads", "rate_caller_writes")
"""Limits that tests of other things must not meet: a test sends its requests as fast as it can."""
HOST = "bench-1"
MEMORY = Path("/dev/shm")
MEMORY_FREE = 8 << 30
"""Free bytes from which on the servers' files are kept in memory: each test clones a database of 11 MB."""


def _memory() -> Path | None:
    """A file system in memory, where this machine has one with enough room."""
    if not MEMORY.is_dir() or shutil.disk_usage(MEMORY).free < MEMORY_FREE:
        return None
    return MEMORY


@pytest.fixture(scope="session")
def server_home() -> Iterator[Path]:
    """A short directory, because the path of a Unix socket has 107 bytes at most."""
    home = Path(tempfile.mkdtemp(prefix="plm-", dir=_memory()))
    home.chmod(0o755)
    yield home
    shutil.rmtree(home, ignore_errors=True)


@pytest.fixture(scope="session")
def postgres(server_home: Path) -> Iterator[PostgresServer]:
    """The PostgreSQL of this test session."""
    home = server_home / "pg"
    home.mkdir()
    server = PostgresServer(home)
    server.start()
    yield server
    server.stop()


@pytest.fixture(scope="session")
def template(postgres: PostgresServer) -> str:
    """A migrated database to clone."""
    name = "plimsoll_template"
    postgres.create_roles()
    with postgres.connect("postgres") as connection:
        connection.execute(f'CREATE DATABASE "{name}" OWNER {grants.MIGRATE}')
    migrate(postgres.url(name, grants.MIGRATE))
    return name


@pytest.fixture(scope="session")
def redis_server(server_home: Path) -> Iterator[RedisServer]:
    """The Redis of this test session."""
    home = server_home / "redis"
    home.mkdir()
    (home / "users.acl").write_text(redis_rules(HOST))
    server = RedisServer(home, home / "users.acl", (REDIS_ADMIN, REDIS_ADMIN))
    server.start()
    yield server
    server.stop()


@pytest.fixture(scope="session")
def databases(postgres: PostgresServer, template: str) -> Iterator[Databases]:
    """The databases that the tests borrow."""
    lent = Databases(postgres, template)
    yield lent
    lent.close()


@contextmanager
def database(
    databases: Databases, redis_server: RedisServer, folder: Path, *, new: bool = False
) -> Iterator[Settings]:
    """Settings with a database of their own and an empty Redis, and the superuser's role."""
    name = databases.take(new=new)
    redis_server.client().flushall()
    lent = Settings(
        database_url=databases.postgres.url(name),
        redis_url=redis_url(REDIS_ADMIN, redis_server.socket),
        var_dir=folder / "var",
        runtime_dir=folder / "run",
        run_ends_every_s=0,
        webhook_every_s=0,
        page_dir=folder / "page",
        host_name=HOST,
        result_every_s=0,
        **dict.fromkeys(RATES, "off"),
    )
    yield lent
    for role in grants.ROLES:  # a connection that stays open would keep the database from being lent again
        dispose(as_role(lent, role))
    dispose(lent)
    databases.give_back(name)


@pytest.fixture
def owner_settings(
    request: pytest.FixtureRequest, databases: Databases, redis_server: RedisServer, tmp_path: Path
) -> Iterator[Settings]:
    """The settings of this test's own database, with the superuser's role."""
    new = request.node.get_closest_marker("new_database") is not None
    with database(databases, redis_server, tmp_path, new=new) as lent:
        yield lent


@pytest.fixture
def settings(owner_settings: Settings) -> Iterator[Settings]:
    """The settings of the API on that database: a missing privilege fails a test."""
    found = as_role(owner_settings, grants.API)
    yield found
    dispose(found)


@pytest.fixture
def worker_settings(owner_settings: Settings) -> Iterator[Settings]:
    """The settings of the worker on that database: a missing privilege fails a test."""
    found = as_role(owner_settings, grants.WORKER)
    yield found
    dispose(found)
