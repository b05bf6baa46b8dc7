"""Simultaneous intervals of a family of comparisons, and the adjusted p-values that belong to them.

Single-step max-T (Westfall and Young 1993, "Resampling-Based Multiple Testing", sections 2.3 and 2.6;
Romano and Wolf 2005, "Exact and approximate stepdown methods for multiple hypothesis testing", JASA 100;
for intervals from a single-step test Hothorn, Bretz and Westfall 2008, "Simultaneous inference in general
parametric models", Biometrical Journal 50). The comparisons of a run share rounds and mostly a baseline, so
that they are correlated, and Bonferroni alone would be conservative.

- Statistic of one comparison: the number of Walsh averages at no effect or on one side of it, the smaller of
  both sides. So zeros and ties count against an effect. It is standardised by its own exact two-sided p
  (min-p), so that comparisons with different numbers of rounds can be combined.
- Reference: the smallest such p of the whole family when the signs of whole rounds are flipped, for all
  comparisons together. The residuals from each comparison's Hodges-Lehmann estimate are flipped: raw
  differences that all have one sign would make all comparisons appear perfectly correlated.
- Adjusted p: the share of flips whose smallest p is no larger; at most Bonferroni's m × p, which uses no
  residuals and always holds; at least p. All 2ⁿ⁻¹ flips up to EXHAUSTIVE rounds, beyond that SAMPLED ones
  from a fixed seed, so that the same data give the same answer.
- Interval: the Walsh averages at the order at which the adjusted p crosses 5 %. Both come from one table, so
  that an interval excludes no effect exactly where the adjusted p is at most 5 %.

Assumptions: the errors of a round are jointly symmetric, and rounds are independent. Residuals replace
errors, so the level is approximate (decision 0020 has its simulation); the part of Bonferroni is exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
import scipy
from numpy.typing import NDArray

from backend.core.plan.power import ALPHA
from backend.core.statistics.signed_rank import smaller_count_p

EXHAUSTIVE: Final = 12
"""Up to this number of rounds all patterns of signs are used: 2,048."""
SAMPLED: Final = 4096
"""Random patterns of signs beyond that, with the identity: a share near 5 % has a standard error of 0.3 %."""
_SEED: Final = 20261122
_CHUNK: Final = 512
"""Patterns that are multiplied at once: 1,000 comparisons then take 4 MB."""

Floats = NDArray[np.float64]
Units = NDArray[np.int64]


@dataclass(frozen=True)
class Member:
    """One member of a family, as the sign flips need it.

    `rounds` ascending; `weights` are the residuals' signed ranks (signed-rank test) or signs (sign test) in
    the same order; `p_by_count` is the exact two-sided p by the smaller of the two counts, from 0.
    """

    rounds: tuple[int, ...]
    weights: Floats
    p_by_count: Floats


@dataclass(frozen=True)
class Family:
    """The reference distribution of a family of `size` members, tested at `analyses` planned analyses.

    `smallest` are the family's smallest p-values under the flips, ascending; empty where only Bonferroni is
    used.
    """

    size: int
    analyses: int
    smallest: Floats

    def adjusted(self, p: Floats) -> Floats:
        """The adjusted p of exact two-sided p-values, monotone in p, at most 1."""
        bound = self.size * p
        if self.smallest.size:
            # Tables of different lengths give equal probabilities with different last digits.
            rank = np.searchsorted(self.smallest, p * (1 + 1e-9), side="right")
            bound = np.minimum(bound, rank / self.smallest.size)
        capped: Floats = np.minimum(1.0, self.analyses * np.maximum(p, bound))
        return capped

    def order(self, p_by_count: Floats) -> int | None:
        """k such that the kth smallest and kth largest value bound the 95 % simultaneous interval.

        None where no outcome has an adjusted p of at most 5 %.
        """
        return int(np.count_nonzero(self.adjusted(p_by_count) <= ALPHA)) or None

    def order_within(self, p_by_count: Floats) -> int | None:
        """The order for equivalence: the family-wise error of one-sided tests, in any directions, is at most
        5 %.

        Bonferroni over one-sided tests, or the two-sided interval where that is narrower. Both hold for any
        combination of directions; one-sided flips would not.
        """
        one_sided = int(np.count_nonzero(self.analyses * self.size * p_by_count / 2 <= ALPHA))
        return max(one_sided, self.order(p_by_count) or 0) or None


@dataclass(frozen=True)
class Families:
    """Several families as one, for example those of several hosts, by Bonferroni over them.

    Between families nothing is assumed, so that runs of hosts that share a rack or a hypervisor are allowed.
    """

    parts: tuple[Family, ...]

    @property
    def size(self) -> int:
        """The number of members of all families."""
        return sum(part.size for part in self.parts)

    def adjusted(self, p: Floats) -> Floats:
        """The adjusted p of exact two-sided p-values, monotone in p, at most 1."""
        found: Floats = np.minimum(1.0, np.sum([part.adjusted(p) for part in self.parts], axis=0))
        return found

    def order(self, p_by_count: Floats) -> int | None:
        """As `Family.order`, over all families."""
        return int(np.count_nonzero(self.adjusted(p_by_count) <= ALPHA)) or None

    def order_within(self, p_by_count: Floats) -> int | None:
        """As `Family.order_within`, over all families."""
        tests = sum(part.analyses * part.size for part in self.parts)
        one_sided = int(np.count_nonzero(tests * p_by_count / 2 <= ALPHA))
        return max(one_sided, self.order(p_by_count) or 0) or None


def family(members: Sequence[Member], analyses: int = 1) -> Family:
    """The reference distribution of these members; deterministic."""
    if len(members) < 2:
        return Family(max(1, len(members)), analyses, np.empty(0))
    rounds = sorted({round_ for member in members for round_ in member.rounds})
    place = {round_: index for index, round_ in enumerate(rounds)}
    by_table: dict[int, tuple[Floats, list[Member]]] = {}
    for member in members:
        by_table.setdefault(id(member.p_by_count), (member.p_by_count, []))[1].append(member)
    parts = [(table, _matrix(own, place)) for table, own in by_table.values()]
    signs = _flips(len(rounds))
    smallest = np.concatenate([_smallest(signs[i : i + _CHUNK], parts) for i in range(0, len(signs), _CHUNK)])
    smallest.sort()
    return Family(len(members), analyses, smallest)


def _matrix(members: Sequence[Member], place: dict[int, int]) -> NDArray[np.float32]:
    """The members' weights by round, as columns; 0 where a member has no such round."""
    found = np.zeros((len(place), len(members)), dtype=np.float32)
    columns: dict[tuple[int, ...], list[int]] = {}
    for column, member in enumerate(members):
        columns.setdefault(member.rounds, []).append(column)
    for rounds, own in columns.items():
        where = np.ix_([place[round_] for round_ in rounds], own)
        found[where] = np.stack([members[column].weights for column in own], axis=1)
    return found


def _smallest(signs: NDArray[np.float32], parts: Sequence[tuple[Floats, NDArray[np.float32]]]) -> Floats:
    """The smallest p of all members for each flip. Sums of whole numbers below 2²⁴ are exact in float32."""
    found: Floats | None = None
    for table, weights in parts:
        total = float(np.abs(weights[:, 0]).sum())
        furthest = np.abs(signs @ weights).max(axis=1)
        own: Floats = table[np.rint((total - furthest) / 2).astype(np.int64)]
        found = own if found is None else np.minimum(found, own)
    assert found is not None
    return found


@lru_cache(maxsize=32)
def _flips(rounds: int) -> NDArray[np.float32]:
    """Patterns of signs by flip and round; of a pattern and its opposite, which are equivalent, only one."""
    if rounds <= EXHAUSTIVE:
        bits = np.arange(2 ** (rounds - 1))[:, None] >> np.arange(rounds)[None, :] & 1
    else:
        bits = np.random.default_rng(_SEED).integers(0, 2, (SAMPLED, rounds))
        bits[0] = 0
    signs = (1 - 2 * bits).astype(np.float32)
    signs.flags.writeable = False
    return signs


@dataclass(frozen=True)
class WalshSample:
    """Paired differences of equally many rounds, in whole units: one row a comparison.

    `walsh` are the sorted sums of two (twice the Walsh averages), `counts` the statistic: the smaller
    number of Walsh averages that are not above 0, or not below it.
    """

    walsh: Units
    counts: NDArray[np.intp]
    p_by_count: Floats
    weights: Floats

    @property
    def quadruple(self) -> Units:
        """Four times the Hodges-Lehmann estimates."""
        size = self.walsh.shape[1]
        found: Units = self.walsh[:, (size - 1) // 2] + self.walsh[:, size // 2]
        return found

    @property
    def p(self) -> Floats:
        """The exact two-sided p of the counts, before any adjustment."""
        found: Floats = self.p_by_count[self.counts]
        return found


def walsh_sample(differences: Units) -> WalshSample:
    """Walsh averages, statistic and flip weights of comparisons (rows) over n rounds (columns)."""
    n = differences.shape[1]
    first, second = np.triu_indices(n)
    walsh = differences[:, first] + differences[:, second]
    walsh.sort(axis=1)
    half = walsh.shape[1] // 2
    counts = np.minimum(np.count_nonzero(walsh <= 0, axis=1), np.count_nonzero(walsh >= 0, axis=1))
    middle = walsh[:, (walsh.shape[1] - 1) // 2] + walsh[:, half]
    return WalshSample(
        walsh=walsh,
        counts=np.minimum(counts, half),
        p_by_count=smaller_count_p(n),
        weights=_signed_ranks(4 * differences - middle[:, None]),
    )


def _signed_ranks(residuals: Units) -> Floats:
    """Signed ranks by row, ties in the order of rounds; zeros have the opposite sign of the largest.

    So a row and its negation have opposite ranks, and swapping two cells inverts the result exactly.
    """
    order = np.argsort(np.abs(residuals), axis=1, kind="stable")
    ranks = np.empty(residuals.shape)
    np.put_along_axis(ranks, order, np.arange(1.0, residuals.shape[1] + 1)[None, :], axis=1)
    signs = np.sign(residuals).astype(np.float64)
    largest = np.take_along_axis(signs, order[:, -1:], axis=1)
    found: Floats = ranks * np.where(signs == 0, np.where(largest > 0, -1.0, 1.0), signs)
    return found


def median_member(rounds: Sequence[int], values: Sequence[float]) -> Member:
    """A median as a member: the sign test, whose inversion is the interval of order statistics."""
    centred = np.asarray(values, dtype=float) - float(np.median(values))
    return Member(tuple(rounds), np.where(centred < 0, -1.0, 1.0), sign_count_p(len(values)))


@lru_cache(maxsize=1024)
def sign_count_p(n: int) -> Floats:
    """Two-sided p of the sign test by the smaller of the two counts, 0 to n ÷ 2."""
    found: Floats = np.minimum(1.0, 2 * scipy.stats.binom.cdf(np.arange(n // 2 + 1), n, 0.5))
    found.flags.writeable = False
    return found
