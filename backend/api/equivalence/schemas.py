"""Responses of /hosts/{host}/equivalence."""

from __future__ import annotations

from backend.api.schema import Body, Timestamp
from backend.core.chart.model.model_base import Difference, Interval
from backend.core.messages.message import MessageParts, Sentence, WithMessages
from backend.core.statistics.verdict import VerdictKind


class EquivalentPath(WithMessages, Body):
    """One path on the host's own Docker daemon and on a lab daemon: `ratio` is host ÷ lab.

    Where no ratio exists, because a value is zero, `difference` is host − lab in the metric's unit. Where
    both are null, `sentence` says why the path is not judged.
    """

    cell_id: str
    label: str
    path: str
    userland_proxy: bool
    n: int
    ratio: float | None
    interval: Interval | None
    verdict: VerdictKind
    sentence: Sentence
    message: MessageParts | None = None
    difference: Difference | None = None


class Equivalence(Body):
    """Equivalence of lab and host daemons, from the newest finished run that measured both.

    `metric` is the run's first one; `margin` is the equivalence margin (0.05: 5 %).
    """

    host: str
    run_id: str
    finished_at: Timestamp
    metric: str
    margin: float
    paths: tuple[EquivalentPath, ...]
