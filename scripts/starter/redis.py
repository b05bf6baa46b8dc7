"""The private Redis: a Unix socket only, users with few rights, append-only file, no eviction."""

from __future__ import annotations

import os
import re
import signal

import redis

from scripts.starter.environment import host_name, passwords, redis_url
from scripts.starter.layout import Layout
from scripts.starter.processes import Service
from scripts.starter.redis_users import STARTER, rules
from scripts.starter.sandbox import DATA, Account, account, api_uid, as_user, own_directory

USERS = "users.acl"


class Redis:
    """One Redis server of this installation."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._data = layout.var / "redis"
        self._user: Account = account("redis", "nobody")

    def prepare(self) -> None:
        """Create its directories, and the file of its users."""
        own_directory(self._layout.redis_socket.parent, self._user, 0o710, api_uid(self._layout.install_id))
        own_directory(self._data, self._user)
        users = self._data / USERS
        users.unlink(missing_ok=True)
        users.touch(mode=0o600)
        users.write_text(rules(passwords(self._layout), host_name()), encoding="utf-8")
        os.chown(users, self._user.uid, self._user.gid)

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
            "maxmemory-policy": "noeviction",
            "daemonize": "no",
            "save": "",
        }
        options = tuple(part for name, value in settings.items() for part in (f"--{name}", value))
        return Service(
            name="redis",
            argv=as_user(self._user, self._data, ("redis-server", *options), signal.SIGTERM),
            environment={"PATH": os.environ.get("PATH", ""), "LC_ALL": "C.UTF-8"},
            ready=self.answers,
            stop_signal=signal.SIGTERM,
            stop_limit=15.0,
            orphan_signal=None,
            # Redis always warns of vm.overcommit_memory, a setting of the host that is not changed.
            important=re.compile(r"# (?!WARNING Memory overcommit).*(Fatal|MISCONF|Can't|Failed|error)"),
        )

    def answers(self) -> bool:
        """Whether it answers PING."""
        client = redis.Redis.from_url(redis_url(self._layout, STARTER), socket_timeout=2)
        try:
            return bool(client.ping())
        except (redis.RedisError, OSError):
            return False
        finally:
            client.close()
