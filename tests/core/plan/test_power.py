"""How many rounds a family of comparisons needs."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from backend.core.plan.power import ALPHA, max_comparisons, rounds_needed, smallest_p


@given(st.integers(1, 2_000))
def test_rounds_needed_are_the_fewest(comparisons: int) -> None:
    rounds = rounds_needed(comparisons)
    assert max_comparisons(rounds) >= comparisons > max_comparisons(rounds - 1)


@given(st.integers(1, 400), st.integers(1, 20))
def test_every_interim_analysis_needs_more_rounds(comparisons: int, analyses: int) -> None:
    needed = rounds_needed(comparisons, analyses)
    family = analyses * comparisons
    assert family * smallest_p(needed) <= ALPHA < family * smallest_p(needed - 1)
    assert max_comparisons(needed, analyses) >= comparisons > max_comparisons(needed - 1, analyses)
