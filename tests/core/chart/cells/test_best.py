"""Tied for best: leader, ties, cells that are left out, and sentences."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backend.core.chart.build import build_chart
from backend.core.chart.cells.best import best_groups, listed
from backend.core.chart.cells.comparisons import compare_all
from backend.core.chart.cells.inputs import TrialRow
from backend.core.chart.cells.trials import CellTrials
from backend.core.chart.model.quality_models import BestGroup
from backend.core.plan.model import Cell
from tests.core.chart.runs import failed, made_up

ROUNDS = range(1, 11)


def cells(metric: str = "tps", **values: list[float]) -> dict[str, CellTrials]:
    """Cells with these values by round; the first is the baseline of the others."""
    baseline = next(iter(values))
    return {
        name: CellTrials(
            Cell(name, name, {}, name == baseline, False, None if name == baseline else baseline, None),
            tuple(
                TrialRow(f"{name}{n}", name, n, "done", metrics={metric: value}, evidence="proven")
                for n, value in enumerate(own, start=1)
            ),
            planned=len(own),
            run_ended=True,
        )
        for name, own in values.items()
    }


def group(metric: str = "tps", analyses: int = 1, **values: list[float]) -> BestGroup:
    (found,) = groups(cells(metric, **values), metric, analyses)
    return found


def groups(every: dict[str, CellTrials], metric: str = "tps", analyses: int = 1) -> tuple[BestGroup, ...]:
    return best_groups(every, metric, compare_all(every, metric, 0.05, analyses), analyses)


def around(level: float, step: float = 1.0) -> list[float]:
    """Ten values that go up and down with the round, as those of all cells do."""
    return [level * (1 + 0.05 * (n % 3)) + step * (n % 4) for n in ROUNDS]


def test_one_cell_is_best() -> None:
    found = group(a=around(100), b=around(120), c=around(90))
    assert (found.metric, found.baseline_id, found.leader_id) == ("tps", "a", "b")
    assert (found.tied, found.out) == (("b",), ("a", "c"))
    assert found.sentence == "b is the best of 3 cells in transactions per second, with 95 % confidence."


def test_lower_is_better_where_the_metric_says_so() -> None:
    found = group("cpu_us_per_txn", a=around(100), b=around(120), c=around(90))
    assert (found.leader_id, found.tied) == ("c", ("c",))


def test_cells_that_cannot_be_distinguished_are_tied() -> None:
    even = [100.0 + (3 if n % 2 else -3) for n in ROUNDS]
    odd = [101.0 + (-3 if n % 2 else 3) for n in ROUNDS]
    found = group(a=around(80), b=even, c=odd)
    assert (found.leader_id, found.tied, found.out) == ("c", ("b", "c"), ("a",))
    assert found.sentence == (
        "Tied for best in transactions per second: b and c; with 95 % confidence the best is among them."
    )


def test_the_level_is_shared_by_the_others_and_by_the_interim_analyses() -> None:
    """Six rounds: p is 1/32 at best, which is enough for one other cell at one analysis and no more."""
    best, worse = [120.0 + n for n in range(6)], [100.0 + 2 * n for n in range(6)]
    assert group(a=worse, b=best).tied == ("b",)
    several = group(a=worse, b=best, c=worse)
    assert several.tied == ("a", "b", "c")
    assert several.sentence == (
        "Not enough rounds to find the best of 3 cells in transactions per second (needs n ≥ 7)."
    )
    assert group(a=worse, b=best, analyses=4).tied == ("a", "b")


NEEDED = re.compile(r"needs n ≥ (\d+)")


@settings(max_examples=150, deadline=None)
@given(st.integers(2, 12), st.integers(2, 5), st.sampled_from([1, 3]), st.data())
def test_best_and_verdicts_need_the_same_rounds(
    n: int, count: int, analyses: int, data: st.DataObject
) -> None:
    """No sentence names a winner, or another number of rounds, beside verdicts that say that rounds lack."""
    steps = data.draw(st.lists(st.integers(0, 3), min_size=count, max_size=count))
    noise = st.lists(st.integers(0, 3), min_size=n, max_size=n)
    values = {
        f"c{place}": [100.0 + 10 * step + one for one in data.draw(noise)] for place, step in enumerate(steps)
    }
    every = cells("tps", **values)
    (found,) = groups(every, "tps", analyses)
    judged = compare_all(every, "tps", 0.05, analyses).values()
    needed = NEEDED.search(found.sentence)
    of_verdicts = {number for one in judged if (number := NEEDED.search(one.sentence))}
    assert {number[1] for number in of_verdicts} <= {needed[1] if needed else ""}
    if needed:
        assert int(needed[1]) > n and not found.out
    if count == 2:
        (one,) = judged
        assert bool(needed) == (one.verdict == "not_enough_rounds")
        assert bool(found.out) == (one.verdict in ("better", "worse"))


def test_the_verdict_of_a_cell_and_its_baseline_is_quoted() -> None:
    """Two baselines with one other cell each are a family of two, which six rounds can decide."""
    six = range(6)
    both = cells("tps", a=[100.0 + n for n in six], b=[120.0 + 2 * n for n in six])
    more = cells("tps", c=[100.0 + n for n in six], d=[120.0 + 2 * n for n in six])
    assert [group.out for group in groups(both)] == [("a",)]
    found = groups(both | more)
    verdicts = compare_all(both | more, "tps", 0.05)
    assert [verdicts[id_].verdict for id_ in ("b", "d")] == ["better"] * 2
    assert [group.tied for group in found] == [("b",), ("d",)]


def test_a_difference_within_the_margin_leaves_nobody_out() -> None:
    found = group(a=around(100), b=around(102))
    assert (found.tied, found.out) == (("a", "b"), ())


def test_only_rounds_with_both_count_and_what_cannot_be_compared_stays() -> None:
    found = group(a=around(100), b=around(120), c=[90.0])
    assert (found.tied, found.out) == (("b", "c"), ("a",))


def test_a_cell_that_yields_nothing_is_worse_although_it_has_no_ratio() -> None:
    found = group(a=around(100), b=around(120), c=[0.0] * 10, d=[0.0, *around(50)[1:]])
    assert (found.tied, found.out) == (("b",), ("a", "c", "d"))


def test_where_lower_is_better_zero_is_best() -> None:
    found = group("proxy_cpu_us_per_txn", a=[0.0] * 10, b=around(55), c=[0.0] * 10)
    assert (found.leader_id, found.tied, found.out) == ("a", ("a", "c"), ("b",))


def test_of_many_zeros_none_is_shown_to_be_worse() -> None:
    some = [0.0, 3.0, 0.0, 5.0, 0.0, 2.0, 0.0, 4.0, 0.0, 1.0]
    found = group("proxy_cpu_us_per_txn", a=some, b=some[::-1])
    assert found.out == ()
    assert group(a=[0.0] * 10, b=[0.0] * 10).out == ()


def test_a_cell_alone_makes_no_group() -> None:
    assert groups(cells(a=around(100))) == ()
    assert groups(cells(a=around(100), b=[])) == ()


def test_groups_of_a_run_are_those_of_its_baselines_without_duplicates() -> None:
    (found,) = build_chart(made_up()).best
    assert (found.baseline_id, found.metric) == ("c1", "tps")
    assert set(found.tied) | set(found.out) == {"c1", "c2", "c3", "c4", "c5", "c6"}
    assert found.leader_id in found.tied
    assert set(found.tied) == {"c1", "c2"}, "same_container, whatever docker-proxy is set to"


def test_a_failed_cell_is_no_member() -> None:
    def spoil(row: TrialRow, _cell: Cell) -> TrialRow:
        return failed(row) if row.cell_id == "c2" else row

    (found,) = build_chart(made_up(change=spoil)).best
    assert found.tied == ("c1",)
    assert "c2" not in found.out


def test_all_equal() -> None:
    def level(row: TrialRow, _cell: Cell) -> TrialRow:
        return replace(row, metrics={"tps": 100.0})

    (found,) = build_chart(made_up(change=level)).best
    assert len(found.tied) == 6 and found.out == ()


@pytest.mark.parametrize(
    ("names", "text"),
    [
        (["a"], "a"),
        (["a", "b"], "a and b"),
        (["a", "b", "c"], "a, b and c"),
        ([*"abcdefgh"], "a, b, c, d, e, f and 2 more"),
    ],
)
def test_names_in_a_sentence(names: list[str], text: str) -> None:
    assert listed(names) == text
