"""The spread of a host's A/A pairs and its interval; shares; the sentences."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
import pytest
from numpy.random import Generator
from scipy.stats import binomtest

from backend.core.statistics.host_noise import (
    HostSpread,
    Pair,
    host_spread,
    share,
    spread_sentence,
)


def pairs_of(
    differences: Sequence[float], run: str = "run_1", cell: str = "c1", starts: Sequence[int] = ()
) -> list[Pair]:
    """Pairs with these logarithmic differences; `starts` numbers the server start of each."""
    return [
        Pair(run, cell, (f"a{start}", f"b{start}"), 100.0, 100.0 * math.exp(difference))
        for difference, start in zip(differences, starts or [0] * len(differences), strict=True)
    ]


def test_the_spread_is_that_of_one_trial_within_two_server_starts() -> None:
    differences = [0.03, -0.01, 0.02, 0.0, -0.02, 0.04]
    found = host_spread(pairs_of(differences))
    assert found.spread == pytest.approx(np.std(differences, ddof=1) / math.sqrt(2))
    assert found.low is not None and found.high is not None and found.low < found.spread < found.high
    shifted = [*pairs_of(differences), *pairs_of([0.5 + d for d in differences], run="run_2")]
    both = host_spread(shifted)
    assert (both.pairs, both.runs, both.freedom) == (12, 2, 10)
    assert both.spread == pytest.approx(found.spread), "what two starts differ by is no noise of trials"


def test_pairs_are_grouped_by_server_start_unless_each_has_its_own() -> None:
    blocks = host_spread(
        pairs_of(
            [0.5, 0.51, -0.5, -0.51, 0.1, 0.11, 0.3, 0.31, 0.7, 0.71], starts=[0, 0, 1, 1, 2, 2, 3, 3, 4, 4]
        )
    )
    assert blocks.freedom == 5 and blocks.spread == pytest.approx(0.005, rel=1e-6)
    fresh = host_spread(pairs_of([0.01, -0.01, 0.02, -0.02, 0.0, 0.01], starts=range(6)))
    assert fresh.freedom == 5


def test_fewer_than_six_pairs_give_no_figure() -> None:
    found = host_spread(pairs_of([0.01, 0.02, 0.03, 0.01, 0.0]))
    assert (found.spread, found.freedom) == (None, 4)
    assert spread_sentence(found) == (
        "Too few: 5 A/A pairs of 1 run leave 4 degrees of freedom, 5 are needed; six rounds on the same "
        "servers give them."
    )
    assert spread_sentence(host_spread([])) == "Too few: no A/A pair with a proven path was measured here."


def test_values_without_a_logarithm_and_equal_values_do_no_harm() -> None:
    dead = [Pair("r", "c", ("a", "b"), 0.0, 1.0), Pair("r", "c", ("a", "b"), 1.0, 0.0)]
    assert host_spread([*dead, *pairs_of([0.0] * 6)]) == HostSpread(6, 1, 5, 0.0, 0.0, 0.0)


def test_the_sentence_has_figure_interval_and_n() -> None:
    found = HostSpread(42, 3, 39, 0.0182, 0.0141, 0.0251)
    assert spread_sentence(found) == (
        "The rate of one trial varies by 1.8 % here (standard deviation; 95 % interval 1.4 % to 2.5 %), from "
        "42 A/A pairs of 3 runs."
    )


DRAWS: dict[str, Callable[[Generator, int], np.ndarray]] = {
    "normal": lambda random, n: random.normal(size=n),
    "t with 5 degrees of freedom": lambda random, n: random.standard_t(5, size=n) / math.sqrt(5 / 3),
    "Laplace": lambda random, n: random.laplace(size=n) / math.sqrt(2),
}


@pytest.mark.parametrize("kind", DRAWS)
@pytest.mark.parametrize("sizes", [(6,), (10, 10), (6, 6, 6, 6, 6)])
def test_the_interval_covers_what_its_module_says(kind: str, sizes: tuple[int, ...]) -> None:
    random, trials, hits = np.random.default_rng(20261123), 2000, 0
    for _ in range(trials):
        pairs: list[Pair] = []
        for number, size in enumerate(sizes):
            noise = 0.02 * (DRAWS[kind](random, size) - DRAWS[kind](random, size))
            pairs += pairs_of(list(noise + random.normal(0, 0.05)), run=f"run_{number}")
        found = host_spread(pairs)
        hits += (found.low or 0) <= 0.02 <= (found.high or 0)
    least = 0.94 if kind == "normal" else 0.90
    assert hits / trials > least - 0.01, f"{hits / trials:.3f}"


@pytest.mark.parametrize(("count", "n"), [(0, 10), (3, 10), (10, 10), (17, 500)])
def test_a_share_has_wilsons_interval(count: int, n: int) -> None:
    expected = binomtest(count, n).proportion_ci(method="wilson")
    found = share(count, n)
    assert (found.low, found.high) == (pytest.approx(expected.low, abs=1e-12), pytest.approx(expected.high))


def test_a_share_of_nothing_has_no_interval() -> None:
    assert (share(0, 0).low, share(0, 0).high) == (None, None)
