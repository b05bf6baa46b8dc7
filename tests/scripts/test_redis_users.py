"""What the users of Redis may do, on a real server."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import redis
from redis.exceptions import AuthenticationError, NoPermissionError

from scripts.starter import redis_users
from scripts.starter.redis_users import API, STARTER, WORKER
from tests.services import RedisServer

PASSWORDS = {name: f"secret-of-{name}" for name in (API, WORKER, STARTER)}


@pytest.fixture(scope="module")
def server() -> Iterator[RedisServer]:
    """A Redis with the product's users, for the host bench-1."""
    home = Path(tempfile.mkdtemp(prefix="plm-"))
    (home / "users.acl").write_text(redis_users.rules(PASSWORDS, "bench-1"))
    made = RedisServer(home, users=home / "users.acl", login=(STARTER, PASSWORDS[STARTER]))
    made.start()
    yield made
    made.stop()
    shutil.rmtree(home, ignore_errors=True)


def client(server: RedisServer, user: str | None) -> redis.Redis:
    password = PASSWORDS.get(user) if user else None
    return redis.Redis(unix_socket_path=str(server.socket), username=user, password=password, retry=None)


def test_nobody_gets_in_without_a_password(server: RedisServer) -> None:
    with pytest.raises(AuthenticationError):
        client(server, None).ping()
    of_another = PASSWORDS[WORKER]
    with pytest.raises(AuthenticationError):
        redis.Redis(unix_socket_path=str(server.socket), username=API, password=of_another, retry=None).ping()


COMMON: list[tuple[Any, ...]] = [
    ("CONFIG", "GET", "*"),
    ("CONFIG", "SET", "dir", "/tmp"),
    ("ACL", "LIST"),
    ("ACL", "SETUSER", "more", "on", "nopass", "+@all"),
    ("EVAL", "return 1", 0),
    ("KEYS", "*"),
    ("SCAN", 0),
    ("FLUSHALL",),
    ("MONITOR",),
    ("CLIENT", "LIST"),
    ("SHUTDOWN",),
    ("MODULE", "LIST"),
    ("REPLICAOF", "127.0.0.1", "1"),
    ("PSUBSCRIBE", "*"),
    ("SAVE",),
]


@pytest.mark.parametrize("user", [API, WORKER, STARTER])
@pytest.mark.parametrize("command", COMMON, ids=lambda command: " ".join(map(str, command[:2])))
def test_no_user_administrates_or_reads_what_others_do(
    server: RedisServer, user: str, command: tuple[Any, ...]
) -> None:
    with pytest.raises(NoPermissionError):
        client(server, user).execute_command(*command)


@pytest.mark.parametrize(
    ("user", "command"),
    [
        (API, ("BRPOP", "host.bench-1", 1)),
        (API, ("DEL", "host.bench-1")),
        (API, ("GET", "unacked:host.bench-1")),
        (API, ("SET", "plimsoll:window:bench-1", "x")),
        (API, ("PUBLISH", "other", "x")),
        (API, ("LPUSH", "other", "x")),
        (WORKER, ("LPUSH", "host.bench-2", "x")),
        (WORKER, ("BRPOP", "host.bench-2", 1)),
        (WORKER, ("SET", "plimsoll:window:bench-2", "x")),
        (WORKER, ("SADD", "_kombu.binding.host.bench-2", "x")),
        (WORKER, ("HGET", "unacked:host.bench-2", "x")),
        (WORKER, ("SUBSCRIBE", "plimsoll:live:run_1")),
        (WORKER, ("PUBLISH", "other", "x")),
        (STARTER, ("GET", "host.bench-1")),
    ],
)
def test_a_user_is_limited_to_its_keys_and_channels(
    server: RedisServer, user: str, command: tuple[Any, ...]
) -> None:
    with pytest.raises(NoPermissionError):
        client(server, user).execute_command(*command)


def test_a_restart_loads_every_transaction() -> None:
    """Redis loads its append-only file as the default user, which must be allowed to do everything."""
    home = Path(tempfile.mkdtemp(prefix="plm-"))
    (home / "users.acl").write_text(redis_users.rules(PASSWORDS, "bench-1"))
    server = RedisServer(home, users=home / "users.acl", login=(STARTER, PASSWORDS[STARTER]))
    server.durable = True
    server.start()
    try:
        with client(server, WORKER).pipeline(transaction=True) as pipe:
            pipe.sadd("_kombu.binding.host.bench-1", "x").set("unacked:host.bench-1", "y").execute()
        server.stop()
        server.start()
        assert client(server, WORKER).get("unacked:host.bench-1") == b"y"
        assert client(server, API).smembers("_kombu.binding.host.bench-1") == {b"x"}
    finally:
        server.stop()
        shutil.rmtree(home, ignore_errors=True)


def test_no_password_is_in_the_file() -> None:
    text = redis_users.rules(PASSWORDS, "bench-1")
    assert all(password not in text for password in PASSWORDS.values())
