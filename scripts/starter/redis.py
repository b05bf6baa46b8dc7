"""The private Redis: a Unix socket only, users with few rights, append-only file, no eviction."""

from __future__ import annotations

import os
import re
import signal

import redis

from scripts.starter.environment import host_name, passwords, redis_url
from scripts.starter.layout import Layout
from scripts.starter.liveness import Health
from scripts.starter.private import write_private
from scripts.starter.processes import Service
from scripts.starter.redis_users import STARTER, rules
from scripts.starter.sandbox import DATA, Account, account, api_uid, as_user, own_directory
from scripts.starter.time_limits import limit

USERS = "users.acl"
PAIR = "server.pem"
LIMITS = {
    "maxmemory": "256mb",
    "maxmemory-policy": "noeviction",
    "maxmemory-clients": "64mb",
    "proto-max-bulk-len": "1mb",
}
"""What its users may make it keep: a wake-up and a live sample have some kilobytes."""


def listening(host: str, port: int, pair: str) -> dict[str, str]:
    """The options of a server that enrolled hosts reach by TLS; `pair` is a file with certificate and key.

    Hosts prove who they are by user and password, not by a certificate.
    """
    # Redis binds "::" for IPv6 only; the minus makes a host without IPv6 no error (redis.conf, "bind").
    return {
        "bind": "* -::*" if host == "::" else host,
        "tls-port": str(port),
        "tls-cert-file": pair,
        "tls-key-file": pair,
        "tls-auth-clients": "no",
        "tls-protocols": "TLSv1.2 TLSv1.3",
    }


class Redis:
    """One Redis server of this installation; with a port for it, enrolled hosts reach it by TLS, too."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._hosts_port = layout.reach.worker_redis
        self._data = layout.var / "redis"
        self._user: Account = account("redis", "nobody")

    def prepare(self) -> None:
        """Create its directories, and the file of its users."""
        own_directory(self._layout.redis_socket.parent, self._user, 0o710, api_uid(self._layout.install_id))
        own_directory(self._data, self._user)
        known = passwords(self._layout, with_keeper=self._hosts_port is not None)
        owner = (self._user.uid, self._user.gid)
        write_private(self._data / USERS, rules(known, host_name()).encode(), owner)
        self.deliver_certificate()

    def deliver_certificate(self) -> None:
        """Give it the certificate and key of the API, where it is open to enrolled hosts."""
        if self._hosts_port is not None:
            pair = self._layout.tls_pair.read_bytes()
            write_private(self._data / PAIR, pair, (self._user.uid, self._user.gid))

    @property
    def pair(self) -> str:
        """That file, as the server names it."""
        return f"{DATA}/{PAIR}"

    def service(self) -> Service:
        """The server."""
        settings = {
            "port": "0",
            "unixsocket": str(self._layout.redis_socket),
            "unixsocketperm": "777",  # its directory lets root and the API in
            "aclfile": f"{DATA}/{USERS}",
            "dir": DATA,
            "appendonly": "yes",
            "appendfsync": "everysec",
            **LIMITS,
            "daemonize": "no",
            "save": "",
        }
        if self._hosts_port is not None:
            address = self._layout.reach.listen.strip("[]").replace("localhost", "127.0.0.1")
            settings |= listening(address, self._hosts_port, self.pair)
        options = tuple(part for name, value in settings.items() for part in (f"--{name}", value))
        return Service(
            name="redis",
            argv=as_user(self._user, self._data, ("redis-server", *options), signal.SIGTERM),
            environment={"PATH": os.environ.get("PATH", ""), "LC_ALL": "C.UTF-8"},
            ready=self.answers,
            stop_signal=signal.SIGTERM,
            stop_limit=15.0,
            orphan_signal=None,
            health=Health(self.answers),
            # Redis always warns of vm.overcommit_memory, a setting of the host that is not changed.
            important=re.compile(r"# (?!WARNING Memory overcommit).*(Fatal|MISCONF|Can't|Failed|error)"),
        )

    def answers(self) -> bool:
        """Whether it answers PING within a few seconds."""
        url = redis_url(self._layout, STARTER)
        client = redis.Redis.from_url(
            url, socket_timeout=limit(2), socket_connect_timeout=limit(2), retry=None
        )
        try:
            return bool(client.ping())
        except (redis.RedisError, OSError):
            return False
        finally:
            client.close()
