"""Error rates in few simulated runs with a fixed seed: small forms of tests/simulations, which have many.

Where a rate is 5 %, a test here fails by chance, under another seed, once in a million runs or less.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binom

from backend.core.definition.quality import DEFAULT
from backend.core.plan.power import ALPHA
from backend.core.statistics.interim import adjust
from backend.core.statistics.power import smallest_effect
from backend.core.statistics.signed_rank import signed_rank_p
from backend.core.statistics.unpaired import unpaired_ratio
from backend.core.statistics.verdict import excludes_one
from scripts.benchmark import coverage, simulated_runs
from scripts.benchmark.noise_models import MODELS
from scripts.benchmark.promises import PROMISES, Promise
from scripts.benchmark.quality_rule import MAKE_UP, simulate
from scripts.benchmark.start_effects import Design, false_differences
from tests.simulations import test_between_hosts as hosts
from tests.simulations import test_between_runs as between_runs
from tests.simulations import test_family as family
from tests.simulations.test_power import found as power

SEED = 20261127
CHANCE = 1e-6
RUNS = 40


def most_wrong(runs: int) -> int:
    """With 5 % wrong, more of so many runs than this come with a chance of 1e-6 at most.

    Binomial: 11 of 40 (4e-7), 23 of 150 (5e-7); 5 of 8 (4e-7), of which a sentence is tried.
    """
    return int(binom.isf(CHANCE, runs, ALPHA))


@pytest.fixture
def generator() -> np.random.Generator:
    print(f"seed {SEED}")
    return np.random.default_rng(SEED)


@pytest.mark.parametrize("promise", PROMISES, ids=[promise.name for promise in PROMISES])
def test_a_sentence_is_rarely_wrong(promise: Promise) -> None:
    runs = 8
    row = simulated_runs.row(promise, "normal", MODELS["normal"], runs, SEED)
    assert row.broken * runs <= (0 if promise.exact else most_wrong(runs)), f"seed {SEED}"


@pytest.mark.parametrize("host", family.HOSTS)
def test_the_intervals_of_a_family_hold_together(host: str, generator: np.random.Generator) -> None:
    families = (family.ratios(family.run_of(host, generator, 7, 10)) for _ in range(RUNS))
    assert sum(family.missed(own) for own in families) <= most_wrong(RUNS)


@pytest.mark.parametrize("shape", hosts.SHAPES)
def test_equal_hosts_rarely_disagree(shape: hosts.Shape, generator: np.random.Generator) -> None:
    groups = (hosts.one_group(generator, shape, 3, 10) for _ in range(RUNS))
    assert sum(any(one.differs for one in hosts.judged(own)) for own in groups) <= most_wrong(RUNS)


def test_a_host_that_differs_is_detected(generator: np.random.Generator) -> None:
    groups = (hosts.one_group(generator, hosts.normal, 3, 10, apart=0.15) for _ in range(RUNS))
    assert sum(hosts.judged(own)[0].differs for own in groups) > most_wrong(RUNS)


def test_two_equal_runs_rarely_differ(generator: np.random.Generator) -> None:
    wrong = without = 0
    for _ in range(RUNS):
        runs = [between_runs.one_run(generator, 20, 0.01) for _ in range(4)]
        wrong += any(excludes_one(one.interval) for one in between_runs.compared(runs))
        pairs = zip(runs[0], runs[1], strict=True)
        without += any(excludes_one(unpaired_ratio(x, y, 20).interval) for x, y in pairs)
    assert wrong <= most_wrong(RUNS) < without, "the contrast ignores the spread between runs"


def test_intervals_contain_the_true_value(generator: np.random.Generator) -> None:
    runs = 150
    for covered in (
        *(coverage.median_coverage, coverage.paired_coverage),
        *(coverage.moses_coverage, coverage.difference_coverage),
    ):
        missed = (1 - covered(generator, 10, runs).found) * runs
        assert round(missed) <= most_wrong(runs), covered.__name__


def test_families_rarely_show_a_false_difference(generator: np.random.Generator) -> None:
    runs, most = 150, most_wrong(150) / 150
    assert coverage.family_error(generator, 6, runs, coverage.in_blocks, "").found <= most
    assert coverage.best_excluded(generator, runs, 0.0).found <= most
    assert coverage.equivalence_error(generator, 10, runs).found <= most
    assert coverage.duplicate_suspect(generator, runs).found <= most
    assert coverage.family_error(generator, 6, runs, coverage.in_plain_order, "").found > most


def test_interim_analyses_rarely_show_a_false_difference(generator: np.random.Generator) -> None:
    runs, rounds, wrong, naive = 150, (8, 12, 16, 20), 0, 0
    for _ in range(runs):
        differences = generator.normal(size=(4, rounds[-1]))
        p_values = [[signed_rank_p(row[:n]) for row in differences] for n in rounds]
        wrong += any(min(adjust(own, len(rounds))) <= ALPHA for own in p_values)
        naive += any(min(adjust(own, 1)) <= ALPHA for own in p_values)
    assert wrong <= most_wrong(runs)
    assert naive > wrong


def test_the_smallest_effect_is_detected_in_four_of_five_runs() -> None:
    """The stated power is that of an approximation: 74 % to 86 % in tests/simulations."""
    runs = 150
    effect = smallest_effect(10, 0.02, 10, 1)
    assert effect is not None
    detected = round(power(10, effect, 0.02, ALPHA / 10, runs) * runs)
    assert binom.ppf(CHANCE, runs, 0.74) <= detected <= binom.isf(CHANCE, runs, 0.86)


def test_excluding_disturbed_trials_biases_no_result() -> None:
    kept = simulate(1.0, True, RUNS, SEED)
    assert (1 - kept.covered) * RUNS <= most_wrong(RUNS), f"seed {SEED}"


def test_make_up_rounds_bias_no_result_and_complete_more_runs() -> None:
    kept = simulate(1.0, True, RUNS, SEED, DEFAULT, MAKE_UP)
    assert (1 - kept.covered) * RUNS <= most_wrong(RUNS), f"seed {SEED}"
    assert kept.complete > simulate(1.0, True, RUNS, SEED).complete, f"seed {SEED}"


def test_restarts_keep_false_differences_rare() -> None:
    most = most_wrong(RUNS) / RUNS
    assert false_differences(Design(0.02, restart_every=1), runs=RUNS, seed=SEED) <= most, f"seed {SEED}"
    assert false_differences(Design(0.02, restart_every=None), runs=RUNS, seed=SEED) > most, f"seed {SEED}"
