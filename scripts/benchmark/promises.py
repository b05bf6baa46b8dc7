"""The statements of a result, and when each one is wrong about the truth.

`scripts.benchmark.simulated_runs` simulates the runs that test each statement.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

import numpy as np

from backend.core.chart.model.cell_models import Comparison
from backend.core.chart.model.chart_model import ChartModel
from backend.core.chart.model.model_base import Interval

ROUNDS: Final = 10
PATHS: Final = (
    "same_container", "shared_namespace", "sibling_container", "default_bridge", "container_address",
    "published_loopback", "published_host_address", "published_hairpin", "nginx_stream",
)  # fmt: skip
"""A baseline and eight steps."""
DIFFERENT: Final = frozenset(("better", "worse", "different_within_margin"))

Broken = Callable[[ChartModel, Mapping[str, float]], bool]
"""Whether a result is wrong about the true ratios, by cell id, of cells to their baseline."""
Truth = Callable[[int], Sequence[float]]
"""The true ratios of so many compared cells."""


@dataclass(frozen=True)
class Promise:
    """One statement of a result: its experiment, the truth, and when it is wrong.

    An `exact` one is wrong in no run, whatever the host. `noise` multiplies that of the host.
    """

    name: str
    document: Mapping[str, Any]
    truth: Truth
    broken: Broken
    exact: bool = False
    noise: float = 1.0


def document(cells: int, **more: Any) -> dict[str, Any]:
    """A baseline and so many other cells, by their number of clients."""
    return {
        "name": "simulated",
        "title": "Simulated",
        "factors": {"path": "container_address", "clients": list(range(1, cells + 2))},
        "baseline": {"clients": 1},
        "rounds": ROUNDS,
        "seed": 1,
        "metrics": ["tps", "cpu_us_per_txn"],
    } | more


def equal(cells: int) -> Sequence[float]:
    return [1.0] * cells


def _at(ratio: float) -> Truth:
    return lambda cells: [ratio] * cells


def _spread(cells: int) -> Sequence[float]:
    """Real differences of up to 10 % either way."""
    return list(np.exp(np.linspace(-0.1, 0.1, cells)))


def _comparisons(model: ChartModel) -> Iterator[tuple[str, Comparison]]:
    """The first metric's comparisons of cells that are not duplicates, by cell id."""
    for cell in model.cells:
        found = cell.comparisons.get("tps")
        if found is not None and not cell.is_duplicate:
            yield cell.id, found


def _misses(interval: Interval | None, truth: float) -> bool:
    return interval is not None and not interval.low <= truth <= interval.high


def false_difference(model: ChartModel, truth: Mapping[str, float]) -> bool:
    return any(found.verdict in DIFFERENT and truth[id_] == 1 for id_, found in _comparisons(model))


def _wrong_way(model: ChartModel, truth: Mapping[str, float]) -> bool:
    """A cell called faster that is not, or slower that is not."""
    return any(
        (found.verdict == "better" and truth[id_] <= 1) or (found.verdict == "worse" and truth[id_] >= 1)
        for id_, found in _comparisons(model)
    )


def _interval_missed(model: ChartModel, truth: Mapping[str, float]) -> bool:
    """An interval with a verdict does not contain the truth."""
    return any(_misses(found.interval, truth[id_]) for id_, found in _comparisons(model))


def _headline_missed(model: ChartModel, truth: Mapping[str, float]) -> bool:
    """The cell of the headline, the one with the largest difference shown, has a wrong interval."""
    shown = [(id_, c) for id_, c in _comparisons(model) if c.verdict in ("better", "worse") and c.ratio]
    if not shown:
        return False
    id_, found = max(shown, key=lambda pair: abs(math.log(pair[1].ratio or 1.0)))
    return found.interval is None or _misses(found.interval, truth[id_])


def _contradicts_itself(model: ChartModel, _truth: Mapping[str, float]) -> bool:
    """Interval and adjusted p disagree, or "no difference shown" has an interval without 1."""
    for _, found in _comparisons(model):
        if found.interval is None or found.verdict in ("undefined", "not_enough_rounds"):
            continue
        if _misses(found.interval, 1) != (found.verdict in DIFFERENT):
            return True
    return False


def _equivalent(model: ChartModel, _truth: Mapping[str, float]) -> bool:
    return any(found.verdict in ("equivalent", "different_within_margin") for _, found in _comparisons(model))


def _gate_failed(model: ChartModel, _truth: Mapping[str, float]) -> bool:
    return model.gate is not None and model.gate.outcome == "fail"


def _gate_passed(model: ChartModel, _truth: Mapping[str, float]) -> bool:
    """Any cell of the gate passes."""
    return model.gate is not None and any(
        cell.outcome == "pass" for rule in model.gate.rules for cell in rule.cells
    )


def _rung_shown(quantity: Literal["cpu", "throughput"]) -> Broken:
    """Any hop is said to change this quantity; the sentence names the steps of one quantity as the family."""

    def broken(model: ChartModel, _truth: Mapping[str, float]) -> bool:
        costs = (getattr(step, quantity) for ladder in model.ladders for step in ladder.rungs)
        return any(cost is not None and _misses(cost.interval, 0) for cost in costs)

    return broken


def _best_left_out(model: ChartModel, _truth: Mapping[str, float]) -> bool:
    """Of equal cells the last one counts as the best."""
    last = [cell.id for cell in model.cells if not cell.is_duplicate][-1]
    return any(last in group.out for group in model.best)


def _suspect(model: ChartModel, _truth: Mapping[str, float]) -> bool:
    return any(check.suspect for check in model.duplicates)


def _collapse_missed(true_load: float) -> Broken:
    """The interval of the load after which throughput falls does not hold the true one."""

    def broken(model: ChartModel, _truth: Mapping[str, float]) -> bool:
        return any(_misses(knee.interval, true_load) for knee in model.knees if knee.kind == "collapse")

    return broken


_LADDER: Final = {
    "name": "simulated",
    "title": "Simulated",
    "factors": {"path": list(PATHS), "userland_proxy": True},
    "baseline": {"path": PATHS[0]},
    "rounds": ROUNDS,
    "seed": 1,
    "metrics": ["tps", "cpu_us_per_txn"],
}
_LOADS: Final = range(1, 11)
_CONNECTING: Final = document(9) | {
    "factors": {
        "path": "container_address",
        "clients": list(_LOADS),
        "reconnect": True,
        "threads": 0,
        "protocol": "simple",
    },
}
"""A sweep that connects for each transaction, in which throughput may fall."""


def _falling(_cells: int) -> Sequence[float]:
    """Throughput rises up to five clients, and is a seventh lower from six on."""
    return [1.1, 1.2, 1.3, 1.4, 1.2, 1.15, 1.1, 1.05, 1.0]


_AT_LEAST: Final = {"thresholds": ["ratio(tps, baseline) >= 0.9"]}

PROMISES: Final = (
    Promise("a difference is shown where there is none, 6 comparisons", document(6), equal, false_difference),
    Promise(
        "a difference is shown where there is none, 20 comparisons", document(20), equal, false_difference
    ),
    Promise("faster or slower is said the wrong way round, 6 comparisons", document(6), _spread, _wrong_way),
    Promise(
        "an interval beside a verdict misses the truth, 6 comparisons", document(6), _spread, _interval_missed
    ),
    Promise(
        "an interval beside a verdict misses the truth, 20 comparisons",
        document(20),
        _spread,
        _interval_missed,
    ),
    Promise(
        "the headline's interval misses the truth, 20 comparisons", document(20), _spread, _headline_missed
    ),
    Promise(
        "interval and verdict contradict each other, 6 comparisons",
        document(6),
        equal,
        _contradicts_itself,
        True,
    ),
    Promise("equivalent is said at the margin, 20 comparisons", document(20), _at(1.05), _equivalent),
    Promise(
        "a threshold fails exactly at its bound, 6 cells", document(6, **_AT_LEAST), _at(0.9), _gate_failed
    ),
    Promise(
        "a threshold passes exactly at its bound, 6 cells", document(6, **_AT_LEAST), _at(0.9), _gate_passed
    ),
    Promise("a hop costs CPU where it costs none, 8 hops", _LADDER, equal, _rung_shown("cpu")),
    Promise("a hop costs throughput where it costs none, 8 hops", _LADDER, equal, _rung_shown("throughput")),
    Promise("the best cell is left out of its group, 20 cells", document(20), equal, _best_left_out),
    Promise(
        "a load of collapse is given where nothing falls, 10 loads",
        _CONNECTING,
        equal,
        _collapse_missed(10),
        noise=3,
    ),
    Promise(
        "the interval of a collapse misses its load, 10 loads",
        _CONNECTING,
        _falling,
        _collapse_missed(5),
        noise=3,
    ),
    Promise("A/A is suspect although nothing is wrong", document(6), equal, _suspect),
)
"""What a reader takes from a result."""
