"""The spreads between and within server starts, estimated from A/A pairs."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from dataclasses import asdict
from statistics import fmean

import pytest

from backend.core.plan.restarts import FEWEST_STARTS
from backend.core.statistics.server_starts import ServedValue, components, start_spread

SEED = 20261122


def runs(
    between: float, within: float, rounds: int, every: int, runs: int = 1, seed: int = SEED
) -> Iterator[ServedValue]:
    """Runs of a baseline, its A/A duplicate, and two cells that share the baseline's server."""
    generator = random.Random(seed)
    for run in range(runs):
        starts: dict[str, float] = {}
        for round_ in range(1, rounds + 1):
            drift = generator.gauss(0, 0.05)
            for cell, server in (("c1", "a"), ("c2", "a"), ("c3", "a"), ("c1-aa", "b")):
                start = f"{server}/{(round_ - 1) // every}"
                effect = starts.setdefault(start, generator.gauss(0, between))
                noise = generator.gauss(0, within)
                yield ServedValue(f"run{run}", round_, cell, start, 1e4 * math.exp(drift + effect + noise))


@pytest.mark.parametrize("every", [1, 2, 4])
@pytest.mark.parametrize(("between", "within"), [(0.02, 0.01), (0.01, 0.02), (0.0, 0.02)])
def test_both_spreads_are_found(between: float, within: float, every: int) -> None:
    found = components(list(runs(between, within, rounds=20 * every, every=every, runs=20)))
    assert found.starts == 400 and found.runs == 20
    assert found.within == pytest.approx(within, rel=0.1)
    assert found.between == pytest.approx(between, abs=0.006)


def test_the_upper_bound_holds_in_nine_of_ten() -> None:
    held = []
    for seed in range(300):
        found = components(list(runs(0.02, 0.01, rounds=8, every=1, seed=seed)))
        assert found.between_upper is not None
        held.append(found.between_upper >= math.sqrt(0.02**2 + 0.01**2))
    assert fmean(held) == pytest.approx(0.9, abs=0.05)


def test_too_few_starts_tell_nothing() -> None:
    few = list(runs(0.02, 0.01, rounds=FEWEST_STARTS - 1, every=1))
    assert components(few).between is None and start_spread(few) is None
    enough = list(runs(0.02, 0.01, rounds=FEWEST_STARTS, every=1))
    spread = start_spread(enough)
    assert spread is not None and asdict(spread) == asdict(components(enough))
    assert components([]).starts == 0


def test_cells_that_share_no_start_do_not_tell_the_noise_of_one_trial() -> None:
    alone = [v for v in runs(0.02, 0.01, rounds=20, every=1) if v.cell_id in ("c1", "c1-aa")]
    found = components(alone)
    assert found.within is None and found.between is None
    assert found.between_upper is not None
    assert start_spread(alone) is None


def test_a_duplicate_on_the_baselines_own_server_is_no_pair_of_starts() -> None:
    shared = [
        ServedValue(v.run, v.round, v.cell_id, "one", v.value) for v in runs(0.0, 0.01, rounds=20, every=1)
    ]
    found = components(shared)
    assert found.starts == 0
    assert found.within == pytest.approx(0.01, rel=0.3)
