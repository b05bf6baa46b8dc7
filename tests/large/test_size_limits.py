"""The result of a run of a thousand cells: its size, what it leaves out, and the sentence that states it."""

from __future__ import annotations

import gzip
from dataclasses import replace

import pytest

from backend.core.chart.build import build_chart, chart_cell
from backend.core.chart.cells.inputs import ChartInput
from backend.core.chart.cells.run_cells import by_cell
from backend.core.chart.model.chart_model import ChartModel
from backend.core.chart.model.rounding import significant
from backend.core.chart.model.size_limits import MOST_FIGURES, figures
from backend.core.errors import NotFound
from scripts.benchmark.analysis import large_run
from tests.core.chart.runs import made_up


@pytest.fixture(scope="module")
def run() -> ChartInput:
    return large_run(1000)


@pytest.fixture(scope="module")
def model(run: ChartInput) -> ChartModel:
    return build_chart(run)


def size(model: ChartModel) -> int:
    return len(gzip.compress(model.model_dump_json().encode(), 6))


def test_a_thousand_cells_are_sent_in_300_kb(model: ChartModel) -> None:
    assert len(model.cells) == 1001
    assert size(model) <= 300_000


def test_what_is_left_out_is_stated(run: ChartInput, model: ChartModel) -> None:
    assert model.reduced is not None
    assert model.reduced.digits == 4
    assert model.reduced.without_values == run.experiment.metrics[1:]
    assert "numbers have 4 digits" in model.reduced.sentence
    assert "transactions per second alone" in model.reduced.sentence


@pytest.mark.full
def test_only_values_variation_and_90_percent_intervals_are_left_out(
    run: ChartInput, model: ChartModel
) -> None:
    whole = build_chart(run, complete=True)
    assert whole.reduced is None
    full, small = whole.cells[7], model.cells[7]
    assert [len(full.summaries[m].values) for m in run.experiment.metrics] == [10] * 6
    assert [len(small.summaries[m].values) for m in run.experiment.metrics] == [10, 0, 0, 0, 0, 0]
    for metric in run.experiment.metrics:
        median, ratio = full.summaries[metric].median, full.comparisons[metric].ratio
        assert median is not None and ratio is not None
        assert small.summaries[metric].median == pytest.approx(median, rel=1e-3)
        assert small.comparisons[metric].ratio == pytest.approx(ratio, rel=1e-3)
        assert small.comparisons[metric].verdict == full.comparisons[metric].verdict
        assert small.comparisons[metric].sentence == full.comparisons[metric].sentence
        assert small.summaries[metric].interval is not None
        assert small.comparisons[metric].p_adjusted == pytest.approx(
            full.comparisons[metric].p_adjusted, rel=1e-3
        )
        assert small.comparisons[metric].interval is None, "of so many comparisons 10 rounds give none"
    assert small.comparisons["tps"].interval_unadjusted is not None
    assert small.comparisons["cpu_cores"].interval_unadjusted is None
    assert small.comparisons["cpu_cores"].interval_90 is None
    assert small.summaries["cpu_cores"].cv_percent is None
    assert (model.headline, model.counts, model.warnings) == (whole.headline, whole.counts, whole.warnings)
    assert small.cpu[0].cores == significant(full.cpu[0].cores, 4)


@pytest.mark.full
def test_a_cell_can_be_read_in_full(run: ChartInput) -> None:
    cell = chart_cell(run, "c8")
    values = by_cell(run)["c8"].values("cpu_cores")
    assert cell.summaries["cpu_cores"].values == tuple(significant(values[r]) for r in cell.rounds)
    with pytest.raises(NotFound, match="no cell 'c9999'"):
        chart_cell(run, "c9999")


@pytest.mark.full
def test_a_run_of_360_cells_is_complete() -> None:
    data = made_up()
    model = build_chart(data)
    assert model.reduced is None
    assert build_chart(data, complete=True) == model
    largest = build_chart(replace(large_run(360)))
    assert figures(largest) <= MOST_FIGURES and largest.reduced is None
    assert size(largest) <= 300_000


@pytest.mark.full
def test_a_thousand_cells_of_thirty_rounds() -> None:
    model = build_chart(large_run(1000, rounds=30))
    assert {cell.summaries["tps"].n for cell in model.cells} == {30}
    assert model.counts.better + model.counts.worse <= 1
    assert model.reduced is not None
