"""Parts of the ChartModel about several cells together: the cost per hop, the knees of load sweeps."""

from __future__ import annotations

from typing import Literal

from backend.core.chart.model.model_base import Interval, Part
from backend.core.messages.message import MessageParts, Sentence, WithMessages


class HopCost(Part):
    """What one step of a ladder costs: a paired difference in `unit` ("µs" or "%").

    `interval` holds 95 % simultaneously over the ladder's `family` steps, and excludes 0 exactly where
    `p_adjusted` is at most 5 %. `p` is this step's own. Throughput of two cells that the run compares is
    that of the comparison; `family` is then the number of comparisons.
    """

    n: int
    unit: str
    estimate: float
    interval: Interval | None
    p: float
    p_adjusted: float | None = None
    family: int = 1


class LadderStep(Part, WithMessages):
    """One cell against the neighbouring path that it differs from in few hops, paired by round.

    `cpu` is microseconds of CPU per transaction more than `from_id`; `throughput` per cent of its rate.
    """

    cell_id: str
    from_id: str
    added: tuple[str, ...]
    removed: tuple[str, ...]
    cpu: HopCost | None
    throughput: HopCost | None
    sentence: Sentence
    message: MessageParts | None = None


class Ladder(Part):
    """The cost per hop among cells that differ in nothing but path and proxy; shortest path first."""

    title: str
    base_id: str
    rungs: tuple[LadderStep, ...]


class Knee(Part, WithMessages):
    """The knee of a sweep: one group of cells that differ in one factor alone.

    kind "limit": the highest offered rate whose latency stays under the limit; "collapse": the load after
    which throughput falls. `level` is the median over the rounds, `interval` its order-statistic interval;
    its `low` is 0 where it reaches below the lowest level of the sweep. `n` rounds show a level; the sentence
    says how many do not. `beyond` where the knee lies outside the sweep: it is then at least `level`, or
    below the lowest level, and has no `level`. A "collapse" without a significant fall has no interval.
    """

    kind: Literal["limit", "collapse"]
    title: str
    factor: str
    metric: str
    limit_ms: float | None
    cells: tuple[str, ...]
    n: int
    level: float | None
    interval: Interval | None
    beyond: Literal["above", "below"] | None
    sentence: Sentence
    message: MessageParts | None = None
