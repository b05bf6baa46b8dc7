"""The order of trials: randomised complete blocks (Fisher; see golang/proposal 14313 for benchmarks).

Every round runs every cell once in its own random order, so that drift of the host affects all cells alike
and cancels in pairs within a round. An A/A duplicate and its baseline are counterbalanced: in rounds 1 and 2,
3 and 4 … each of them runs first exactly once, so that an effect of the order is no difference between them
with any seed.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from backend.core.plan.model import PlannedTrial

EXAMPLE_SEED: Final = 1
"""The seed of a preview of a document without a seed; each run draws its own."""


def round_order(cell_ids: Sequence[str], seed: int, round_: int) -> tuple[str, ...]:
    """The order of one round: pure in (cells, seed, round), the same in every process.

    The generator is seeded by a hash of seed and round, so that adding rounds does not change earlier ones.
    """
    order = list(cell_ids)
    random.Random(_hashed("round", seed, round_)).shuffle(order)  # nosec B311
    return tuple(order)


def _hashed(*parts: str | int) -> int:
    text = "/".join(("plimsoll", *map(str, parts)))
    return int.from_bytes(hashlib.sha256(text.encode("ascii")).digest(), "big")


def _counterbalanced(
    order: Sequence[str], duplicates: Mapping[str, str], seed: int, round_: int
) -> tuple[str, ...]:
    """The order with each duplicate before its baseline in one round of every two; the seed chooses which.

    The two only swap positions, so that all other positions remain as shuffled.
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

    `duplicates` maps the id of each A/A duplicate to the id of its baseline.
    """
    cells = len(cell_ids)
    return tuple(
        PlannedTrial(seq=(round_ - 1) * cells + position, round=round_, position=position, cell_id=id_)
        for round_ in range(1, rounds + 1)
        for position, id_ in enumerate(schedule_round(cell_ids, seed, round_, duplicates), start=1)
    )


def schedule_round(
    cell_ids: Sequence[str], seed: int, round_: int, duplicates: Mapping[str, str]
) -> tuple[str, ...]:
    """The cells of one round in their order, with A/A duplicates counterbalanced."""
    return _counterbalanced(round_order(cell_ids, seed, round_), duplicates, seed, round_)
