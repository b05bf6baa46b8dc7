"""A queued run to work on, and a second installation."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from backend.settings import Settings
from backend.store.session import dispose
from tests.services import PostgresServer
from tests.store.queued_run import QueuedRun, queue_run


def pytest_configure(config: pytest.Config) -> None:
    """PostgreSQL and Redis for the tests of this folder."""
    config.pluginmanager.import_plugin("tests.service_fixtures")


@pytest.fixture
def settings(owner_settings: Settings) -> Settings:
    """These tests read and write behind the repositories, too, and change the schema."""
    return owner_settings


@pytest.fixture
def queued(settings: Settings) -> QueuedRun:
    """A queued run of four trials: two cells, two rounds, host bench-1."""
    return queue_run(settings)


@pytest.fixture
def elsewhere(settings: Settings, postgres: PostgresServer) -> Iterator[Settings]:
    """The settings of a second installation, whose database has nothing in it."""
    name = "plimsoll_elsewhere"
    with postgres.connect("postgres") as connection:
        connection.execute(f'CREATE DATABASE "{name}"')
    found = settings.model_copy(update={"database_url": postgres.url(name)})
    yield found
    dispose(found)
    with postgres.connect("postgres") as connection:
        connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)')
