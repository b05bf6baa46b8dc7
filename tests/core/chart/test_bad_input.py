"""Unusable values in a run: each has a stated result or a stated refusal."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace

import pytest

from backend.core.chart.build import build_chart
from backend.core.chart.cells.inputs import TrialCpu, TrialProcess, TrialRow
from backend.core.chart.model.cell_models import Comparison
from backend.core.chart.model.chart_model import ChartModel
from backend.core.definition.experiment import Experiment
from backend.core.definition.submitted import validate_document
from backend.core.errors import Invalid
from backend.core.plan.model import Cell
from backend.core.sample.notice import Notice
from backend.core.statistics.drift import drift
from backend.core.statistics.median import cv_percent, median_interval
from backend.core.statistics.paired import Undefined, paired_ratio
from backend.core.statistics.steadiness import steadiness
from backend.core.statistics.unpaired import unpaired_ratio
from tests.core.chart.runs import Change, cell_of, failed, made_up, study_experiment

Values = Callable[[TrialRow], float | None]
SLOW = ("published_loopback", True)


def with_tps(values: Values, cell_id: str | None = None) -> Change:
    """A change of the first metric, of one cell or of all."""

    def change(row: TrialRow, _cell: Cell) -> TrialRow:
        if cell_id not in (None, row.cell_id):
            return row
        metrics = {k: v for k, v in (row.metrics or {}).items() if k != "tps"}
        value = values(row)
        return replace(row, metrics=metrics if value is None else metrics | {"tps": value})

    return change


def chart(change: Change, state: str = "done") -> ChartModel:
    """The model of a spoiled run, which must be whole JSON again."""
    model = build_chart(made_up(change=change, state=state))
    text = model.model_dump_json()
    assert "NaN" not in text and "Infinity" not in text
    assert ChartModel.model_validate_json(text) == model
    return model


def slow(model: ChartModel) -> Comparison:
    return cell_of(model, *SLOW).comparisons["tps"]


@pytest.mark.parametrize(
    ("values", "cell_id", "sentence"),
    [
        (lambda _: None, "c1", "No answer (no round has a value of both)"),
        (lambda _: math.nan, "c5", "No answer (no round has a value of both)"),
        (lambda _: math.inf, "c1", "No answer (no round has a value of both)"),
        (lambda _: 1e300, "c5", "No answer (no round has a value of both)"),
    ],
    ids=["no value", "NaN", "infinite", "beyond 1e100"],
)
def test_a_ratio_that_does_not_exist_says_why(values: Values, cell_id: str | None, sentence: str) -> None:
    model = chart(with_tps(values, cell_id))
    found = slow(model)
    assert (found.verdict, found.sentence) == ("undefined", sentence)
    assert (found.ratio, found.p, found.p_holm, found.interval) == (None, None, None, None)


@pytest.mark.parametrize(
    ("values", "cell_id", "verdict"),
    [
        (lambda _: 0.0, None, "equivalent"),
        (lambda _: 0.0, "c1", "better"),
        (lambda row: 0.0 if row.round == 3 else 100.0, "c5", "worse"),
        (lambda row: -100.0 - row.round, "c5", "worse"),
        (lambda row: (-1.0) ** row.round, "c1", "better"),
    ],
    ids=["all 0", "baseline 0", "one 0", "negative", "signs"],
)
def test_without_a_ratio_differences_are_judged(values: Values, cell_id: str | None, verdict: str) -> None:
    found = slow(chart(with_tps(values, cell_id)))
    assert (found.verdict, found.ratio, found.interval) == (verdict, None, None)
    assert found.difference is not None
    assert found.p is not None


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf, 1e101, -1e300, None])
def test_a_metric_that_two_trials_lack_is_not_judged_by_the_others(bad: float | None) -> None:
    model = chart(with_tps(lambda row: bad if row.round in (2, 7) else 100.0 + row.round, "c5"))
    cell = cell_of(model, *SLOW)
    summary, found = cell.summaries["tps"], cell.comparisons["tps"]
    assert (summary.n, summary.median, summary.interval) == (8, None, None)
    assert [n for n, v in zip(cell.rounds, summary.values, strict=True) if v is None] == [2, 7]
    assert (found.verdict, found.n, found.p) == ("undefined", 0, None)
    assert found.sentence == (
        "No answer (not judged: 2 of 10 trials have no value of it, which may depend on it)"
    )
    assert model.warnings == (
        f"transactions per second is not judged in {cell.label}: 2 trials have no usable value of it, which "
        "may depend on the value, so that the others are no sample.",
    )


def test_the_notice_of_the_trials_that_lack_a_metric_is_its_reason() -> None:
    few = Notice("few transactions for a percentile", "90 in the window", "use a longer duration_s")

    def change(row: TrialRow, cell: Cell) -> TrialRow:
        assert row.metrics is not None
        if cell.id != "c5" or row.round != 2:
            return row
        return replace(row, notices=(few,), metrics={k: v for k, v in row.metrics.items() if k != "tps"})

    assert slow(chart(change)).sentence.endswith("(few transactions for a percentile))")


def test_a_threshold_on_a_metric_that_a_trial_lacks_has_not_enough_evidence() -> None:
    def lost(row: TrialRow) -> float | None:
        return None if row.round == 2 else 100.0 + row.round

    experiment = study_experiment(thresholds=["tps >= 1", "ratio(tps, baseline) >= 0.001"])
    gate = build_chart(made_up(experiment, with_tps(lost, "c5"))).gate
    assert gate is not None
    for rule in gate.rules:
        (cell,) = (cell for cell in rule.cells if cell.cell_id == "c5")
        assert cell.outcome == "not_enough_evidence"
        assert "not judged: 1 of 10 trials have no value of it" in cell.sentence


def test_negative_values_of_both_sides_have_a_ratio() -> None:
    model = chart(with_tps(lambda row: -100.0 - row.round))
    assert slow(model).ratio == 1.0
    assert cell_of(model, *SLOW).summaries["tps"].median == -105.5


def test_all_values_equal() -> None:
    found = slow(chart(with_tps(lambda _: 100.0)))
    assert (found.ratio, found.p, found.verdict) == (1.0, 1.0, "equivalent")
    assert found.interval is not None and (found.interval.low, found.interval.high) == (1.0, 1.0)


def test_ties_everywhere() -> None:
    found = slow(
        chart(with_tps(lambda row: 100.0 if row.cell_id == "c1" else 110.0 if row.round % 2 else 90.0))
    )
    assert found.verdict == "no_difference_shown"
    assert found.p == 0.21875, "2 × 112 of 1,024 patterns of signs, five ranks of 3 and five of 8"


def no_trial(row: TrialRow, _cell: Cell) -> TrialRow:
    return TrialRow(row.trial_id, row.cell_id, row.round, "queued")


def only(rounds: Mapping[str, int]) -> Change:
    """Of some cells, only that many rounds; the rest of their trials failed."""
    return lambda row, _cell: failed(row) if row.round > rounds.get(row.cell_id, 99) else row


@pytest.mark.parametrize(
    ("change", "state", "headline"),
    [
        (no_trial, "running", "No result yet: 0 of 70 trials are done."),
        (no_trial, "cancelled", "No comparison in transactions per second could be made: 0 of 70 trials"),
        (lambda row, _: failed(row), "incomplete", "No comparison in transactions per second could be made"),
        (
            only({f"c{n}": 1 for n in range(1, 7)} | {"c1-aa": 1}),
            "incomplete",
            "No answer in transactions per second: 5 of 5 comparisons are lost",
        ),
        (only({"c1": 0}), "incomplete", "No comparison in transactions per second could be made: 60 of 70"),
    ],
    ids=["nothing yet", "cancelled", "all failed", "one trial each", "baseline failed"],
)
def test_runs_without_a_result_say_so(change: Change, state: str, headline: str) -> None:
    model = chart(change, state)
    assert model.headline.startswith(headline)
    assert all(c.ratio is None or c.verdict == "not_enough_rounds" for c in comparisons(model))


def comparisons(model: ChartModel) -> list[Comparison]:
    return [found for cell in model.cells for found in cell.comparisons.values()]


def test_a_failed_baseline_is_named() -> None:
    model = chart(only({"c1": 0}), "incomplete")
    assert {c.comparisons["tps"].sentence for c in model.cells if c.comparisons} == {
        "No answer (the baseline: no trial succeeded)"
    }
    assert any("Same container, userland-proxy on: 10 of 10 trials failed" in text for text in model.warnings)


def test_rounds_that_one_side_lacks_are_left_out_of_the_pairs() -> None:
    model = chart(
        lambda row, _: failed(row) if (row.cell_id, row.round % 2) in (("c1", 0), ("c5", 1)) else row
    )
    assert slow(model).sentence == "No answer (no round has a value of both)"
    assert cell_of(model, "sibling_container", False).comparisons["tps"].n == 5


def two_tools(tools: list[str], metrics: list[str]) -> Experiment:
    return validate_document(
        {
            "name": "two-tools",
            "title": "Two tools",
            "factors": {"path": ["container_address"], "tool": tools},
            "baseline": {"tool": tools[0]},
            "metrics": metrics,
            "rounds": 8,
        }
    )


def test_tools_of_different_units_are_refused_before_they_run() -> None:
    with pytest.raises(Invalid, match=r"/baseline/tool: pgbench reports tps, which cannot be compared"):
        two_tools(["pgbench", "wrk"], ["tps", "rps"])


def test_what_a_tool_did_not_yield_is_not_compared() -> None:
    model = build_chart(made_up(two_tools(["wrk", "ab"], ["rps", "latency_p99_ms"])))
    compared = next(c for c in model.cells if c.levels["tool"] == "ab")
    assert compared.comparisons["rps"].n == 8
    assert compared.comparisons["latency_p99_ms"].sentence == "No answer (no round has a value of both)"


def test_cpu_that_is_no_number_is_missing() -> None:
    def spoil(row: TrialRow, _cell: Cell) -> TrialRow:
        cpu = TrialCpu({"client": math.nan, "server": 10.0}, math.inf, 10.0, idle=None, steal=-math.inf)
        processes = (TrialProcess("proxy", "docker-proxy", False, math.nan),)
        return replace(row, cpu=cpu, processes=processes, transactions=0 if row.round == 1 else 1000)

    cell = chart(spoil).cells[0]
    assert [share.role for share in cell.cpu] == ["server"]
    assert cell.processes == ()


def test_a_window_of_no_length_has_no_cpu() -> None:
    def spoil(row: TrialRow, _cell: Cell) -> TrialRow:
        assert row.cpu is not None
        return replace(row, cpu=replace(row.cpu, window_seconds=0.0))

    assert chart(spoil).cells[0].cpu == ()


def test_one_round_and_one_cell() -> None:
    experiment = study_experiment(factors={"path": ["same_container"]}, rounds=1, study=None)
    model = build_chart(made_up(experiment))
    assert [cell.summaries["tps"].n for cell in model.cells] == [1, 1]
    assert (model.best, model.drifts) == ((), ())


@pytest.mark.parametrize(
    ("a", "b", "reason"),
    [
        ([], [], "no round has a value of both"),
        ([math.nan, 1.0], [1.0, 1.0], "a value is not a finite number"),
        ([1.0, 1.0], [math.inf, 1.0], "a value is not a finite number"),
        ([1e-300] * 6, [1e300] * 6, "the ratio is out of range"),
        ([0.0] * 3, [1.0] * 3, "a median is zero"),
        ([1.0, 2.0, 0.0], [1.0] * 3, "a value is zero"),
        ([1.0, -1.0], [1.0, 1.0], "the sign changes"),
    ],
)
def test_pairs_without_a_ratio(a: list[float], b: list[float], reason: str) -> None:
    with pytest.raises(Undefined, match=reason):
        paired_ratio(a, b)


@pytest.mark.parametrize(
    ("a", "b", "reason"),
    [
        ([], [1.0], "one side has no values"),
        ([math.nan], [1.0], "a value is not a finite number"),
        ([1.0], [math.inf], "a value is not a finite number"),
        ([1e-300] * 4, [1e300] * 4, "the ratio is out of range"),
        ([1.0, 2.0], [-1.0, -2.0], "a value is zero or the sign changes"),
    ],
)
def test_samples_without_a_ratio(a: list[float], b: list[float], reason: str) -> None:
    with pytest.raises(Undefined, match=reason):
        unpaired_ratio(a, b)


def test_sides_of_unequal_length_are_a_mistake_of_the_caller() -> None:
    with pytest.raises(ValueError, match="2 values of the baseline cannot be paired with 1"):
        paired_ratio([1.0, 2.0], [1.0])


def test_summaries_of_one_value() -> None:
    found = median_interval([5.0])
    assert (found.n, found.median, found.low, found.high) == (1, 5.0, None, None)
    assert cv_percent([5.0]) is None
    assert drift({1: 5.0}) is None
    assert steadiness([5.0]) is None
