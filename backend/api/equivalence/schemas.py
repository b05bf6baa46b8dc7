"""What comes out of /hosts/{host}/equivalence."""

from __future__ import annotations

from backend.api.schema import Body, Timestamp
from backend.core.chart.model.model_base import Interval
from backend.core.statistics.verdict import VerdictKind


class EquivalentPath(Body):
    """One path in the host's own engine against the same in a lab engine: `ratio` is host ÷ lab."""

    cell_id: str
    label: str
    path: str
    userland_proxy: bool
    n: int
    ratio: float | None
    interval: Interval | None
    verdict: VerdictKind
    sentence: str


class Equivalence(Body):
    """How far the lab equals the host's own engine, from the newest finished run that measured both.

    `metric` is the run's first one; `margin` is what counts as equivalent (0.05: 5 %).
    """

    host: str
    run_id: str
    finished_at: Timestamp
    metric: str
    margin: float
    paths: tuple[EquivalentPath, ...]
