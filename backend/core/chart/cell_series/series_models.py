"""Parts of CellSeries: the trials of one cell over their time."""

from __future__ import annotations

from pydantic import Field

from backend.core.chart.model.cell_models import Axis
from backend.core.chart.model.model_base import Part
from backend.core.sample.record import EvidenceVerdict


class Points(Part):
    """Means of one quantity over consecutive intervals.

    `t` is the end of each interval in seconds since the load started, warm-up included.
    """

    t: tuple[float, ...] = ()
    values: tuple[float, ...] = ()


class CpuPoints(Part):
    """CPU in cores by role over consecutive intervals, with "all", the sum of the roles; `t` as of Points."""

    t: tuple[float, ...] = ()
    cores: dict[str, tuple[float, ...]] = Field(default_factory=dict)


class SeriesTrial(Part):
    """One recorded trial over its time: the rate in the warm-up and in the measured window, and CPU there.

    `used`: it counts in the statistics. `evidence` says whether its path was proven, `excluded` why somebody
    excluded it, `invalid` names the physical bounds that it violates, `contaminated` how the host disturbed
    it. `retakes` measurements before this one were discarded. `intervals_per_point` reported intervals make
    one point of the rate, by their mean.
    """

    trial_id: str
    round: int
    used: bool
    evidence: EvidenceVerdict | None
    excluded: str | None
    invalid: tuple[str, ...]
    contaminated: tuple[str, ...]
    retakes: int
    warm_up: Points
    rate: Points
    intervals_per_point: int
    cpu: CpuPoints


class CellSeries(Part):
    """The recorded trials of one cell over their time, in the order of rounds; `left_out` later ones are not
    there.

    The first `warm_up_s` of the `seconds` that are drawn are in no figure. `rate` is the axis of the tool's
    own rate, null where no trial has reported one for each interval: wrk and ab report none. `cpu` is that of
    CPU in cores by role, "all" being their sum; empty without samples, as of imported trials.
    """

    run_id: str
    cell_id: str
    label: str
    tool: str
    warm_up_s: float
    seconds: float
    rate: Axis | None
    cpu: dict[str, Axis]
    trials: tuple[SeriesTrial, ...]
    left_out: int
