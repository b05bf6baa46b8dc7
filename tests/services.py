"""A real PostgreSQL and a real Redis for the tests, on Unix sockets only, and the migrations for it."""

from __future__ import annotations

import getpass
import os
import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psycopg
import pytest
import redis
from alembic import command
from alembic.config import Config
from sqlalchemy import create_engine, make_url

from backend.settings import Settings
from backend.store import grants
from scripts.starter import redis_users

REDIS_USERS = {grants.API: redis_users.API, grants.WORKER: redis_users.WORKER}
REDIS_ADMIN = "tests"
ROOT = Path(__file__).parent.parent
START_S = 120.0


def _binary(name: str, *places: Path) -> str:
    found = shutil.which(name) or next((str(p / name) for p in places if (p / name).exists()), None)
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


def _postgres_binaries() -> list[Path]:
    return sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda p: int(p.parent.name), reverse=True)


def _as_postgres() -> list[str]:
    """PostgreSQL refuses to run as root: then the package's own user runs it."""
    if os.geteuid() != 0:
        return []
    return [_binary("setpriv"), "--reuid", "postgres", "--regid", "postgres", "--clear-groups", "--"]


def _wait(process: subprocess.Popen[bytes], ready: Callable[[], object], log: Path) -> None:
    """Wait until `ready` stops raising."""
    deadline = time.monotonic() + START_S
    while True:
        try:
            ready()
            return
        except (psycopg.OperationalError, redis.RedisError, OSError) as error:
            if process.poll() is not None or time.monotonic() > deadline:
                pytest.fail(f"{process.args!r} did not start: {error}\n{log.read_text()[-2000:]}")
            time.sleep(0.05)


class PostgresServer:
    """A private PostgreSQL that tests may stop and start."""

    def __init__(self, home: Path, more: tuple[str, ...] = ()) -> None:
        """`more` are further options of initdb."""
        self.home = home
        self.user = getpass.getuser() if os.geteuid() != 0 else "postgres"
        self._bin = _postgres_binaries()
        self._log = home / "postgres.log"
        self._process: subprocess.Popen[bytes] | None = None
        initdb = _binary("initdb", *self._bin)
        if os.geteuid() == 0:
            shutil.chown(home, "postgres", "postgres")
        options = ["-A", "trust", "-U", self.user, "-E", "UTF8", "--locale=C.UTF-8", "--no-sync", *more]
        subprocess.run(
            [*_as_postgres(), initdb, "-D", str(home / "data"), *options],
            check=True, capture_output=True, cwd="/",
        )  # fmt: skip

    def start(self) -> None:
        """Start and wait until it answers."""
        fast = {
            "fsync": "off",
            "full_page_writes": "off",
            "max_connections": "100",
        }
        places = {"listen_addresses": "", "unix_socket_directories": str(self.home)}
        flags = [part for name, value in {**fast, **places}.items() for part in ("-c", f"{name}={value}")]
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                [*_as_postgres(), _binary("postgres", *self._bin), "-D", str(self.home / "data"), *flags],
                stdout=log, stderr=log, cwd="/",
            )  # fmt: skip
        _wait(self._process, lambda: self.connect("postgres").close(), self._log)

    def stop(self) -> None:
        """Stop at once, as a crash would."""
        if self._process is not None:
            self._process.send_signal(3)
            self._process.wait(START_S)
            self._process = None

    def connect(self, database: str) -> psycopg.Connection[Any]:
        """An autocommit connection."""
        return psycopg.connect(host=str(self.home), user=self.user, dbname=database, autocommit=True)

    def url(self, database: str, role: str | None = None) -> str:
        """The database in SQLAlchemy's spelling, for a role; by default for the superuser."""
        return f"postgresql+psycopg://{role or self.user}@/{database}?host={self.home}"

    def create_roles(self) -> None:
        """Create the roles of an installation, without passwords."""
        with self.connect("postgres") as connection:
            for role in grants.ROLES:
                connection.execute(f"CREATE ROLE {role} LOGIN")


class RedisServer:
    """A private Redis that tests may stop and start."""

    def __init__(
        self,
        home: Path,
        users: Path | None = None,
        login: tuple[str, str] | None = None,
        more: tuple[str, ...] = (),
    ) -> None:
        """`users` is an ACL file, `login` the user and password of `client`, `more` are further options."""
        self._more = more
        self.home = home
        self.socket = home / "redis.sock"
        self.durable = False
        self._users = users
        self._login = login or (None, None)
        self._log = home / "redis.log"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start and wait until it answers."""
        options = ["--port", "0", "--unixsocket", str(self.socket), "--save", "", *self._more]
        if self._users is not None:
            options += ["--aclfile", str(self._users)]
        if self.durable:
            options += ["--appendonly", "yes", "--appendfsync", "always"]
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                [_binary("redis-server"), *options], stdout=log, stderr=log, cwd=self.home
            )
        _wait(self._process, lambda: self.client().ping(), self._log)

    def stop(self) -> None:
        """Stop at once."""
        if self._process is not None:
            self._process.kill()
            self._process.wait(START_S)
            self._process = None

    def client(self) -> redis.Redis:
        """A client."""
        user, password = self._login
        return redis.Redis(unix_socket_path=str(self.socket), username=user, password=password)


def alembic_config() -> Config:
    """Alembic as the project configures it."""
    return Config(str(ROOT / "alembic.ini"))


def migrate(url: str, revision: str = "head") -> None:
    """Upgrade a database."""
    engine = create_engine(url)
    with engine.connect() as connection:
        config = alembic_config()
        config.attributes["connection"] = connection
        command.upgrade(config, revision)
    engine.dispose()


def as_role(settings: Settings, role: str) -> Settings:
    """These settings with another role of the database, and the user of Redis that belongs to it."""
    url = make_url(settings.database_url).set(username=role)
    found = {"database_url": url.render_as_string(hide_password=False)}
    if settings.redis_url is not None and role in REDIS_USERS:
        path = settings.redis_url.rpartition("@")[2]
        found["redis_url"] = redis_url(REDIS_USERS[role], path)
    return settings.model_copy(update=found)


def redis_url(user: str, path: str | Path) -> str:
    """The address of the tests' Redis for one of its users, whose password is its name."""
    return f"unix://{user}:{user}@{path}"


def redis_rules(host_name: str) -> str:
    """The product's users of Redis, and one for the tests that may do everything."""
    users = (redis_users.API, redis_users.WORKER, redis_users.STARTER)
    rules = redis_users.rules({name: name for name in users}, host_name)
    return f"{rules}user {REDIS_ADMIN} reset on nopass allkeys allchannels +@all\n"
