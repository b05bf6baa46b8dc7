"""The order of trials: randomised complete blocks (Fisher; see golang/proposal 14313 for benchmarks).

Every round runs every cell once, in an order of its own, so that drift of the host falls on all
cells alike and pairs within a round cancel it. An A/A duplicate and its baseline are counterbalanced:
over rounds 1 and 2, 3 and 4 … each of the two comes first exactly once, so that what being first costs is
not seen as a difference between them, whatever the seed.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from backend.core.plan.model import PlannedTrial

EXAMPLE_SEED: Final = 1
"""Orders a plan that is only shown, where the document asks for no seed: each run draws its own."""


def round_order(cell_ids: Sequence[str], seed: int, round_: int) -> tuple[str, ...]:
    """The order of one round: pure in (cells, seed, round), the same in every process.

    The generator is seeded from a hash of seed and round, so that adding a round leaves the others
    as they were.
    """
    order = list(cell_ids)
    random.Random(_hashed("round", seed, round_)).shuffle(order)
    return tuple(order)


def _hashed(*parts: str | int) -> int:
    text = "/".join(("plimsoll", *map(str, parts)))
    return int.from_bytes(hashlib.sha256(text.encode("ascii")).digest(), "big")


def _counterbalanced(
    order: Sequence[str], duplicates: Mapping[str, str], seed: int, round_: int
) -> tuple[str, ...]:
    """The order with each duplicate before its baseline in one round of every two, by a coin of the seed's.

    The two only change places with each other, so that all other cells, and the pair's two places, stay as
    they were shuffled.
    """
    found = list(order)
    for duplicate, baseline in duplicates.items():
        odd_first = _hashed("duplicate", seed, (round_ + 1) // 2, duplicate) % 2 == 0
        leads = odd_first == (round_ % 2 == 1)
        first, second = sorted((found.index(duplicate), found.index(baseline)))
        found[first], found[second] = (duplicate, baseline) if leads else (baseline, duplicate)
    return tuple(found)


def schedule(
    cell_ids: Sequence[str], seed: int, rounds: int, duplicates: Mapping[str, str] = MappingProxyType({})
) -> tuple[PlannedTrial, ...]:
    """All trials in order; `seq`, `round` and `position` count from 1.

    `duplicates` gives the baseline of each A/A duplicate by its id.
    """
    cells = len(cell_ids)
    return tuple(
        PlannedTrial(seq=(round_ - 1) * cells + position, round=round_, position=position, cell_id=id_)
        for round_ in range(1, rounds + 1)
        for position, id_ in enumerate(
            _counterbalanced(round_order(cell_ids, seed, round_), duplicates, seed, round_), start=1
        )
    )
