"""`scripts/bench`: print every figure as one JSON document on standard output."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from scripts.benchmark import by_hand, memory, page, product

ROOT = Path(__file__).parents[2]
RUNTIME = Path("/run/plimsoll-")
"""What the runtime directory of every installation begins with."""


def say(text: str) -> None:
    """Progress, beside the document."""
    print(text, file=sys.stderr, flush=True)


def main() -> None:
    """Start the product twice, measure it, then measure the bench against pgbench by hand."""
    var = ROOT / "var" / "bench"
    var.mkdir(parents=True, exist_ok=True)
    say("first start")
    with product.started(ROOT, var) as (_, first_s):
        pass
    say("second start, then 20 mixed cells in 3 rounds of 1 s, then the path table of whoisnian-2024")
    with product.started(ROOT, var) as (url, second_s):
        overhead = product.overhead(url)
        table = product.path_table(url)
        held = memory.by_program(var, RUNTIME)
    say(f"{by_hand.ROUNDS} rounds against pgbench by hand")
    hand = by_hand.compare(ROOT, var)
    figures = {
        "first_start_s": round(first_s, 1),
        "second_start_s": round(second_s, 1),
        "time_beside_windows": overhead,
        "whoisnian_2024_paths_quick": table,
        "memory_mb": held,
        "by_hand": hand,
        "page": page.first_view(ROOT / "frontend" / "dist"),
    }
    print(json.dumps(figures, indent=2))


if __name__ == "__main__":
    main()
