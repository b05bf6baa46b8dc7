"""Coverage of intervals and error rates of families: simulated runs with known differences, fixed seed.

A small form of `python -m scripts.benchmark.coverage`, which prints the whole table.
"""

from __future__ import annotations

import numpy as np
import pytest

from scripts.benchmark import coverage
from scripts.benchmark.coverage import Draw

pytestmark = pytest.mark.full  # small forms: tests/core/statistics/test_simulated_errors.py
TRIALS = 1_000


@pytest.fixture
def generator() -> np.random.Generator:
    return np.random.default_rng(20260101)


@pytest.mark.parametrize("n", coverage.SIZES)
def test_intervals_contain_the_true_value(generator: np.random.Generator, n: int) -> None:
    assert coverage.median_coverage(generator, n, TRIALS).found >= 0.93
    assert 0.93 <= coverage.paired_coverage(generator, n, TRIALS).found <= 0.99
    assert 0.93 <= coverage.moses_coverage(generator, n, TRIALS).found <= 0.99
    assert 0.93 <= coverage.difference_coverage(generator, n, TRIALS).found <= 0.99


@pytest.mark.parametrize("draw", [coverage.level, coverage.in_blocks])
@pytest.mark.parametrize("m", coverage.FAMILIES)
def test_a_family_rarely_has_a_false_difference(generator: np.random.Generator, m: int, draw: Draw) -> None:
    assert coverage.family_error(generator, m, TRIALS, draw, "").found <= 0.065


def test_without_blocks_drift_causes_false_differences(generator: np.random.Generator) -> None:
    """The contrast, which shows that the simulation can fail at all."""
    assert coverage.family_error(generator, 6, 200, coverage.in_plain_order, "").found > 0.8


@pytest.mark.parametrize("m", coverage.FAMILIES)
def test_interim_analyses_do_not_raise_the_error_of_a_family(generator: np.random.Generator, m: int) -> None:
    assert coverage.looks_error(generator, m, TRIALS // 2, coverage.in_blocks, "").found <= 0.065


def test_the_intervals_of_all_analyses_cover_the_true_value_together(
    generator: np.random.Generator,
) -> None:
    assert coverage.looks_coverage(generator, TRIALS).found >= 0.94


@pytest.mark.parametrize("lead", [0.0, 0.01])
def test_the_best_cell_is_rarely_excluded(generator: np.random.Generator, lead: float) -> None:
    assert coverage.best_excluded(generator, 400, lead).found <= 0.065


def test_a_duplicate_is_rarely_suspect(generator: np.random.Generator) -> None:
    assert 0.02 <= coverage.duplicate_suspect(generator, TRIALS).found <= 0.065


@pytest.mark.parametrize("n", [10, 20])
def test_a_difference_at_the_margin_is_rarely_called_equivalent(
    generator: np.random.Generator, n: int
) -> None:
    assert coverage.equivalence_error(generator, n, TRIALS).found <= 0.065


def test_the_table_names_every_row() -> None:
    table = coverage.markdown(list(coverage.rows(trials=10)))
    lines = table.splitlines()
    assert len(lines) == 2 + 12 + 6 + 4 + 2 + 1 + 2 + 2 + 1
    assert all(line.count("|") == 7 for line in lines)
