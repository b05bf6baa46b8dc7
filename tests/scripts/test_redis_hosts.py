"""Users of Redis for enrolled hosts, on a real server with TLS: what they may do, and how long they exist."""

from __future__ import annotations

import hashlib
import shutil
import socket
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import redis
from kombu.exceptions import OperationalError
from redis.exceptions import AuthenticationError, ConnectionError, NoPermissionError

from backend.queue import host_user, live_channel, make_celery, publish_live, queue_name, unacked_keys, wake
from backend.settings import Settings
from scripts.starter import redis_users
from scripts.starter.certificate import make
from scripts.starter.redis import listening
from scripts.starter.redis_hosts import HostUsers
from scripts.starter.redis_users import API, KEEPER, STARTER, WORKER, host_rule
from scripts.starter.terminal import Terminal
from tests.services import RedisServer

PASSWORDS = {name: f"secret-of-{name}" for name in (API, WORKER, STARTER, KEEPER)}
TOKENS = {"bench-2": "plh_two", "bench-3": "plh_three"}


def digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def wanted(*names: str) -> dict[str, list[str]]:
    """The users of these hosts, whose tokens have the id htk_NAME."""
    return {host_user(f"htk_{name}"): host_rule(name, digest(TOKENS[name])) for name in names}


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as found:
        return int(found.getsockname()[1])


class Served:
    """A Redis as the starter runs it, open to hosts on `port`; `users` are those that `kept` shall have."""

    def __init__(self, home: Path) -> None:
        pair = make(("127.0.0.1",), datetime.now(UTC))
        self.ca, self.port, self.home = home / "ca.pem", free_port(), home
        (home / "server.pem").write_bytes(pair.key + pair.chain)
        self.ca.write_bytes(pair.chain)
        (home / "users.acl").write_text(redis_users.rules(PASSWORDS, "bench-1"))
        options = listening("127.0.0.1", self.port, str(home / "server.pem"))
        more = tuple(part for name, value in options.items() for part in (f"--{name}", value))
        self.server = RedisServer(home, home / "users.acl", (STARTER, PASSWORDS[STARTER]), more)
        self.server.start()
        self.users: dict[str, list[str]] = {}

    def kept(self, **options: Any) -> HostUsers:
        return HostUsers(lambda: self.users, self.client(KEEPER, **options), Terminal())

    def client(self, user: str, **options: Any) -> redis.Redis:
        return redis.Redis(
            unix_socket_path=str(self.server.socket), username=user, password=PASSWORDS[user], **options
        )

    def url(self, name: str, token: str | None = None) -> str:
        login = f"{host_user(f'htk_{name}')}:{token or TOKENS[name]}"
        return f"rediss://{login}@127.0.0.1:{self.port}/0?ssl_cert_reqs=required&ssl_ca_certs={self.ca}"

    def host(self, name: str, token: str | None = None) -> redis.Redis:
        return redis.Redis.from_url(self.url(name, token), retry=None, socket_timeout=5)


@pytest.fixture(scope="module")
def shared() -> Iterator[Served]:
    """A Redis with users for bench-2 and bench-3, for tests that change nothing."""
    with serving() as found:
        yield found


@pytest.fixture
def served() -> Iterator[Served]:
    """A Redis with users for bench-2 and bench-3."""
    with serving() as found:
        yield found


@contextmanager
def serving() -> Iterator[Served]:
    home = Path(tempfile.mkdtemp(prefix="plm-"))
    found = Served(home)
    found.users = wanted("bench-2", "bench-3")
    found.kept().refresh()
    yield found
    found.server.stop()
    shutil.rmtree(home, ignore_errors=True)


DENIED: list[tuple[Any, ...]] = [
    *[("BRPOP", "host.bench-3", 1), ("LPUSH", "host.bench-3", "x"), ("LPUSH", "host.bench-1", "x")],
    *[("LLEN", "host.bench-3"), ("SADD", "_kombu.binding.host.bench-3", "x"), ("GET", "host.bench-22")],
    *[("HGET", unacked_keys("bench-3")["unacked_key"], "x"), ("GET", "plimsoll:window:bench-1")],
    *[("SET", "plimsoll:window:bench-2", "x"), ("PUBLISH", "plimsoll:events:run_1", "")],
    *[("PUBLISH", "other", "x"), ("SUBSCRIBE", "plimsoll:live:run_1"), ("PSUBSCRIBE", "*")],
    *[("KEYS", "*"), ("SCAN", 0), ("FLUSHALL",), ("FLUSHDB",), ("CONFIG", "GET", "*"), ("MONITOR",)],
    *[("ACL", "LIST"), ("ACL", "WHOAMI"), ("ACL", "SETUSER", "x", "on"), ("EVAL", "return 1", 0)],
    *[("CLIENT", "LIST"), ("SHUTDOWN",), ("REPLICAOF", "127.0.0.1", "1"), ("INFO",)],
]


@pytest.mark.parametrize("command", DENIED, ids=lambda command: " ".join(map(str, command[:2])))
def test_a_host_is_limited_to_its_own_queue(shared: Served, command: tuple[Any, ...]) -> None:
    with pytest.raises(NoPermissionError):
        shared.host("bench-2").execute_command(*command)


def test_a_host_runs_no_script(shared: Served) -> None:
    client = shared.host("bench-2")
    for command in (
        ("SCRIPT", "LOAD", "while true do end"),
        ("EVALSHA", "0" * 40, 0),
        ("EVAL", "return 1", 0),
    ):
        with pytest.raises(redis.exceptions.NoPermissionError):
            client.execute_command(*command)


def settings(url: str, name: str) -> Settings:
    return Settings(redis_url=url, host_name=name)


def test_a_wake_up_of_the_server_reaches_its_host_by_tls(shared: Served) -> None:
    """Celery's own transport, with its tables of bindings and unacknowledged messages."""
    server = make_celery(settings(f"unix://{API}:{PASSWORDS[API]}@{shared.server.socket}", "bench-1"))
    received: list[str] = []
    host = make_celery(settings(shared.url("bench-2"), "bench-2"))
    host.conf.task_default_queue = queue_name("bench-2")  # as worker.app

    def take(_body: Any, message: Any) -> None:
        received.append(message.headers["task"])
        message.ack()

    with (
        host.connection_for_read() as connection,
        host.amqp.TaskConsumer(connection.default_channel, callbacks=[take]),
    ):
        assert wake(server, "bench-2", 2)
        while len(received) < 2:
            connection.drain_events(timeout=10)
    assert received == ["plimsoll.trial"] * 2
    assert shared.client(API).llen(queue_name("bench-2")) == 0


def test_a_host_cannot_receive_from_the_queue_of_another(shared: Served) -> None:
    app = make_celery(settings(shared.url("bench-2"), "bench-2"))
    with app.connection_for_read() as connection, pytest.raises((OperationalError, NoPermissionError)):
        queue = app.amqp.queues.select_add(queue_name("bench-3"))
        with app.amqp.TaskConsumer(connection.default_channel, queues=[queue], callbacks=[print]):
            connection.drain_events(timeout=5)


def test_live_samples_of_a_host_reach_the_server(shared: Served) -> None:
    listener = shared.client(API).pubsub(ignore_subscribe_messages=True)
    listener.subscribe(live_channel("run_1"))
    listener.get_message(timeout=5)
    assert publish_live(shared.host("bench-2"), "run_1", {"rate": 1.0})
    message = None
    while message is None:
        message = listener.get_message(timeout=10)
    assert message["data"] == b'{"rate": 1.0}'


def test_a_revoked_token_ends_its_connections(served: Served) -> None:
    before = served.host("bench-2")
    assert before.ping()
    kept = before.connection_pool.get_connection()
    served.users = wanted("bench-3")
    served.kept().refresh()
    with pytest.raises((ConnectionError, AuthenticationError)):
        kept.send_command("PING")
        kept.read_response()
    with pytest.raises(AuthenticationError):
        served.host("bench-2").ping()
    assert served.host("bench-3").ping()


def test_the_users_are_there_after_a_restart_and_users_of_a_lost_file_come_back(served: Served) -> None:
    kept = served.kept()
    kept.refresh()
    served.server.stop()
    served.server.start()
    assert served.host("bench-2").ping()
    served.server.stop()
    (served.home / "users.acl").write_text(redis_users.rules(PASSWORDS, "bench-1"))
    served.server.start()
    with pytest.raises(AuthenticationError):
        served.host("bench-2").ping()
    kept.refresh()
    assert served.host("bench-2").ping()


def test_a_redis_that_does_not_answer_is_reported_once(
    served: Served, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = served.kept(retry=None)
    served.server.stop()
    for _ in range(3):
        kept.refresh()
    assert capsys.readouterr().out.count("users of enrolled hosts are not kept for now") == 1


def test_nothing_but_tls_is_spoken_and_nobody_gets_in_without_a_token(shared: Served) -> None:
    with pytest.raises(ConnectionError):
        redis.Redis("127.0.0.1", shared.port, username=API, password=PASSWORDS[API], retry=None).ping()
    with pytest.raises(AuthenticationError):
        shared.host("bench-2", "plh_three").ping()
    with pytest.raises(AuthenticationError):
        redis.Redis("127.0.0.1", shared.port, ssl=True, ssl_ca_certs=str(shared.ca), retry=None).ping()


def test_no_token_is_in_the_file(shared: Served) -> None:
    assert not [token for token in TOKENS.values() if token in (shared.home / "users.acl").read_text()]


@pytest.mark.parametrize(
    "command",
    [("FLUSHALL",), ("KEYS", "*"), ("LPUSH", "host.bench-1", "x"), ("CONFIG", "GET", "*"), ("ACL", "LOAD")],
    ids=" ".join,
)
def test_the_keeper_of_users_touches_no_data(shared: Served, command: tuple[Any, ...]) -> None:
    with pytest.raises(NoPermissionError):
        shared.client(KEEPER).execute_command(*command)


def test_a_renewed_certificate_is_used_at_once(served: Served) -> None:
    pair = make(("127.0.0.1",), datetime.now(UTC))
    (served.home / "server.pem").write_bytes(pair.key + pair.chain)
    served.kept().use_new_certificate(str(served.home / "server.pem"))
    with pytest.raises(ConnectionError):
        served.host("bench-2").ping()
    served.ca.write_bytes(pair.chain)
    assert served.host("bench-2").ping()
