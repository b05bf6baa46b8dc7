"""What comes out of /hosts."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from backend.api.schema import Body, Timestamp


class Capabilities(BaseModel):
    """What a host can run, found by trying. Null: its worker has not said, and nothing is excluded.

    `paths` and `engines` ("on", "off", "swarm", "host") are those that it has; `reasons` says why the
    others are missing, by "path.NAME", "path.NAME.on", "path.NAME.off" or "engine.NAME". `programs` are the
    registered ones for `proxy_program`; `host_userland_proxy` is the setting of the host's own daemon.
    `memory_bytes` is its memory, `memory_mb` (deprecated) the same in 2^20 bytes.
    """

    # A newer worker may say more than this API knows.
    model_config = ConfigDict(extra="allow", frozen=True)

    paths: tuple[str, ...] | None = None
    engines: tuple[str, ...] | None = None
    reasons: Annotated[dict[str, str], Field(default_factory=dict)]
    programs: tuple[str, ...] | None = None
    cores: int | None = None
    memory_bytes: int | None = None
    memory_mb: int | None = None
    max_scale: int | None = None
    host_userland_proxy: bool | None = None
    br_netfilter: bool | None = None


class Missing(Body):
    """A path, engine or program that a host does not have, and why; with one setting only if `setting` is."""

    kind: str
    name: str
    setting: str | None
    reason: str


class Condition(Body):
    """One thing that is, or lately was, wrong with a host's worker, and what it means for runs.

    `until` is null while it lasts; while the worker is offline, that is what it said last.
    """

    part: Literal["database", "redis", "host", "storage", "quarantine"]
    since: Timestamp
    until: Timestamp | None
    reason: str
    effect: str


class Host(Body):
    """A Docker host on which a worker measures; online if it was seen in the last minute.

    `cannot` is the list of what it cannot run, from `capabilities.reasons`; `conditions` is what is wrong
    with its worker or lately was, oldest first.
    """

    id: str
    name: str
    online: bool
    last_seen_at: Timestamp
    capabilities: Capabilities
    cannot: tuple[Missing, ...]
    environment: dict[str, JsonValue]
    conditions: tuple[Condition, ...] = ()


class HostList(Body):
    """Every host that ever announced itself, by name."""

    data: tuple[Host, ...]
