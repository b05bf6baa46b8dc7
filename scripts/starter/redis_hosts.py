"""Users of Redis for enrolled hosts: one for each host token that is not revoked, kept equal to the database.

The password is the host's token: PostgreSQL has its SHA-256, which is also how Redis stores passwords. The
users are in Redis's ACL file, so that they are there again when it restarts.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from typing import Any, Final

import psycopg
import redis

from backend.queue import HOST_USERS, host_user
from backend.store import grants
from scripts.starter import environment
from scripts.starter.layout import Layout
from scripts.starter.redis_users import KEEPER, host_rule
from scripts.starter.terminal import Terminal
from scripts.starter.time_limits import limit

CHECK_S: Final = 1.0
_TOKENS: Final = """
    SELECT host_token.id, host.name, host_token.token_sha256
    FROM host_token JOIN host ON host.id = host_token.host_id
    WHERE host_token.revoked_at IS NULL
"""


def tokens_in(url: str) -> Callable[[], dict[str, list[str]]]:
    """Reads the rule of each user from a database (libpq's URL), over one connection that is kept."""
    kept: list[psycopg.Connection[Any]] = []

    def read() -> dict[str, list[str]]:
        if not kept or kept[0].closed or kept[0].broken:
            kept[:] = [psycopg.connect(url, autocommit=True, connect_timeout=round(limit(5)))]
        rows = kept[0].execute(_TOKENS).fetchall()
        return {host_user(token_id): host_rule(name, digest) for token_id, name, digest in rows}

    return read


def host_users(layout: Layout, terminal: Terminal) -> HostUsers:
    """Those of an installation."""
    url = environment.database_url(layout, grants.MIGRATE).replace("+psycopg", "", 1)
    keeper = redis.Redis.from_url(
        environment.redis_url(layout, KEEPER), socket_timeout=limit(2), socket_connect_timeout=limit(2)
    )
    return HostUsers(tokens_in(url), keeper, terminal)


class HostUsers:
    """Keeps the users in a thread of its own, from `start` to `stop`.

    `rules` reads the wanted users with their rules, `keeper` is a client that may change them.
    """

    def __init__(
        self, rules: Callable[[], dict[str, list[str]]], keeper: redis.Redis, terminal: Terminal
    ) -> None:
        self._rules = rules
        self._command: Callable[..., Any] = keeper.execute_command
        self._terminal = terminal
        self._known: dict[str, list[str]] = {}
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._keep, name="host-users", daemon=True)
        self._complaint = ""

    def start(self) -> None:
        """Make the users, then begin to keep them."""
        self.refresh()
        self._thread.start()

    def stop(self) -> None:
        """Stop keeping them; does not wait."""
        self._ended.set()

    def _keep(self) -> None:
        while not self._ended.wait(CHECK_S):
            self.refresh()

    def refresh(self) -> None:
        """Make users of new tokens and remove those of revoked ones, with their connections.

        A database or a Redis that does not answer is reported once.
        """
        try:
            self._change(self._rules())
        except (psycopg.Error, redis.RedisError, OSError) as error:
            self._known = {}  # Redis may have been restored, or have lost its file
            if not self._complaint:
                self._terminal.say("redis", f"users of enrolled hosts are not kept for now: {error}")
            self._complaint = str(error)
        else:
            self._complaint = ""

    def use_new_certificate(self, pair: str) -> None:
        """Let Redis read its certificate and key again, from the file `pair` as Redis names it."""
        try:
            self._command("CONFIG", "SET", "tls-cert-file", pair, "tls-key-file", pair)
        except (redis.RedisError, OSError) as error:
            self._terminal.say("redis", f"the renewed certificate is used after the next start: {error}")

    def _change(self, wanted: dict[str, list[str]]) -> None:
        present = self._present()
        changed = [user for user in wanted if user not in present or wanted[user] != self._known.get(user)]
        gone = present - wanted.keys()
        for user in changed:
            self._command("ACL", "SETUSER", user, *wanted[user])
        if gone:
            # It also closes the connections of these users.
            self._command("ACL", "DELUSER", *sorted(gone))
        if changed or gone:
            self._command("ACL", "SAVE")
        self._known = wanted

    def _present(self) -> set[str]:
        found: Iterable[bytes | str] = self._command("ACL", "USERS")
        names = {name.decode() if isinstance(name, bytes) else name for name in found}
        return {name for name in names if name.startswith(HOST_USERS)}
