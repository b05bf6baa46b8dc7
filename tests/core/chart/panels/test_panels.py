"""ResultPanels: sweeps over numeric factors, rate against cost, latency across cells."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from backend.core.chart.build import build_chart
from backend.core.chart.cells.inputs import TrialRow
from backend.core.chart.panels import sweep as sweeps
from backend.core.chart.panels import trade_off
from backend.core.chart.panels.build_panels import build_panels
from backend.core.chart.panels.panel_models import ResultPanels
from backend.core.chart.panels.trade_off import frontier_of
from backend.core.plan.model import Cell
from tests.core.chart.runs import made_up, study_experiment


def panels(**changes: Any) -> ResultPanels:
    return build_panels(made_up(study_experiment(study=None, **changes)))


SWEPT = {"path": ["same_container", "published_loopback"], "clients": [8, 1, 4]}
BASELINE = {"path": "same_container", "clients": 1}


def test_a_sweep_has_the_levels_in_order_and_a_series_for_each_other_level() -> None:
    (found,) = panels(factors=SWEPT, baseline=BASELINE).sweeps
    assert (found.factor, [level.level for level in found.levels]) == ("clients", [1, 4, 8])
    assert [series.label for series in found.series] == [
        "Same container",
        "Published port on 127.0.0.1",
    ]
    assert [axis.metric for axis in found.axes] == ["tps", "cpu_us_per_txn", "proxy_cpu_cores"]
    assert found.left_out == 0


def test_the_figures_are_those_of_the_result() -> None:
    data = made_up(study_experiment(study=None, factors=SWEPT, baseline=BASELINE))
    cells = {cell.id: cell for cell in build_chart(data).cells}
    (found,) = build_panels(data).sweeps
    for series in found.series:
        for metric in ("tps", "cpu_us_per_txn"):
            for cell_id, figure in zip(series.cells, series.figures[metric], strict=True):
                assert cell_id is not None and figure is not None
                summary = cells[cell_id].summaries[metric]
                assert (figure.n, figure.median, figure.interval) == (
                    summary.n,
                    summary.median,
                    summary.interval,
                )


def test_every_interval_is_within_its_axis() -> None:
    (found,) = panels(factors=SWEPT, baseline=BASELINE).sweeps
    for axis in found.axes:
        for series in found.series:
            for figure in series.figures[axis.metric]:
                assert figure is not None and figure.interval is not None
                assert axis.domain[0] <= figure.interval.low <= figure.interval.high <= axis.domain[1]


def test_a_level_that_is_no_quantity_comes_last_with_its_label() -> None:
    (found,) = panels(factors={"rate": [0, 500, 1000]}, baseline={"rate": 0}).sweeps
    assert [(level.level, level.label) for level in found.levels] == [
        (500, ""),
        (1000, ""),
        (0, "unlimited rate"),
    ]


def test_there_is_no_sweep_of_one_level_or_of_a_factor_that_is_no_number() -> None:
    assert build_panels(made_up()).sweeps == ()


def test_a_trial_that_does_not_count_is_in_no_figure() -> None:
    def spoiled(row: TrialRow, cell: Cell) -> TrialRow:
        return replace(row, evidence="not_proven") if row.round == 1 else row

    data = made_up(study_experiment(study=None, factors=SWEPT, baseline=BASELINE), spoiled)
    (found,) = build_panels(data).sweeps
    rounds = data.experiment.rounds
    assert {figure.n for figure in found.series[0].figures["tps"] if figure} == {rounds - 1}


def test_series_beyond_the_limit_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sweeps, "MAX_SERIES", 1)
    (found,) = panels(factors=SWEPT, baseline=BASELINE).sweeps
    assert (len(found.series), found.left_out) == (1, 1)


@pytest.mark.parametrize(
    ("points", "frontier"),
    [
        ([], []),
        ([(1, 1)], [0]),
        ([(1, 1), (2, 2), (3, 1.5)], [0, 1]),
        ([(2, 2), (1, 2), (1, 1)], [1]),
        ([(1, 2), (1, 2), (2, 2)], [0, 1]),
    ],
)
def test_the_frontier_has_the_points_that_none_dominates(
    points: list[tuple[float, float]], frontier: list[int]
) -> None:
    assert frontier_of(points) == frontier


def test_rate_against_cost_has_both_figures_of_every_cell() -> None:
    data = made_up()
    (found,) = build_panels(data).trade_offs
    cells = {cell.id: cell for cell in build_chart(data).cells}
    assert {point.cell_id for point in found.points} == {
        id_ for id_, cell in cells.items() if not cell.is_duplicate
    }
    for point in found.points:
        assert point.rate.median == cells[point.cell_id].summaries["tps"].median
        assert point.dominated == (point.cell_id not in found.frontier)
        assert (point.color, point.shape) == (cells[point.cell_id].color, cells[point.cell_id].shape)
    assert any(point.dominated for point in found.points)


def test_the_frontier_is_kept_where_points_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    (whole,) = build_panels(made_up()).trade_offs
    monkeypatch.setattr(trade_off, "MAX_POINTS", len(whole.frontier))
    (cut,) = build_panels(made_up()).trade_offs
    assert cut.frontier == whole.frontier
    assert (len(cut.points), cut.left_out) == (len(whole.frontier), len(whole.points) - len(whole.frontier))


def test_latencies_of_open_and_closed_loops_are_apart() -> None:
    def with_percentiles(row: TrialRow, cell: Cell) -> TrialRow:
        own = (
            {"open_latency_p50_ms": 1.0, "open_latency_p99_ms": 9.0}
            if cell.levels["rate"]
            else {"latency_avg_ms": 2.0}
        )
        return replace(row, metrics={"tps": 500.0} | own)

    experiment = study_experiment(
        study=None, factors={"rate": [0, 500]}, baseline={"rate": 0}, metrics=["tps"]
    )
    opened, closed = build_panels(made_up(experiment, with_percentiles)).latencies
    assert (opened.loop, opened.names, len(opened.rows)) == ("open", ("p50", "p99"), 1)
    assert opened.rows[0].figures["p99"].median == 9.0
    assert (closed.loop, closed.names, len(closed.rows)) == ("closed", ("mean",), 1)


def test_a_run_without_a_trial_has_no_panels() -> None:
    data = replace(made_up(state="queued"), trials=[])
    found = build_panels(data)
    assert (found.trade_offs, found.latencies) == ((), ())
