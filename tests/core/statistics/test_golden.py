"""The golden vectors, each to 1e-12: what benchstat, scipy's tables and exact enumeration give."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from backend.core.statistics.holm import holm
from backend.core.statistics.median import median_interval
from backend.core.statistics.signed_rank import walsh_order
from backend.core.statistics.unpaired import mann_whitney_p, moses_order, unpaired_ratio

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "vectors.json").read_text())
VECTORS = {vector["name"]: vector for vector in GOLDEN["vectors"]}


def test_all_vectors_are_here() -> None:
    assert list(VECTORS) == ["V1", "V2", "V3", "V4", "V5", "V6", "V7", "V10"]


@pytest.mark.parametrize("name", VECTORS)
def test_p(name: str) -> None:
    vector = VECTORS[name]
    expected = Fraction(*vector["p"])
    assert mann_whitney_p(vector["A"], vector["B"]) == pytest.approx(float(expected), abs=1e-12)


@pytest.mark.parametrize("name", ["V3", "V4", "V5", "V6", "V10"])
def test_p_is_that_of_all_subsets(name: str) -> None:
    a, b = VECTORS[name]["A"], VECTORS[name]["B"]
    together = [*a, *b]
    ranks = [2 * sum(v < x for v in together) + together.count(x) + 1 for x in together]
    lowest = len(a) * (len(a) + 1)
    first = sum(ranks[: len(a)]) - lowest
    smaller = min(first, 2 * len(a) * len(b) - first)
    sums = [sum(subset) - lowest for subset in combinations(ranks, len(a))]
    enumerated = Fraction(2 * sum(s <= smaller for s in sums), len(sums))
    assert min(Fraction(1), enumerated) == Fraction(*VECTORS[name]["p"])


@pytest.mark.parametrize("side", ["a", "b"])
@pytest.mark.parametrize("name", VECTORS)
def test_median_and_interval(name: str, side: str) -> None:
    found = median_interval(VECTORS[name][side.upper()])
    assert [found.median, found.low, found.high] == VECTORS[name][f"median_{side}"]
    assert found.n == len(VECTORS[name][side.upper()])


def test_ratio_and_moses_interval() -> None:
    golden: dict[str, Any] = GOLDEN["ratio"]
    found = unpaired_ratio(VECTORS[golden["name"]]["A"], VECTORS[golden["name"]]["B"])
    assert found.ratio == pytest.approx(golden["ratio"], abs=1e-12)
    assert found.interval == pytest.approx((golden["low"], golden["high"]), abs=1e-12)
    assert [round(x, 6) for x in (found.ratio, *(found.interval or ()))] == [0.826608, 0.819501, 0.833626]
    assert moses_order(10, 10, 0.95) == golden["order"]


@pytest.mark.parametrize(("n", "order"), GOLDEN["orders"]["walsh"])
def test_walsh_orders(n: int, order: int) -> None:
    assert walsh_order(n, 0.95) == order


@pytest.mark.parametrize(("n", "order"), GOLDEN["orders"]["moses"])
def test_moses_orders(n: int, order: int) -> None:
    assert moses_order(n, n, 0.95) == order


def test_holm() -> None:
    assert holm(GOLDEN["holm"]["p"]) == pytest.approx(tuple(GOLDEN["holm"]["adjusted"]), abs=1e-12)


def test_p_crosses_the_level_at_the_bounds() -> None:
    """V15: samples without ties, scaled by just outside and just inside a bound of the Moses interval."""
    a, b = [100 + n**1.3 for n in range(10)], [93 + 1.1 * n**1.2 for n in range(10)]
    interval = unpaired_ratio(a, b).interval
    assert interval is not None
    for bound, outwards in zip(interval, (1 - 1e-9, 1 + 1e-9), strict=True):
        outside = mann_whitney_p([x * bound * outwards for x in a], b)
        inside = mann_whitney_p([x * bound / outwards for x in a], b)
        assert round(outside, 4) == GOLDEN["crossing"]["outside"]
        assert round(inside, 4) == GOLDEN["crossing"]["inside"]
