"""What a chart is built from: the plan, and the trials as far as they have come."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from backend.core.definition.experiment import Experiment
from backend.core.plan.model import Plan
from backend.core.plan.schedule import EXAMPLE_SEED
from backend.core.plan.states import Origin, TrialState
from backend.core.sample.notice import Notice
from backend.core.sample.record import EvidenceVerdict


@dataclass(frozen=True)
class TrialCpu:
    """CPU of one window in core-seconds: by role, the unattributed remainder, and unused.

    `idle` and `steal` are None where a record does not have them.
    """

    roles: Mapping[str, float]
    unattributed: float
    window_seconds: float
    idle: float | None = None
    steal: float | None = None


@dataclass(frozen=True)
class TrialProcess:
    """CPU in core-seconds of one process in the window, or of one of its threads."""

    role: str
    name: str
    thread: bool
    seconds: float


@dataclass(frozen=True)
class TrialRow:
    """One trial; figures are None until it is done, and of a failed trial.

    `facts` are settings of the path as the trial found them, for example "mtu server link"; `versions`
    what it ran on: kernel, engine, image and tools. Old records hold fewer of them. `server` names the start
    of the server that served it. `invalid` names the physical bounds that its figures break; such a row has
    no figures (`chart.validity`). `contaminated` names what disturbed it from outside. `excluded` is why
    somebody excluded it after the run; such a row has no figures either. A trial with any of these is in no
    statistic. `retakes` were taken before the recorded one, for the reasons in `retaken_for`, after
    `waited_seconds` of watching the host in all.
    """

    trial_id: str
    cell_id: str
    round: int
    state: TrialState
    failure_code: str | None = None
    failure_detail: str | None = None
    metrics: Mapping[str, float] | None = None
    transactions: int | None = None
    cpu: TrialCpu | None = None
    evidence: EvidenceVerdict | None = None
    notices: tuple[Notice, ...] = ()
    processes: tuple[TrialProcess, ...] = ()
    facts: Mapping[str, str] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)
    invalid: tuple[str, ...] = ()
    contaminated: tuple[str, ...] = ()
    server: str | None = None
    retakes: int = 0
    retaken_for: tuple[str, ...] = ()
    waited_seconds: float = 0.0
    excluded: str | None = None


@dataclass(frozen=True)
class ChartInput:
    """A run at one moment.

    Only cells and warnings of the plan are used, so its list of trials may be left out. `hops`
    gives the expected hops of a cell by its id.
    """

    run_id: str
    experiment_id: str
    state: str
    experiment: Experiment
    plan: Plan
    trials: Sequence[TrialRow]
    environment: Mapping[str, str] = field(default_factory=dict)
    cores: int | None = None
    hops: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    origin: Origin = "measured"

    @property
    def seed(self) -> int:
        """The seed that ordered the trials: the one drawn for the run, else the document's."""
        seeds = (self.plan.seed, self.experiment.seed)
        return next((seed for seed in seeds if seed is not None), EXAMPLE_SEED)
