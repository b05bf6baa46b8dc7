"""The A/A check has exactly one of four outcomes, and its qualification is in every form of a result."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.cli.failure import INCONCLUSIVE, OK
from backend.cli.threshold_report import threshold_exit_code
from backend.core.chart.build import build_chart
from backend.core.chart.cells.inputs import ChartInput, TrialRow
from backend.core.chart.cells.run_cells import by_cell
from backend.core.chart.quality.aa_check import aa_checks, aa_outcome, qualification
from backend.core.chart.text.table import markdown_table, text_table
from backend.core.export.csv_long import csv_long
from backend.core.export.csv_wide import csv_wide
from backend.core.export.go_benchmark import go_benchmark
from backend.core.export.html import report
from backend.core.export.pictures.frame import of_run
from backend.core.plan.model import Cell
from backend.core.statistics.paired import RatioEstimate, paired_ratio
from tests.core.chart.runs import made_up, study_experiment

MARGIN = 0.05


def duplicates_times(factor: float, noise: float = 0.01, **changes: object) -> ChartInput:
    """The made-up run with every value of a duplicate multiplied."""

    def spoil(row: TrialRow, cell: Cell) -> TrialRow:
        own = {name: value * factor for name, value in (row.metrics or {}).items()}
        return replace(row, metrics=own) if cell.is_duplicate else row

    return made_up(study_experiment(**changes), change=spoil, noise=noise)


def test_seven_duplicates_twice_as_fast_are_suspect_after_eight_rounds() -> None:
    """With Holm over seven, no outcome of eight rounds could have been significant."""
    paths = [
        "same_container",
        "sibling_container",
        "published_loopback",
        "shared_namespace",
        "default_bridge",
        "container_address",
        "host_network",
    ]
    data = duplicates_times(
        2.0,
        rounds=8,
        study=None,
        factors={"path": paths, "userland_proxy": [True, False]},
        baseline={"userland_proxy": True},
    )
    model = build_chart(data)
    assert [check.outcome for check in model.duplicates] == ["suspect"] * 7
    assert model.trust is not None and "7 of 7 baselines differ from their own duplicate" in model.trust
    assert model.headline.endswith(model.trust)
    assert not any("nothing" in check.sentence for check in model.duplicates)


@pytest.mark.parametrize(
    ("factor", "noise", "rounds", "outcome"),
    [
        (1.0, 0.005, 10, "within_margin"),
        (1.3, 0.005, 10, "suspect"),
        (1.02, 0.002, 10, "suspect"),
        (1.0, 0.20, 10, "cannot_tell"),
        (2.0, 0.005, 5, "cannot_tell"),
    ],
)
def test_the_four_words(factor: float, noise: float, rounds: int, outcome: str) -> None:
    model = build_chart(duplicates_times(factor, noise, rounds=rounds))
    (check,) = model.duplicates
    assert check.outcome == outcome
    assert check.suspect == (outcome == "suspect")
    assert (model.trust is None) == (outcome == "within_margin")


def test_nothing_shown_is_said_where_the_margin_would_have_been_found_but_is_not_excluded() -> None:
    found = RatioEstimate(10, 1.025, (0.985, 1.065), (0.992, 1.058), 0.19, "")
    assert aa_outcome(found, 0.05) == "nothing_shown"
    assert aa_outcome(found, 0.03) == "cannot_tell"
    assert aa_outcome(found, 0.06) == "within_margin"


@given(st.lists(st.floats(0.5, 2.0), min_size=1, max_size=12), st.floats(0.01, 0.5))
def test_exactly_one_outcome_that_swapping_does_not_change(ratios: list[float], margin: float) -> None:
    ones = [1.0] * len(ratios)
    forth, back = paired_ratio(ones, ratios), paired_ratio(ratios, ones)
    assert aa_outcome(forth, margin) == aa_outcome(back, margin)


def test_no_comparison_cannot_tell() -> None:
    assert aa_outcome(None, MARGIN) == "cannot_tell"


def test_a_duplicate_that_is_zero_is_judged_by_its_difference() -> None:
    (check,) = build_chart(duplicates_times(0.0)).duplicates
    assert (check.outcome, check.ratio) == ("suspect", None)
    assert check.difference is not None
    assert check.difference.value < 0


def test_the_p_of_a_check_is_that_by_which_it_is_judged() -> None:
    """Three of nine rounds are equal: the sign-flip p is 2/2⁶, and the interval holds no difference."""

    def spoil(row: TrialRow, cell: Cell) -> TrialRow:
        tps = 10_000.0 + 10 * row.round
        own = tps * (1 + 0.001 * max(0, row.round - 3)) if cell.is_duplicate else tps
        return replace(row, metrics={**(row.metrics or {}), "tps": own})

    (check,) = build_chart(made_up(study_experiment(rounds=9), change=spoil)).duplicates
    assert check.interval is not None and check.interval.low == 1.0
    assert check.p == pytest.approx(2 * 14 / 2**9)
    assert "p = 0.055" in check.sentence and check.outcome != "suspect"


def test_an_honest_duplicate_is_suspect_in_one_of_twenty_whatever_their_number() -> None:
    """Fixed seed, 2,000 duplicates of ten rounds: each by itself, no family makes it milder."""
    generator = random.Random(3)
    outcomes = [
        aa_outcome(
            paired_ratio(*([generator.lognormvariate(0, 0.02) for _ in range(10)] for _ in range(2))), MARGIN
        )
        for _ in range(2000)
    ]
    assert 0.03 <= outcomes.count("suspect") / 2000 <= 0.06
    assert outcomes.count("cannot_tell") == 0


def test_a_fault_of_the_margin_is_hardly_ever_called_within_it() -> None:
    """Fixed seed: the duplicate really is 5 % off; equivalence is claimed in at most 5 % (Schuirmann)."""
    generator = random.Random(4)
    for noise in (0.01, 0.03, 0.06):
        outcomes = [
            aa_outcome(
                paired_ratio(
                    [generator.lognormvariate(0, noise) for _ in range(10)],
                    [1.05 * generator.lognormvariate(0, noise) for _ in range(10)],
                ),
                MARGIN,
            )
            for _ in range(600)
        ]
        assert outcomes.count("within_margin") / 600 <= 0.065


@pytest.mark.parametrize(("factor", "noise"), [(1.3, 0.005), (1.0, 0.20)])
def test_the_qualification_of_a_run_is_in_every_form(factor: float, noise: float) -> None:
    data = duplicates_times(factor, noise, thresholds=["tps > 1"])
    model = build_chart(data)
    trust, outcome = model.trust, model.duplicates[0].outcome
    assert trust is not None
    texts = {
        "terminal": text_table(model),
        "markdown": markdown_table(model).replace("\\", ""),
        "html": report(model, ()).replace("&#x27;", "'"),
        "benchstat": go_benchmark(data),
        "csv_wide": csv_wide(model),
        "picture": " ".join(of_run(model, ()).lines),
        "json": model.model_dump_json(),
    }
    assert [name for name, text in texts.items() if trust not in text] == []
    assert f",{outcome}," in csv_wide(model) and f",{outcome}," in csv_long(data)
    assert model.gate is not None and trust in model.gate.rules[0].sentence


def test_a_headline_without_comparisons_is_not_qualified() -> None:
    def nothing(row: TrialRow, _cell: Cell) -> TrialRow:
        return replace(row, state="queued", metrics=None)

    model = build_chart(made_up(change=nothing, state="running"))
    assert model.headline == "No result yet: 0 of 70 trials are done."


def test_strict_passes_no_suspect_run() -> None:
    for thresholds in ([], ["tps > 1"]):
        model = build_chart(duplicates_times(1.3, thresholds=thresholds)).model_dump(mode="json")
        assert threshold_exit_code(model, strict=True) == INCONCLUSIVE
        assert threshold_exit_code(model, strict=False) == OK
        clean = build_chart(duplicates_times(1.0, thresholds=thresholds)).model_dump(mode="json")
        assert threshold_exit_code(clean, strict=True) == OK


def test_some_duplicates_that_cannot_tell_are_counted() -> None:
    data = made_up()
    checks = tuple(aa_checks(by_cell(data), data.experiment.metrics, MARGIN))
    blind = checks[0].model_copy(update={"outcome": "cannot_tell"})
    suspect = checks[0].model_copy(update={"outcome": "suspect"})
    assert qualification(()) is None and qualification(checks) is None
    assert "1 of 2 A/A duplicates cannot tell" in (qualification((*checks, blind)) or "")
    assert "none of the 2 duplicates" in (qualification((blind, blind)) or "")
    assert "1 of 3 baselines differs from its own duplicate" in (
        qualification((*checks, suspect, blind)) or ""
    )
    assert (qualification((suspect, blind)) or "").endswith("1 more cannot tell.")
