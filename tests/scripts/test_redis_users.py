"""What the users of Redis may do, on a real server."""

from __future__ import annotations

import os
import re
import shutil
import signal
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import redis
import yaml
from kombu.transport.redis import Mutex, MutexHeld
from redis.exceptions import AuthenticationError, NoPermissionError, OutOfMemoryError, RedisError

from backend.queue import make_celery, unacked_keys
from backend.settings import Settings
from scripts.starter import redis as redis_of_starter
from scripts.starter import redis_users
from scripts.starter.layout import Layout
from scripts.starter.redis import LIMITS
from scripts.starter.redis_users import API, STARTER, WORKER
from tests.services import ROOT, RedisServer

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
    ("EVALSHA", "0" * 40, 0),
    ("EVAL_RO", "return 1", 0),
    ("SCRIPT", "LOAD", "while true do end"),
    ("SCRIPT", "KILL"),
    ("FUNCTION", "LOAD", "#!lua name=a"),
    ("FCALL", "a", 0),
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


def test_the_queues_lock_needs_no_script(server: RedisServer) -> None:
    """kombu takes it before it puts messages of an ended worker back into the queue."""
    name = unacked_keys("bench-1")["unacked_mutex_key"]
    url = f"unix://{WORKER}:{PASSWORDS[WORKER]}@{server.socket}"
    app = make_celery(Settings(redis_url=url, host_name="bench-1"))
    with app.connection_for_write() as connection:
        redis_client = connection.default_channel.client
        with Mutex(redis_client, name, 60):
            assert client(server, WORKER).get(name) is not None
            with pytest.raises(MutexHeld), Mutex(redis_client, name, 60):
                pass
        assert client(server, WORKER).get(name) is None
        with Mutex(redis_client, name, 60):
            client(server, WORKER).set(name, b"of another")
        assert client(server, WORKER).get(name) == b"of another", "a lock that expired is another worker's"


def test_a_redis_that_is_silent_is_restarted(
    server: RedisServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        redis_of_starter,
        "redis_url",
        lambda *_: f"unix://{STARTER}:{PASSWORDS[STARTER]}@{server.socket}",
    )
    service = redis_of_starter.Redis(
        Layout(tmp_path, tmp_path / "var", tmp_path / "run", "0a1b2c", 8420)
    ).service()
    assert service.health is not None and service.health.answers()
    assert server._process is not None
    os.kill(server._process.pid, signal.SIGSTOP)
    try:
        began = time.monotonic()
        assert not service.health.answers()
        assert time.monotonic() - began < 20, "three checks of it and the limit of silence take seconds"
    finally:
        os.kill(server._process.pid, signal.SIGCONT)
    assert service.health.answers()


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


@pytest.fixture
def small() -> Iterator[RedisServer]:
    """A Redis with the product's limits."""
    home = Path(tempfile.mkdtemp(prefix="plm-"))
    (home / "users.acl").write_text(redis_users.rules(PASSWORDS, "bench-1"))
    options = tuple(part for name, value in LIMITS.items() for part in (f"--{name}", value))
    made = RedisServer(home, home / "users.acl", (STARTER, PASSWORDS[STARTER]), options)
    made.start()
    yield made
    made.stop()
    shutil.rmtree(home, ignore_errors=True)


def resident_mb(server: RedisServer) -> int:
    assert server._process is not None
    (line,) = re.findall(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{server._process.pid}/status").read_text())
    return int(line) // 1024


def test_a_worker_fills_no_memory_of_the_server(small: RedisServer) -> None:
    """It would be that of the API and of PostgreSQL: the kernel ends the largest process, whosever it is."""
    worker, value = client(small, WORKER), b"x" * 900_000
    with pytest.raises(OutOfMemoryError):
        for _ in range(500):
            worker.lpush("host.bench-1", value)
    with pytest.raises((RedisError, OSError)):
        worker.set("plimsoll:window:bench-1", b"x" * 2**21)
    with pytest.raises((RedisError, OSError)):
        waiting = client(small, WORKER).pipeline()
        for _ in range(500):
            waiting.publish("plimsoll:live:run_1", value)
        waiting.execute()
    assert resident_mb(small) < 400
    assert client(small, STARTER).ping()
    assert client(small, API).publish("plimsoll:events:run_1", "") == 0
    worker.delete("host.bench-1")
    assert client(small, API).lpush("host.bench-1", "x") == 1


def test_the_redis_of_compose_has_the_same_limits() -> None:
    options = yaml.safe_load((ROOT / "compose.yaml").read_text())["services"]["redis"]["command"]
    given = dict(zip(options[1::2], options[2::2], strict=True))
    assert {name: given.get(f"--{name}") for name in LIMITS} == LIMITS


def test_no_password_is_in_the_file() -> None:
    text = redis_users.rules(PASSWORDS, "bench-1")
    assert all(password not in text for password in PASSWORDS.values())
