"""CellSeries: the trials of a cell over their time, their warm-up, and what bounds them."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest

from backend.core.chart.build import build_chart
from backend.core.chart.cell_series.as_of import as_of
from backend.core.chart.cell_series.build_series import MAX_POINTS, MAX_TRIALS, RecordedSeries, build_series
from backend.core.chart.cell_series.series_models import CellSeries
from backend.core.chart.cells.inputs import ChartInput, TrialRow
from backend.core.errors import NotFound
from backend.core.plan.model import Cell
from backend.core.sample.record import CpuPoint, SecondPoint
from tests.core.chart.runs import made_up, study_experiment
from tests.core.sample.test_pgbench import FIXTURES

WARM_UP_S = 2.0
SECONDS = 10


def rates(seconds: int = SECONDS, rate: float = 1000.0) -> tuple[SecondPoint, ...]:
    return tuple(
        SecondPoint(t=float(at), rate=rate + at, latency_ms=None, latency_stddev_ms=None)
        for at in range(1, seconds + 1)
    )


def cpu(seconds: int = SECONDS) -> tuple[CpuPoint, ...]:
    """Four samples a second: the client alternates between 1 and 3 cores."""
    return tuple(
        CpuPoint(t=at / 4, cores={"client": 1.0 if at % 2 else 3.0, "server": 0.5})
        for at in range(1, 4 * seconds + 1)
    )


def series(data: ChartInput, cell_id: str = "c1", points: int = SECONDS) -> CellSeries:
    warm_up = ((FIXTURES / "15-live.stdout").read_text(), (FIXTURES / "15-live.stderr").read_text())
    recorded = [
        RecordedSeries(row.trial_id, rates(points), cpu(), warm_up)
        for row in data.trials
        if row.cell_id == cell_id
    ]
    return build_series(data, cell_id, recorded)


def test_time_begins_with_the_load_so_that_the_window_follows_the_warm_up() -> None:
    found = series(made_up(study_experiment(rounds=3)))
    assert (found.warm_up_s, found.seconds) == (WARM_UP_S, WARM_UP_S + SECONDS)
    assert [trial.round for trial in found.trials] == [1, 2, 3]
    first = found.trials[0]
    assert first.rate.t == tuple(WARM_UP_S + at for at in range(1, SECONDS + 1))
    assert first.rate.values == tuple(1000.0 + at for at in range(1, SECONDS + 1))
    assert first.warm_up.t and max(first.warm_up.t) <= WARM_UP_S + 0.5
    assert all(value > 0 for value in first.warm_up.values)
    assert found.rate is not None and found.rate.domain[1] >= max(first.rate.values)


def test_cpu_has_one_mean_for_each_second_and_the_sum_of_the_roles() -> None:
    found = series(made_up(study_experiment(rounds=1))).trials[0].cpu
    assert found.t == tuple(WARM_UP_S + at for at in range(1, SECONDS + 1))
    assert found.cores == {
        "all": (2.5,) * SECONDS,
        "client": (2.0,) * SECONDS,
        "server": (0.5,) * SECONDS,
    }


def test_a_long_series_is_bounded_and_keeps_its_mean() -> None:
    found = series(made_up(study_experiment(rounds=1)), points=25_000).trials[0]
    assert len(found.rate.values) <= MAX_POINTS and found.intervals_per_point == 42
    widths = [b - a for a, b in pairwise((WARM_UP_S, *found.rate.t))]
    mean = sum(v * w for v, w in zip(found.rate.values, widths, strict=True)) / sum(widths)
    assert mean == pytest.approx(1000 + 25_001 / 2, rel=1e-4)
    assert found.rate.t[-1] == WARM_UP_S + 25_000


def test_more_trials_than_are_drawn_are_counted() -> None:
    found = series(made_up(study_experiment(rounds=MAX_TRIALS + 10)))
    assert (len(found.trials), found.left_out) == (MAX_TRIALS, 10)


def test_trials_that_do_not_count_are_there_with_the_reason() -> None:
    def change(row: TrialRow, _cell: Cell) -> TrialRow:
        if row.round == 1:
            return replace(row, excluded="fan failure", metrics=None, cpu=None)
        return replace(row, contaminated=("steal",), retakes=2) if row.round == 2 else row

    data = made_up(study_experiment(rounds=3), change)
    found = series(data)
    assert [trial.used for trial in found.trials] == [False, False, True]
    assert found.trials[0].excluded == "fan failure" and found.trials[0].rate.values
    assert (found.trials[1].contaminated, found.trials[1].retakes) == (("steal",), 2)
    before = as_of(found, build_chart(made_up(study_experiment(rounds=3))))
    assert [(trial.used, trial.excluded) for trial in before.trials] == [(True, None)] * 3


def test_a_tool_without_rates_by_interval_has_no_axis_of_its_rate() -> None:
    data = made_up(study_experiment(rounds=1))
    recorded = [RecordedSeries(row.trial_id, (), cpu()) for row in data.trials if row.cell_id == "c1"]
    found = build_series(data, "c1", recorded)
    assert found.rate is None and set(found.cpu) == {"all", "client", "server"}
    assert build_series(data, "c1", [replace(one, cpu=()) for one in recorded]).cpu == {}


def test_a_warm_up_that_cannot_be_read_is_left_out() -> None:
    data = made_up(study_experiment(rounds=1))
    recorded = [
        RecordedSeries(row.trial_id, rates(), (), ("", "no report"))
        for row in data.trials
        if row.cell_id == "c1"
    ]
    assert build_series(data, "c1", recorded).trials[0].warm_up.t == ()


def test_a_cell_that_is_not_in_the_plan() -> None:
    with pytest.raises(NotFound, match="has no cell 'c99'"):
        build_series(made_up(study_experiment(rounds=1)), "c99", [])
