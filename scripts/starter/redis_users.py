"""The users of the private Redis: each may use only its keys, channels and commands.

Celery's transport keeps the messages of a host in the list `host.NAME`, with one more list for each priority;
`_kombu.binding….host.NAME` are its tables of that queue, `unacked…:host.NAME` what a worker has received and
not yet acknowledged.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Final

from backend.measured_window import window_key
from backend.queue import events_channel, live_channel, queue_name, unacked_keys

API: Final = "api"
WORKER: Final = "worker"
STARTER: Final = "starter"
"""Checks whether Redis answers, and nothing else."""
KEEPER: Final = "keeper"
"""Makes and removes the users of enrolled hosts, where Redis is open to them."""
ALL: Final = (API, WORKER, STARTER)

_CONNECT: Final = ("ping", "multi", "exec")
_DECLARE: Final = ("sadd", "smembers", "exists", "llen")
_BINDINGS: Final = "~_kombu.binding*"
_CHANNELS: Final = (f"&{live_channel('*')}", f"&{events_channel('*')}")


def rules(passwords: Mapping[str, str], host_name: str) -> str:
    """The lines of Redis's ACL file, with hashes in place of the passwords; the default user is off.

    KEEPER exists only with a password.
    """
    users = {
        STARTER: ["+ping"],
        API: [
            f"~{queue_name('*')}",
            _BINDINGS,
            f"%R~{window_key('*')}",
            *_CHANNELS,
            *_allowed(*_CONNECT, *_DECLARE, "lpush", "get", "publish", "subscribe", "unsubscribe"),
        ],
        WORKER: [
            *_queue(host_name),
            f"~{window_key(host_name)}",
            *_CHANNELS,
        ],
        KEEPER: _allowed("ping", "acl|users", "acl|setuser", "acl|deluser", "acl|save", "config|set"),
    }
    # Nobody can be the default user, which is off. But Redis loads its append-only file as that user, and
    # drops the transactions in it that the user may not execute (seen with 7.0.15).
    lines = ["user default reset off allkeys allchannels +@all"]
    for name, granted in users.items():
        if name == KEEPER and name not in passwords:
            continue
        digest = hashlib.sha256(passwords[name].encode()).hexdigest()
        lines.append(" ".join(["user", name, "reset", "on", f"#{digest}", *granted]))
    return "\n".join(lines) + "\n"


def host_rule(host_name: str, token_sha256: str) -> list[str]:
    """The rule of ACL SETUSER for an enrolled host, whose password is its token.

    It opens the host's own queue, and the channels of live samples for publishing. The name is that of an
    enrolled host, which has no space and no pattern's character.
    """
    return ["reset", "on", f"#{token_sha256}", *_queue(host_name), f"&{live_channel('*')}"]


def _queue(host_name: str) -> list[str]:
    """What a worker needs to receive from the queue of one host.

    No scripts: one that never ends stops Redis for everybody, and only SIGKILL ends it once it has written.
    """
    name = queue_name(host_name)
    bindings = (f"_kombu.binding.{name}", f"_kombu.binding_permanent.{name}")
    keys = (name, f"{name}\x06\x16?", *bindings, *unacked_keys(host_name).values())
    return [
        *(f"~{key}" for key in keys),
        *_allowed(*_CONNECT, *_DECLARE, "lpush", "rpush", "brpop", "publish", "set", "get", "del"),
        *_allowed("hset", "hget", "hdel", "zadd", "zrem", "zrange", "zrevrangebyscore"),
        *_allowed("watch", "unwatch"),
    ]


def _allowed(*commands: str) -> list[str]:
    return [f"+{command}" for command in commands]
