"""The values of a plan: cells, ordered trials, and the estimate of time and memory."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final

from pydantic import AliasChoices, Field, computed_field

from backend.core.definition.deprecation import deprecated
from backend.core.definition.factors import Level

DUPLICATE: Final = "-aa"
"""Suffix of the id of an A/A duplicate, after the id of its baseline."""


@dataclass(frozen=True)
class Obstacle:
    """Why a cell cannot run: the factor to change, a stable code, and the reason with its remedy."""

    factor: str
    code: str
    detail: str


@dataclass(frozen=True)
class Cell:
    """One level of every factor that applies.

    `id` is stable for an experiment: "c1", "c2" … in the order of the product; the A/A
    duplicate of a baseline cell has that cell's id with "-aa". `baseline_id` is the cell it is
    compared with (None for a baseline itself). `infeasible` is the reason why this cell cannot
    run, or None.
    """

    id: str
    label: str
    levels: dict[str, Level]
    is_baseline: bool
    is_duplicate: bool
    baseline_id: str | None
    infeasible: str | None


@dataclass(frozen=True)
class PlannedTrial:
    """One cell in one round: `seq` counts over the plan from 1, `round` and `position` from 1."""

    seq: int
    round: int
    position: int
    cell_id: str


@dataclass(frozen=True)
class Estimate:
    """The estimate of a plan: trials, seconds (in total and in windows), deployments, containers, memory.

    With `stopping`, trials and seconds are those up to the last interim analysis, the seconds at most those
    of the budget. One round of all cells takes `round_seconds`, with its share of the servers' restarts; what
    comes before the first one, `preparation_seconds`. Of `seconds`, `restart_seconds` go to starting the
    servers again after their first start. `containers` run at the same time at most; `memory_bytes` is the
    memory of them and their engines by the table of `topology.resource_needs`; `memory_mb` (deprecated) the
    same in 10⁶ bytes. On a noisy host, waits and repeated trials add up to `noisy_seconds` more.
    Of `seconds`, `profile_seconds` go to the extra trials of CPU profiles, after the last round.
    """

    trials: int
    seconds: float
    window_seconds: float
    deployments: int
    containers: int = 0
    memory_mb: int = 0
    preparation_seconds: float = 0.0
    round_seconds: float = 0.0
    memory_bytes: int = 0
    restart_seconds: float = 0.0
    noisy_seconds: float = 0.0
    profile_seconds: float = 0.0


@dataclass(frozen=True)
class Extension:
    """What a run extends: the first run, which of its extensions this one is (from 1), and its own rounds."""

    run_id: str
    number: int
    rounds: int


@dataclass(frozen=True)
class MakeUp:
    """Rounds that may follow `after_round`, the last planned one, in place of trials that the host disturbed.

    At most `rounds` with those cells and their baselines, and at most `seconds` (if every cell lost a trial).
    """

    after_round: int
    rounds: int
    seconds: float


@dataclass(frozen=True)
class Plan:
    """The ordered trials, pure in (experiment, capabilities of the host).

    `interim_rounds` are the rounds after which an interim analysis decides which cells go on; empty where the
    number of rounds is fixed (`looks`, deprecated, is the same, and the key in older stored plans). `seed` is
    the one that ordered the trials: the document's, or the one drawn for the run; in a plan that is only
    shown, of a document without a seed, an example. None in plans of before seeds were drawn. `restart_every`
    is how many rounds one start of the servers serves, `restart_reason` why; None in plans of before there
    were restarts: one start served the whole run, and A/A duplicates shared it. `extension`: the plan has
    only chosen cells of an earlier run's. `make_up`: rounds that may follow; None in older plans and with
    interim analyses.
    """

    cells: tuple[Cell, ...]
    trials: tuple[PlannedTrial, ...]
    estimate: Estimate
    varied: tuple[str, ...]
    warnings: tuple[str, ...]
    interim_rounds: Annotated[
        tuple[int, ...], Field(validation_alias=AliasChoices("interim_rounds", "looks"))
    ] = ()
    seed: int | None = None
    restart_every: int | None = None
    restart_reason: str = ""
    extension: Extension | None = None
    make_up: MakeUp | None = None

    @computed_field(json_schema_extra=deprecated)  # type: ignore[prop-decorator]  # mypy #1362
    @property
    def looks(self) -> tuple[int, ...]:
        """Deprecated: the same as `interim_rounds`."""
        return self.interim_rounds
