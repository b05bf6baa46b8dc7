"""The users of the private Redis: each may use only its keys, channels and commands.

Celery's transport keeps the messages of a host in the list `host.NAME`, with one more list for each priority;
`_kombu.binding…` are its tables of queues, `unacked…` what a worker has received and not yet acknowledged.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Final

from backend.measured_window import window_key
from backend.queue import events_channel, live_channel, queue_name

API: Final = "api"
WORKER: Final = "worker"
STARTER: Final = "starter"
"""Checks whether Redis answers, and nothing else."""
ALL: Final = (API, WORKER, STARTER)

_CONNECT: Final = ("ping", "multi", "exec")
_DECLARE: Final = ("sadd", "smembers", "exists", "llen")
_BINDINGS: Final = "~_kombu.binding*"
_CHANNELS: Final = (f"&{live_channel('*')}", f"&{events_channel('*')}")


def rules(passwords: Mapping[str, str], host_name: str) -> str:
    """The lines of Redis's ACL file, with hashes in place of the passwords; the default user is off."""
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
            f"~{queue_name(host_name)}",
            f"~{queue_name(host_name)}\x06\x16?",
            _BINDINGS,
            *("~unacked", "~unacked_index", "~unacked_mutex"),
            f"~{window_key(host_name)}",
            *_CHANNELS,
            *_allowed(*_CONNECT, *_DECLARE, "lpush", "rpush", "brpop", "publish", "set", "get", "del"),
            *_allowed("hset", "hget", "hdel", "zadd", "zrem", "zrange", "zrevrangebyscore"),
            *_allowed("watch", "unwatch", "evalsha", "script|load"),
        ],
    }
    # Nobody can be the default user, which is off. But Redis loads its append-only file as that user, and
    # drops the transactions in it that the user may not execute (seen with 7.0.15).
    lines = ["user default reset off allkeys allchannels +@all"]
    for name, granted in users.items():
        digest = hashlib.sha256(passwords[name].encode()).hexdigest()
        lines.append(" ".join(["user", name, "reset", "on", f"#{digest}", *granted]))
    return "\n".join(lines) + "\n"


def _allowed(*commands: str) -> list[str]:
    return [f"+{command}" for command in commands]
