"""`scripts/bench`: print every figure as one JSON document on standard output."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from scripts.benchmark import by_hand, page, product

ROOT = Path(__file__).parents[2]


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
    say("second start, then 27 trials of 1 s")
    with product.started(ROOT, var) as (url, second_s):
        overhead = product.overhead(url)
    say(f"{by_hand.ROUNDS} rounds against pgbench by hand")
    hand = by_hand.compare(ROOT, var)
    figures = {
        "first_start_s": round(first_s, 1),
        "second_start_s": round(second_s, 1),
        "time_beside_windows": overhead,
        "by_hand": hand,
        "page": page.first_view(ROOT / "frontend" / "dist"),
    }
    print(json.dumps(figures, indent=2))


if __name__ == "__main__":
    main()
