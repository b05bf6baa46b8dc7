"""Requests, responses and events of /runs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Literal

from pydantic import AliasChoices, Field, StrictStr

from backend.api.annotations.schemas import TAG
from backend.api.schema import Body, Line, PageQuery, Timestamp, WithTexts
from backend.core.plan.matrix import TrialQualityState
from backend.core.plan.states import Origin, RunState, TrialState


class RunStart(Body):
    """The host of a new run; may be omitted if there is only one host.

    `client_host` is another host, which runs the clients of `published_remote`, `host_network_remote` and
    `overlay`; these cells need `engine: host`, and both hosts open to host networking. Without it, the own
    host runs every client.
    """

    host: Annotated[StrictStr, Field(min_length=1, max_length=64)] | None = None
    # Left out of the request's hash: an idempotency key of before the field had a hash without it.
    client_host: Annotated[StrictStr, Field(min_length=1, max_length=64)] | None = Field(
        default=None, exclude_if=lambda name: name is None
    )
    plan_digest: Annotated[StrictStr, Field(pattern="^[0-9a-f]{64}$")] | None = Field(
        default=None, exclude_if=lambda given: given is None
    )


class RunProgress(Body):
    """How many trials are in each state, and the expected seconds until the run ends (`eta_s`).

    `skipped` trials were not run: their comparison was decided at an interim analysis, or the budget was
    spent. Their state is spelled `spared`. The field `spared` is deprecated: use `skipped`. `made_up` of all
    are in make-up rounds after the last planned one, in place of trials that the host disturbed.
    """

    total: int
    done: int
    failed: int
    cancelled: int
    skipped: Annotated[int, Field(validation_alias=AliasChoices("skipped", "spared"))]
    spared: Annotated[
        int,
        Field(
            validation_alias=AliasChoices("spared", "skipped"),
            description="Deprecated: use `skipped`.",
            json_schema_extra={"deprecated": True},
        ),
    ]
    running: int
    eta_s: float | None
    made_up: int = 0


class CurrentTrial(Body):
    """The running trial of a run."""

    trial_id: str
    cell_id: str
    label: str
    round: int


class RunExtension(Body):
    """What a run extends: `run_id` is the first run, `number` counts its extensions from 1."""

    run_id: str
    number: int
    rounds: int


class Run(Body):
    """One execution of a plan on one host; an imported run holds logs that were measured elsewhere.

    `restart_every` is the number of rounds per server start, `restart_reason` the reason; null if the servers
    start once per run. `last_event_id` is the last event of the stream that this response includes; the
    stream's own `run` events have none, and neither note nor tags. `group_id` names the group of runs with
    which it was started on several hosts, `client_host` the host that runs the clients of its remote paths,
    `schedule_id` the schedule that started it.
    `extension` is set if it adds rounds of chosen cells to an earlier run (decision 0057).
    """

    id: str
    experiment_id: str
    name: str
    title: Line
    host: str
    origin: Origin
    state: RunState
    seed: int
    created_at: Timestamp
    started_at: Timestamp | None
    finished_at: Timestamp | None
    cancel_requested: bool
    progress: RunProgress
    current: CurrentTrial | None
    last_event_id: int | None = None
    restart_every: int | None = None
    restart_reason: str = ""
    note: str = ""
    tags: tuple[str, ...] = ()
    client_host: str | None = None
    group_id: str | None = None
    schedule_id: str | None = None
    extension: RunExtension | None = None


class RunQuery(PageQuery):
    """A page of runs, optionally only those with this tag, and only those that the caller starred."""

    tag: Annotated[str, Field(pattern=TAG)] | None = None
    starred: bool = False


class RunList(Body):
    """One page of runs, newest first."""

    data: tuple[Run, ...]
    next_cursor: str | None


class TrialEvent(Body):
    """A trial changed its state: the data of the stream's `trial` events.

    `quality` is set if the host disturbed the trial: it was `retaken` until it was clean, or remained
    `contaminated`; or if its figures are `invalid`.
    """

    trial_id: str
    cell_id: str
    round: int
    state: TrialState
    metrics: dict[str, float] | None
    failure_code: str | None
    quality: TrialQualityState | None = None


class LiveCores(Body):
    """CPU in cores by role since the previous sample."""

    client: float
    server: float
    proxy: float
    other: float


class LiveEvent(Body):
    """One second of the running trial: the data of the stream's `live` events, which are not stored.

    `rate` is in the unit of the trial's tool: transactions or requests per second, or Gbit/s.
    """

    trial_id: str
    cell_id: str
    t: float
    rate: float
    cores: LiveCores | None


class PhaseEvent(WithTexts):
    """What happens to the running trial outside of its window: the data of the stream's `phase` events, which
    are not stored.

    `waiting` for a quiet host, `repeating` because the host disturbed the last take, `warming_up`;
    `other_installation`: the run's next trial waits for another installation's measurement on this host.
    `reasons` are readings of the host; `messages` has the id and figures of each. The events of one wait are
    repeated, with its `since`: the host's clock; null from a worker of an earlier release.
    """

    trial_id: str
    cell_id: str
    phase: Literal["waiting", "repeating", "warming_up", "other_installation"]
    reasons: tuple[str, ...]
    since: Timestamp | None = None

    def sentences(self) -> Iterable[str | None]:
        """The readings."""
        return self.reasons
