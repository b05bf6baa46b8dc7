"""Requests and responses of /worker. Unknown fields of a request are ignored: its worker may be newer."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from pydantic import (
    AfterValidator,
    AwareDatetime,
    BaseModel,
    ConfigDict,
    Field,
    JsonValue,
    StrictBool,
    StrictInt,
    StrictStr,
    model_validator,
)

from backend.api.hosts.schemas import Condition
from backend.api.schema import Body, Timestamp
from backend.core.topology.host_policy import HostPolicy
from backend.host_names import free_host_name

HOST_NAME: Final = r"^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$"
"""The form of `Settings.host_name`."""


HostName = Annotated[StrictStr, Field(pattern=HOST_NAME), AfterValidator(free_host_name)]
Release = Annotated[StrictStr, Field(pattern=r"^[0-9A-Za-z][0-9A-Za-z.+-]{0,39}$")]
Code = Annotated[StrictStr, Field(pattern=r"^[a-z][a-z0-9_]{0,63}$")]
Detail = Annotated[StrictStr, Field(max_length=20_000)]
Fence = Annotated[StrictInt, Field(ge=1, le=2**31 - 1)]
Environment = Annotated[dict[StrictStr, StrictStr], Field(max_length=1000)]


class Report(BaseModel):
    """Base of a worker's requests: types are strict, unknown fields are ignored."""

    model_config = ConfigDict(extra="ignore", frozen=True, allow_inf_nan=False)


class Enrolling(Report):
    """A host that joins: the enrolment's secret, its name, and a nonce that a repeated request has too."""

    secret: Annotated[StrictStr, Field(min_length=1, max_length=128)]
    name: HostName
    nonce: Annotated[StrictStr, Field(min_length=16, max_length=128)]
    release: Release
    protocol: Annotated[StrictInt, Field(ge=0, le=9999)]


class RedisAddress(Body):
    """Where an enrolled host gets wake-ups and sends live samples; the host's token is the password.

    `ca` are the certificates to trust, in PEM; empty: those of an authority.
    """

    url: str
    ca: str


class Enrolled(Body):
    """The host's id, its worker's token, which only this response has, and the server's release.

    Without `redis`, the worker polls.
    """

    host_id: str
    host_name: str
    token: str
    redis: RedisAddress | None
    release: str


class HostAnnouncement(Report):
    """What a host can run, as its worker found at its start."""

    capabilities: Annotated[dict[str, JsonValue], Field(max_length=200)]
    environment: Environment
    install_id: Annotated[StrictStr, Field(min_length=1, max_length=64)]


class Disk(Report):
    """Bytes of the file system of the worker's spool."""

    total_bytes: Annotated[StrictInt, Field(ge=0)]
    free_bytes: Annotated[StrictInt, Field(ge=0)]


class ClockOffset(Report):
    """By how much the server's clock is ahead of the host's, of the last report; half of its round trip."""

    offset_s: float
    uncertainty_s: Annotated[float, Field(ge=0)]


class ReportedCondition(Condition):
    """A fault of the worker, as it reports it."""


class HostReport(Report):
    """What a worker reports every few seconds; `sent_at` is the host's own clock."""

    conditions: Annotated[tuple[ReportedCondition, ...], Field(max_length=100)] = ()
    disk: Disk | None = None
    sent_at: AwareDatetime
    clock: ClockOffset | None = None


class HostOrders(Body):
    """What administrators decided about the host, and the server's release; `received_at` is its time."""

    host_id: str
    received_at: Timestamp
    drained: bool
    policy: HostPolicy
    release: str


class TakeOver(Body):
    """How many trials of the host's earlier workers may be claimed again."""

    trials: int


class ClaimRequest(Report):
    """A claim. The same `key` again gets the same trial; trials in `last` are claimed last."""

    key: Annotated[StrictStr, Field(pattern=r"^[A-Za-z0-9_-]{8,64}$")]
    environment: Environment = {}
    last: Annotated[tuple[StrictStr, ...], Field(max_length=10_000)] = ()


class WorkerTrial(Body):
    """A claimed trial: what to run, and the fence that every later request about it names."""

    trial_id: str
    run_id: str
    cell_id: str
    round: int
    fence: int
    attempts: int
    levels: dict[str, Any]
    experiment: dict[str, Any]
    next_interim_round: int | None
    restart_every: int | None
    client_host: str | None = None


class Claim(Body):
    """The claimed trial, null if none is queued; `first_of_run`: add the facts of the run's start."""

    trial: WorkerTrial | None
    first_of_run: bool


class EnvironmentChange(Report):
    """Facts of the host to be added to a run; one that is known keeps its first value."""

    environment: Environment


class ServedCellEntry(Body):
    """A cell's levels, and which of several equal servers serves it."""

    levels: dict[str, Any]
    replica: int


class ServedCells(Body):
    """Every cell of which a run still has trials, in the plan's order."""

    cells: tuple[ServedCellEntry, ...]


class ClaimedAttempt(Report):
    """The attempt that a request is about."""

    fence: Fence


class Heartbeat(Body):
    """Whether the attempt goes on. `cancel`: stop it, and end it as cancelled. `stale`: it lost its trial."""

    beat: Literal["ok", "cancel", "stale"]


class Failure(Report):
    """Why a measured trial counts as failed."""

    code: Code
    detail: Detail


class MeasuredTrial(ClaimedAttempt):
    """A trial's record, as its worker spooled it; `sha256` is of that file's payload."""

    payload: dict[str, Any]
    sha256: Annotated[StrictStr, Field(pattern=r"^[0-9a-f]{64}$")]
    failure: Failure | None = None


class Recorded(Body):
    """What became of a record. `already`: it was stored before. `superseded`: the attempt lost its trial."""

    outcome: Literal["recorded", "already", "superseded"]


class Ending(ClaimedAttempt):
    """The end of an attempt without a record.

    `fail` ends the trial and needs `code`. `requeue` returns it to the queue and needs `outcome`; `counts`:
    the attempt counts towards the trial's limit. `cancelled` ends it because its run was cancelled.
    """

    kind: Literal["fail", "requeue", "cancelled"]
    outcome: Code | None = None
    code: Code | None = None
    detail: Detail = ""
    counts: StrictBool = True

    @model_validator(mode="after")
    def _has_its_field(self) -> Ending:
        if self.kind == "fail" and self.code is None:
            raise ValueError("kind fail needs the field code")
        if self.kind == "requeue" and self.outcome is None:
            raise ValueError("kind requeue needs the field outcome")
        return self


class Ended(Body):
    """Whether this request ended the attempt: false if it had ended, or lost its trial."""

    ended: bool
