"""The services of an installation without worker and engines, started as `scripts/up` starts them."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import psycopg

from backend.settings import Settings
from backend.store import grants
from backend.store.role_url import DATABASE
from scripts.starter import api, confinement, environment, layout, leftovers, lock, redis_users
from scripts.starter.layout import Layout
from scripts.starter.listening import open_listener
from scripts.starter.migration import Migration
from scripts.starter.postgres import Postgres
from scripts.starter.private import UMASK
from scripts.starter.processes import Service, Supervisor
from scripts.starter.reach import Reach
from scripts.starter.redis import Redis
from scripts.starter.stopping import Stop
from scripts.starter.terminal import Terminal

LISTEN: Final = "127.0.0.1"


class _Progress(Terminal):
    """Says nothing: what a start prints is in the logs, and standard output has the figures."""

    def plain(self, text: str) -> None:
        """Print nothing."""


@dataclass
class Installation:
    """A database with Redis and, once started, the API; `pids` are their first processes by name."""

    layout: Layout
    stop: Stop
    supervisor: Supervisor
    listener: socket.socket
    pids: dict[str, int]

    @property
    def url(self) -> str:
        """The address of the API."""
        return self.layout.url

    def settings(self, role: str) -> Settings:
        """The settings of a program with this role of the database."""
        user = redis_users.API if role == grants.API else redis_users.WORKER
        return Settings(
            database_url=environment.database_url(self.layout, role),
            redis_url=environment.redis_url(self.layout, user),
            install_id=self.layout.install_id,
            host_name=environment.host_name(),
            port=self.layout.port,
        )

    def superuser(self) -> psycopg.Connection[tuple[object, ...]]:
        """A connection to the database as its superuser."""
        return psycopg.connect(host=str(self.layout.postgres_socket), user="postgres", dbname=DATABASE)

    def start_api(self) -> None:
        """Start the API as its own user. Raises Refusal."""
        confinement.prepare(self.layout)
        self._start(api.service(self.layout, self.listener.fileno()))

    def restart_api(self) -> None:
        """Stop the API and start it again: what was in its memory is gone."""
        self.supervisor.stop_last()
        self.start_api()

    def _start(self, service: Service) -> None:
        self.pids[service.name] = self.supervisor.start(service).pid


@contextmanager
def services(root: Path, var: Path) -> Iterator[Installation]:
    """PostgreSQL with a migrated database, and Redis; everything is stopped at the end. Raises Refusal."""
    before = os.umask(UMASK)
    var.mkdir(parents=True, exist_ok=True)
    lock.hold(var / "lock", None)
    listener = open_listener(LISTEN, 0)
    made = layout.prepare(root, var, Reach(listen=LISTEN, port=listener.getsockname()[1]))
    stop, terminal = Stop(), _Progress()
    supervisor = Supervisor(
        made.logs, terminal, stop, on_spawn=lambda name, pid: leftovers.note(made.runtime, name, pid)
    )
    found = Installation(made, stop, supervisor, listener, {})
    try:
        _bring_up(found)
        yield found
    finally:
        supervisor.stop_all()
        listener.close()
        layout.remove_runtime(made)
        os.umask(before)


def _bring_up(found: Installation) -> None:
    postgres, redis = Postgres(found.layout), Redis(found.layout)
    postgres.prepare(found.stop)
    found._start(postgres.service())
    postgres.ensure_database()
    redis.prepare()
    found._start(redis.service())
    Migration(found.layout, postgres.revision).run(found.stop)
