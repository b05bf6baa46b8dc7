"""The order of trials: randomised complete blocks (Fisher; see golang/proposal 14313 for benchmarks).

Every round runs every cell once, in an order of its own, so that drift of the host falls on all
cells alike and pairs within a round cancel it.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence

from backend.core.plan.model import PlannedTrial


def round_order(cell_ids: Sequence[str], seed: int, round_: int) -> tuple[str, ...]:
    """The order of one round: pure in (cells, seed, round), the same in every process.

    The generator is seeded from a hash of seed and round, so that adding a round leaves the others
    as they were.
    """
    digest = hashlib.sha256(f"plimsoll/round/{seed}/{round_}".encode("ascii")).digest()
    order = list(cell_ids)
    random.Random(int.from_bytes(digest, "big")).shuffle(order)
    return tuple(order)


def schedule(cell_ids: Sequence[str], seed: int, rounds: int) -> tuple[PlannedTrial, ...]:
    """All trials in order; `seq`, `round` and `position` count from 1."""
    cells = len(cell_ids)
    return tuple(
        PlannedTrial(seq=(round_ - 1) * cells + position, round=round_, position=position, cell_id=id_)
        for round_ in range(1, rounds + 1)
        for position, id_ in enumerate(round_order(cell_ids, seed, round_), start=1)
    )
