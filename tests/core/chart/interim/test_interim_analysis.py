"""What each interim analysis of a run decides, and which trials it skips."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

from backend.core.chart.cells.inputs import ChartInput, TrialRow
from backend.core.chart.cells.run_cells import by_cell
from backend.core.chart.interim.interim_analysis import InterimReplay, replay_interim_analyses
from backend.core.chart.interim.skipping import trials_to_skip
from backend.core.definition.experiment import Experiment
from backend.core.definition.submitted import validate_document
from backend.core.plan.build import build_plan
from backend.core.plan.estimate import trial_seconds
from backend.core.statistics.interim import adjust

ANALYSES = (10, 14, 18)
RATES = {"same_container": 1.0, "shared_namespace": 0.7, "sibling_container": 1.0, "container_address": 0.985}
"""Beside the baseline: clearly slower, equal, and slower by less than what a few rounds can show."""
NOISE = {"container_address": 0.15}


def experiment(**stopping: int) -> Experiment:
    return validate_document(
        {
            "name": "looks",
            "title": "Looks",
            "factors": {"path": list(RATES), "duration_s": [10], "warm_up_s": [2]},
            "baseline": {"path": "same_container"},
            "metrics": ["tps", "cpu_us_per_txn"],
            "rounds": 10,
            "stopping": {"every": 4, "at_most": 18, **stopping},
        }
    )


def run(
    done: int,
    state: str = "running",
    wanted: Experiment | None = None,
    interim_rounds: tuple[int, ...] = ANALYSES,
) -> ChartInput:
    """A run whose first `done` rounds are recorded and whose others are queued."""
    wanted = wanted or experiment()
    plan = build_plan(wanted.model_copy(update={"rounds": 18, "stopping": None}), lambda _levels: None)
    levels = {cell.id: cell.levels for cell in plan.cells}
    generator = random.Random(3)
    rows = []
    for trial in plan.trials:
        path = str(levels[trial.cell_id]["path"])
        rate = 1e4 * RATES[path] * generator.lognormvariate(0, NOISE.get(path, 0.01))
        figures = {"tps": rate, "cpu_us_per_txn": 1e6 / rate * generator.lognormvariate(0, 0.5)}
        recorded = trial.round <= done
        rows.append(
            TrialRow(
                trial_id=f"trl_{trial.seq:03}",
                cell_id=trial.cell_id,
                round=trial.round,
                state="done" if recorded else "queued",
                metrics=figures if recorded else None,
                evidence="proven" if recorded else None,
            )
        )
    return ChartInput("run_1", "exp_1", state, wanted, replace(plan, interim_rounds=interim_rounds), rows)


def continued(data: ChartInput, rounds: int) -> ChartInput:
    """The same run later: what an interim analysis skips is skipped, the rest of the next rounds recorded."""
    skipped = trials_to_skip(data)
    later = {row.trial_id: row for row in run(rounds, interim_rounds=data.plan.interim_rounds).trials}
    rows = [
        replace(row, state="spared") if (row.cell_id, row.round) in skipped
        else row if row.state == "spared" else later[row.trial_id]
        for row in data.trials
    ]  # fmt: skip
    return replace(data, trials=rows)


def replay(data: ChartInput) -> InterimReplay:
    return replay_interim_analyses(data, by_cell(data))


def cell(data: ChartInput, path: str, duplicate: bool = False) -> str:
    return next(c.id for c in data.plan.cells if c.levels["path"] == path and c.is_duplicate == duplicate)


def changed(data: ChartInput, path: str, **changes: Any) -> ChartInput:
    id_ = cell(data, path)
    rows = [replace(r, **changes) if r.cell_id == id_ and r.state == "done" else r for r in data.trials]
    return replace(data, trials=rows)


def test_before_the_first_analysis_nothing_is_decided_and_nothing_skipped() -> None:
    data = run(9)
    found = replay(data)
    assert (found.planned, found.taken, found.decided, found.open) == (ANALYSES, (), {}, frozenset())
    assert trials_to_skip(data) == frozenset()
    ratio = found.ratios["tps"][cell(data, "shared_namespace")]
    assert ratio.estimate is not None and ratio.estimate.n == 9, "what a page shows while it waits"


def test_an_analysis_decides_what_is_clear_and_skips_its_later_rounds() -> None:
    data = run(10)
    found = replay(data)
    slower, equal = cell(data, "shared_namespace"), cell(data, "sibling_container")
    unclear = cell(data, "container_address")
    assert found.taken == (10,)
    assert found.decided == {slower: 10, equal: 10}
    assert found.open == {unclear}
    assert trials_to_skip(data) == {(id_, round_) for id_ in (slower, equal) for round_ in range(11, 19)}


def test_baseline_and_duplicate_run_on_while_a_cell_is_open_and_no_longer() -> None:
    data = changed(run(10), "container_address", metrics={"tps": 2e4})
    skipped = trials_to_skip(data)
    assert replay(data).open == frozenset()
    assert skipped == {(row.cell_id, row.round) for row in data.trials if row.round > 10}
    assert (cell(data, "same_container", duplicate=True), 11) in skipped


def test_a_decided_cell_keeps_the_figures_of_its_analysis() -> None:
    first = run(10)
    later = continued(first, 18)
    at_first, at_last = replay(first), replay(later)
    assert at_last.taken == ANALYSES
    for path in ("shared_namespace", "sibling_container"):
        id_ = cell(first, path)
        assert at_last.decided[id_] == 10
        assert at_last.ratios["tps"][id_] == at_first.ratios["tps"][id_]
    unclear = at_last.ratios["tps"][cell(first, "container_address")]
    assert unclear.estimate is not None and unclear.estimate.n == 18


def test_a_replay_comes_to_the_same_end() -> None:
    """What an analysis decided does not change with later rounds: a replay reads its rounds alone."""
    assert replay(continued(run(10), 14)).decided.items() >= replay(run(10)).decided.items()
    data = continued(run(10), 14)
    assert replay(data).decided == replay(replace(data, trials=data.trials[::-1])).decided


def test_a_rejected_comparison_passes_its_share_on_to_the_others() -> None:
    """At the second analysis the rejected one counts as 0, the equivalent one with the p of its analysis."""
    data = continued(run(10), 14)
    found = replay(data).ratios["tps"]
    equal, open_ = (found[cell(data, path)] for path in ("sibling_container", "container_address"))
    assert equal.estimate is not None and open_.estimate is not None
    assert (equal.estimate.n, open_.estimate.n) == (10, 14)
    assert open_.p_holm == adjust([0.0, equal.estimate.p, open_.estimate.p], 3)[2]


def test_intervals_hold_over_all_analyses() -> None:
    wide, narrow = replay(run(10)), replay(run(10, interim_rounds=(10,)))
    id_ = cell(run(10), "container_address")
    (a, b) = (found.ratios["tps"][id_].estimate for found in (wide, narrow))
    assert a is not None and b is not None and a.interval is not None and b.interval is not None
    assert a.interval[0] < b.interval[0] and b.interval[1] < a.interval[1]


def test_an_analysis_waits_for_the_last_trial_of_its_rounds() -> None:
    data = run(10)
    last = max((row for row in data.trials if row.round == 10), key=lambda row: row.trial_id)
    for state in ("queued", "running", "cancelled"):
        rows = [replace(row, state=state) if row is last else row for row in data.trials]
        assert replay(replace(data, trials=rows)).taken == ()
    rows = [replace(row, state="failed", metrics=None) if row is last else row for row in data.trials]
    assert replay(replace(data, trials=rows)).taken == (10,), "a failed trial has ended"


def test_a_cell_without_a_ratio_gets_no_further_rounds_and_no_decision() -> None:
    data = changed(run(10), "container_address", evidence="contradicted")
    id_ = cell(data, "container_address")
    found = replay(data)
    assert id_ not in found.decided and id_ not in found.open
    assert found.ratios["tps"][id_].reason == "the path is contradicted"
    assert (id_, 11) in trials_to_skip(data)


def test_a_baseline_contradicted_later_takes_the_figures_of_decided_cells_away() -> None:
    data = continued(run(10), 14)
    id_ = cell(data, "same_container")
    rows = [
        replace(r, evidence="contradicted") if (r.cell_id, r.round) == (id_, 11) else r for r in data.trials
    ]
    found = replay(replace(data, trials=rows))
    slower = found.ratios["tps"][cell(data, "shared_namespace")]
    assert found.decided[cell(data, "shared_namespace")] == 10, "its later rounds were skipped all the same"
    assert (slower.estimate, slower.reason) == (None, "the baseline: the path is contradicted")


def test_the_budget_lets_no_stage_begin_that_does_not_fit() -> None:
    """10 rounds of 5 cells take 10.3 minutes as planned, 4 further ones of 3 cells 2.5, and restarts 1.1."""
    assert trial_seconds(run(1).plan.cells[0].levels) == pytest.approx(12.3)
    for minutes, going_on in ((13, False), (15, True)):
        data = run(10, wanted=experiment(budget_minutes=minutes))
        skipped = trials_to_skip(data)
        assert ((cell(data, "container_address"), 11) not in skipped) is going_on
        assert ((cell(data, "same_container"), 11) not in skipped) is going_on
    assert len(trials_to_skip(run(10, wanted=experiment(budget_minutes=12)))) == 8 * 5, "all that is queued"


def test_a_run_cut_short_has_the_figures_of_its_last_interim_analysis() -> None:
    """Whoever cancelled it may have watched the two rounds that follow, which no planned analysis covers."""
    data = run(12, state="cancelled")
    rows = [replace(row, state="cancelled") if row.state == "queued" else row for row in data.trials]
    found = replay(replace(data, trials=rows))
    assert found.taken == (10,)
    ratio = found.ratios["tps"][cell(data, "container_address")]
    assert ratio.estimate is not None and ratio.estimate.n == 10
    assert (
        ratio.estimate.interval
        == replay(run(10)).ratios["tps"][cell(data, "container_address")].estimate.interval
    )


def test_a_cell_is_decided_by_the_first_metric_of_its_tool() -> None:
    data = run(10)
    wanted = data.experiment.model_copy(update={"metrics": ("rps", "cpu_us_per_txn", "tps")})
    found = replay(replace(data, experiment=wanted))
    assert found.decided == {}, "by CPU, whose noise hides what the rate shows"
    assert found.open == {c.id for c in data.plan.cells if c.baseline_id is not None and not c.is_duplicate}
    assert found.ratios["rps"] == {}
    assert set(found.ratios["tps"]) == {c.id for c in data.plan.cells if c.baseline_id is not None}


def test_duplicates_are_a_family_of_their_own_and_hold_nothing_open() -> None:
    data = run(10)
    id_ = cell(data, "same_container", duplicate=True)
    found = replay(data)
    ratio = found.ratios["tps"][id_]
    assert ratio.estimate is not None and ratio.p_holm == pytest.approx(min(1.0, 3 * ratio.estimate.p))
    assert id_ not in found.open and id_ not in found.decided
