"""The trials of one cell to CellSeries: bounded in size, means over equal intervals."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from backend.core.chart.cell_series.series_models import CellSeries, CpuPoints, Points, SeriesTrial
from backend.core.chart.cells.inputs import ChartInput, TrialRow
from backend.core.chart.cells.run_cells import by_cell
from backend.core.chart.cells.trials import CellTrials
from backend.core.chart.model.axes import decimals, nice_above, zoom_domain
from backend.core.chart.model.cell_models import Axis
from backend.core.chart.model.rounding import rounded
from backend.core.definition.metrics import METRICS, RATES
from backend.core.errors import NotFound, Unparseable
from backend.core.sample.parsers import PARSERS
from backend.core.sample.record import ROLES, CpuPoint, SecondPoint

MAX_TRIALS: Final = 50
MAX_POINTS: Final = 600
"""Points of one trial in one quantity."""
CPU_INTERVAL_S: Final = 1.0
"""CPU is sampled several times per second; a point is the mean of at least so much time."""
MAX_WARM_UP: Final = 1_000_000
"""Characters of a warm-up's output that are read; longer ones are left out."""
ALL: Final = "all"
_SMALLEST: Final = 1e-9


@dataclass(frozen=True)
class RecordedSeries:
    """What a record has over time; `warm_up` is the output (stdout, stderr) of the warm-up, if kept."""

    trial_id: str
    per_second: Sequence[SecondPoint]
    cpu: Sequence[CpuPoint]
    warm_up: tuple[str, str] | None = None


def build_series(data: ChartInput, cell_id: str, recorded: Sequence[RecordedSeries]) -> CellSeries:
    """The series of a cell; `data` has at least its trials, `recorded` what their records have over time.

    Numbers have six significant digits. Raises NotFound for a cell that is not in the plan.
    """
    cell = by_cell(data).get(cell_id)
    if cell is None:
        raise NotFound(f"run {data.run_id} has no cell {cell_id!r}; its plan lists them")
    levels = cell.cell.levels
    tool, warm_up_s = str(levels["tool"]), _warm_up_s(data, cell)
    known = {each.trial_id: each for each in recorded}
    trials = [_trial(row, cell, known[row.trial_id], tool, warm_up_s) for row in _kept(cell, known)]
    ends = [t for each in trials for t in (*each.rate.t[-1:], *each.cpu.t[-1:])]
    return rounded(
        CellSeries(
            run_id=data.run_id,
            cell_id=cell_id,
            label=cell.cell.label,
            tool=tool,
            warm_up_s=warm_up_s,
            seconds=max([warm_up_s + float(levels["duration_s"]), *ends]),
            rate=_rate_axis(tool, trials),
            cpu=dict(_cpu_axes(trials)),
            trials=tuple(trials),
            left_out=max(0, len(cell.done) - MAX_TRIALS),
        )
    )


def _warm_up_s(data: ChartInput, cell: CellTrials) -> float:
    """The length of the warm-up; imported logs begin with the measured window."""
    return 0.0 if data.origin == "imported" else float(cell.cell.levels["warm_up_s"])


def _kept(cell: CellTrials, known: Mapping[str, RecordedSeries]) -> Iterator[TrialRow]:
    return (row for row in cell.done[:MAX_TRIALS] if row.trial_id in known)


def _trial(
    row: TrialRow, cell: CellTrials, recorded: RecordedSeries, tool: str, warm_up_s: float
) -> SeriesTrial:
    rate, per_point = _rates(recorded.per_second, warm_up_s)
    return SeriesTrial(
        trial_id=row.trial_id,
        round=row.round,
        used=row.trial_id in cell.used_ids,
        evidence=row.evidence,
        excluded=row.excluded,
        invalid=row.invalid,
        contaminated=row.contaminated,
        retakes=row.retakes,
        warm_up=_warm_up(recorded.warm_up, tool, warm_up_s),
        rate=rate,
        intervals_per_point=per_point,
        cpu=_cpu(recorded.cpu, warm_up_s),
    )


def _warm_up(output: tuple[str, str] | None, tool: str, warm_up_s: float) -> Points:
    """The rates of the warm-up as its tool reported them; empty where its output is missing or unreadable."""
    if output is None or warm_up_s <= 0 or sum(map(len, output)) > MAX_WARM_UP:
        return Points()
    try:
        found = PARSERS[tool].parse(*output).per_second
    except Unparseable:
        found = tuple(PARSERS[tool].progress(*output))
    points, _ = _rates([point for point in found if point.t <= warm_up_s + CPU_INTERVAL_S / 2], 0.0)
    return points


def _rates(points: Sequence[SecondPoint], start_s: float) -> tuple[Points, int]:
    """At most MAX_POINTS means over equally many intervals, weighted by length; and how many intervals."""
    size = max(1, math.ceil(len(points) / MAX_POINTS))
    ends = [0.0, *(point.t for point in points)]
    t, values = [], []
    for at in range(0, len(points), size):
        bucket = points[at : at + size]
        lengths = [ends[at + n + 1] - ends[at + n] for n in range(len(bucket))]
        t.append(start_s + bucket[-1].t)
        values.append(_mean([point.rate for point in bucket], lengths))
    return Points(t=tuple(t), values=tuple(values)), size


def _cpu(points: Sequence[CpuPoint], start_s: float) -> CpuPoints:
    """Means over intervals of at least CPU_INTERVAL_S, weighted by the time before each sample."""
    if not points:
        return CpuPoints()
    width = max(CPU_INTERVAL_S, points[-1].t / MAX_POINTS)
    roles = [role for role in ROLES if any(point.cores.get(role, 0.0) > 0 for point in points)]
    t: list[float] = []
    cores: dict[str, list[float]] = {name: [] for name in (ALL, *roles)}
    for bucket, lengths in _buckets(points, width):
        t.append(start_s + bucket[-1].t)
        means = [_mean([max(0.0, point.cores.get(role, 0.0)) for point in bucket], lengths) for role in roles]
        for role, mean in zip(roles, means, strict=True):
            cores[role].append(mean)
        cores[ALL].append(sum(means))
    return CpuPoints(t=tuple(t), cores={name: tuple(values) for name, values in cores.items()})


def _buckets(points: Sequence[CpuPoint], width: float) -> Iterator[tuple[list[CpuPoint], list[float]]]:
    """Consecutive samples that together span at least `width` seconds, with the time before each of them."""
    bucket: list[CpuPoint] = []
    lengths: list[float] = []
    before = 0.0
    for point in points:
        bucket.append(point)
        lengths.append(point.t - before)
        before = point.t
        if sum(lengths) >= width - _SMALLEST:
            yield bucket, lengths
            bucket, lengths = [], []
    if bucket:
        yield bucket, lengths


def _mean(values: Sequence[float], lengths: Sequence[float]) -> float:
    """The mean weighted by length, plain where no time passed."""
    total = sum(lengths)
    if total <= 0 or min(lengths) < 0:
        return sum(values) / len(values)
    return sum(value * length for value, length in zip(values, lengths, strict=True)) / total


def _rate_axis(tool: str, trials: Sequence[SeriesTrial]) -> Axis | None:
    values = [value for trial in trials for value in (*trial.warm_up.values, *trial.rate.values)]
    if not any(trial.rate.values for trial in trials):
        return None
    row = METRICS[RATES[tool]]
    return _axis(row.name, row.label, row.unit, values)


def _cpu_axes(trials: Sequence[SeriesTrial]) -> Iterator[tuple[str, Axis]]:
    for name in (ALL, *ROLES):
        values = [value for trial in trials for value in trial.cpu.cores.get(name, ())]
        if values:
            label = METRICS["cpu_cores"].label if name == ALL else f"CPU of {name}"
            yield name, _axis("cpu_cores", label, "cores", values)


def _axis(metric: str, label: str, unit: str, values: Sequence[float]) -> Axis:
    top = max([0.0, *values])
    return Axis(
        metric=metric,
        label=label,
        unit=unit,
        better=METRICS[metric].better,
        domain=(0.0, nice_above(top) if top > _SMALLEST else 1.0),
        zoom=zoom_domain(values),
        decimals=decimals((), top),
    )
