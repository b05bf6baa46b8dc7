"""The error of a family over several interim analyses, simulated."""

from __future__ import annotations

import numpy as np
import pytest

from backend.core.plan.power import ALPHA
from backend.core.statistics.interim import adjust
from backend.core.statistics.signed_rank import signed_rank_p

pytestmark = pytest.mark.full  # small forms: tests/core/statistics/test_simulated_errors.py


def test_the_family_is_wrong_in_at_most_five_per_cent_of_runs() -> None:
    """Four comparisons without a difference, analysed after 8, 12, 16 and 20 rounds, in 600 simulated
    runs."""
    generator = np.random.default_rng(5)
    rounds = (8, 12, 16, 20)
    wrong = naive = 0
    for _ in range(600):
        differences = generator.normal(size=(4, rounds[-1]))
        p_values = [[signed_rank_p(row[:n]) for row in differences] for n in rounds]
        wrong += any(min(adjust(found, len(rounds))) <= ALPHA for found in p_values)
        naive += any(min(adjust(found, 1)) <= ALPHA for found in p_values)
    assert wrong / 600 <= ALPHA
    assert naive / 600 > ALPHA, "without the correction the level does not hold"
