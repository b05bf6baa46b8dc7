"""Responses of /hosts."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue, StrictBool

from backend.api.schema import Body, Timestamp


class Capabilities(BaseModel):
    """What a host can run, as its worker has probed it. Null: not probed, nothing is excluded.

    `paths` and `engines` ("on", "off", "swarm", "host") are the available ones; `reasons` has the reason for
    each missing one, by "path.NAME", "path.NAME.on", "path.NAME.off" or "engine.NAME". `programs` are the
    registered ones for `proxy_program`; `host_userland_proxy` is the setting of the host's own Docker daemon.
    `memory_bytes` is its memory, `memory_mb` (deprecated) the same in 2^20 bytes.
    """

    # A newer worker may send more fields.
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
    """A missing path, engine or program of a host, and the reason; `setting` limits it to one setting."""

    kind: str
    name: str
    setting: str | None
    reason: str


class Condition(Body):
    """A present or recent fault of a host's worker, and its effect on runs.

    `until` is null while it continues; while the worker is offline, this is its last report.
    """

    part: Literal["database", "redis", "host", "storage", "quarantine"]
    since: Timestamp
    until: Timestamp | None
    reason: str
    effect: str


class Host(Body):
    """A Docker host on which a worker measures; online if it was seen in the last minute.

    `host_network`: an administrator has it open to plans that use its network or its own Docker daemon.
    `cannot` lists what it cannot run, from `capabilities.reasons`; `conditions` are the present and recent
    faults of its worker, oldest first.
    """

    id: str
    name: str
    online: bool
    last_seen_at: Timestamp
    capabilities: Capabilities
    cannot: tuple[Missing, ...]
    environment: dict[str, JsonValue]
    conditions: tuple[Condition, ...] = ()
    host_network: bool = True


class HostChange(Body):
    """Whether the host is open to plans that use its network or its own Docker daemon."""

    host_network: StrictBool


class HostList(Body):
    """Every host that a worker has announced, by name."""

    data: tuple[Host, ...]
