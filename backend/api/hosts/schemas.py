"""Responses of /hosts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, JsonValue, StrictBool, model_validator

from backend.api.schema import Body, Timestamp, WithTexts
from backend.core.topology.host_policy import HostPolicy

MAX_LABELS = 20
LABEL = r"^[a-z0-9]([a-z0-9._-]{0,38}[a-z0-9])?$"


def _distinct(labels: tuple[str, ...]) -> tuple[str, ...]:
    if len(set(labels)) < len(labels):
        raise ValueError("a label occurs twice")
    return labels


Label = Annotated[str, Field(pattern=LABEL)]
Labels = Annotated[tuple[Label, ...], Field(max_length=MAX_LABELS), AfterValidator(_distinct)]


class Capabilities(BaseModel):
    """What a host can run, as its worker has probed it. Null: not probed, nothing is excluded.

    `paths` and `engines` ("on", "off", "swarm", "host") are the available ones; `reasons` has the reason for
    each missing one, by "path.NAME", "path.NAME.on", "path.NAME.off" or "engine.NAME". `programs` are the
    registered ones for `proxy_program`; `host_userland_proxy` is the setting of the host's own Docker daemon.
    `memory_bytes` is its memory, `memory_mb` (deprecated) the same in 2^20 bytes. `no_profile` is why it
    takes no CPU profiles; null: it does, or was not probed.
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
    no_profile: str | None = None


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

    part: Literal["database", "server", "redis", "host", "storage", "quarantine"]
    since: Timestamp
    until: Timestamp | None
    reason: str
    effect: str


class HostPause(Body):
    """Why a host starts no trial now, though its worker may be online; its queued trials wait.

    drained: `by` (an administrator, null if the account was deleted) drained it at `since`. outside_hours:
    the hours of its policy begin at `opens_at`.
    """

    code: Literal["drained", "outside_hours"]
    since: Timestamp | None = None
    by: str | None = None
    opens_at: Timestamp | None = None


class HostRelease(Body):
    """The release of a host's worker beside the server's own; null of a worker that reports none.

    A worker on the server's own machine runs the server's program and reports none. `served`: the server
    accepts its requests. `update` has the command that updates it, where it is behind or no longer served.
    """

    worker: str | None
    server: str
    state: Literal["same", "behind", "ahead", "other", "not_reported"]
    served: bool = True
    update: str | None = None


class HostDisk(BaseModel):
    """The file system of a worker's spool and images, in bytes, as its worker reported it."""

    model_config = ConfigDict(extra="allow", frozen=True)

    total_bytes: int | None = None
    free_bytes: int | None = None


class HostClock(BaseModel):
    """By how much the server's clock is ahead of the host's, and the uncertainty: half of a round trip.

    Nothing is computed from it: times of runs are those of the database.
    """

    model_config = ConfigDict(extra="allow", frozen=True)

    offset_s: float | None = None
    uncertainty_s: float | None = None


class PolicySettings(HostPolicy):
    """What runs may do on a host; null limits nothing.

    `engines` are the Docker daemons that they may use, by the names of `capabilities`. `host_network`: they
    may use paths in the host's network and its own Docker daemon. `programs` are the registered proxy
    programs that they may use beside docker-proxy. Warm-up and window of a trial take at most
    `longest_trial_s` seconds together. `hours` are the times in which trials may start, in local time of an
    IANA time zone. `addresses` are IPv4 addresses of the host on its links to other hosts, beside the one
    from which its worker calls the server: a client and its server on two hosts connect by these alone.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class Host(WithTexts):
    """A Docker host on which a worker measures; online if it was seen in the last minute.

    `access`: of the server itself, of a host that joined over HTTPS, or of one that left or was revoked.

    `host_network`: an administrator has it open to plans that use its network or its own Docker daemon; the
    same as in `policy`. `cannot` lists what it cannot run, from `capabilities.reasons`; `conditions` are the
    present and recent faults of its worker, oldest first. `pause` is null while it starts queued trials.
    `spread` is the score of its noise. `policy_version` differs where two policies do: who changes the policy
    names it as `replaces`. `messages` has the id and figures of its reasons.
    """

    id: str
    name: str
    access: Literal["server", "joined", "revoked"] = "server"
    online: bool
    last_seen_at: Timestamp
    capabilities: Capabilities
    cannot: tuple[Missing, ...]
    environment: dict[str, JsonValue]
    conditions: tuple[Condition, ...] = ()
    host_network: bool = True
    labels: tuple[str, ...] = ()
    policy: PolicySettings = PolicySettings()
    pause: HostPause | None = None
    release: HostRelease | None = None
    disk: HostDisk | None = None
    clock: HostClock | None = None
    queued_trials: int = 0
    running_trials: int = 0
    spread: float | None = None
    policy_version: str = ""

    def sentences(self) -> Iterable[str | None]:
        """What it cannot run, and its conditions."""
        yield from (missing.reason for missing in self.cannot)
        for condition in self.conditions:
            yield from (condition.reason, condition.effect)


class HostChange(Body):
    """A host's labels, and whether it is open to plans that use its network or its own Docker daemon.

    What is left out stays as it is.
    """

    host_network: StrictBool | None = None
    labels: Labels | None = None

    @model_validator(mode="after")
    def _changes_something(self) -> HostChange:
        if self.host_network is None and self.labels is None:
            raise ValueError("give host_network, labels, or both")
        return self


class HostList(Body):
    """Every host that a worker has announced, by name."""

    data: tuple[Host, ...]
