"""`scripts/bench [part …]`: print every figure, or those of some parts, as one JSON document."""

from __future__ import annotations

import argparse
import dataclasses
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from scripts.benchmark import (
    analysis,
    by_hand,
    coverage,
    group_of_hosts,
    histories,
    hosts,
    imports,
    library,
    memory,
    outages,
    overlays,
    page,
    product,
    simulated_runs,
    watched_run,
    watching,
    workers,
)
from scripts.benchmark.chromium import measure as chromium
from scripts.benchmark.chromium import visits
from scripts.benchmark.retention import measure as retention
from scripts.benchmark.server import measure as server
from scripts.benchmark.server import table

ROOT = Path(__file__).parents[2]
RUNTIME = Path("/run/plimsoll-")
"""Prefix of the runtime directory of every installation."""


def say(text: str) -> None:
    """Print progress on standard error."""
    print(text, file=sys.stderr, flush=True)


def _product(var: Path) -> dict[str, Any]:
    """Start the product twice, and measure the second start."""
    say("first start")
    with product.started(ROOT, var) as (_, first_s):
        pass
    say("second start, then 20 mixed cells in 3 rounds of 1 s, then the path table of whoisnian-2024")
    with product.started(ROOT, var) as (url, second_s):
        overhead = product.overhead(url)
        table = product.path_table(url)
        held = memory.by_program(var, RUNTIME)
    return {
        "first_start_s": round(first_s, 1),
        "second_start_s": round(second_s, 1),
        "time_beside_windows": overhead,
        "whoisnian_2024_paths_quick": table,
        "memory_mb": held,
    }


def _by_hand(var: Path, size: by_hand.Size) -> dict[str, Any]:
    say(f"{size.blocks} blocks of six windows of {size.seconds} s against pgbench by hand")
    return {"by_hand": by_hand.compare(ROOT, var, size)}


def _watching(_var: Path) -> dict[str, Any]:
    say("a run with no page and with ten, on services of its own, about three minutes")
    return {"watching": watching.measure()}


def _watched_run(var: Path) -> dict[str, Any]:
    say("a run of 12 cells in 4 rounds of 5 s, two of them watched by ten pages, about six minutes")
    return {"watched_run": watched_run.measure(ROOT, var, RUNTIME)}


def _library(_var: Path) -> dict[str, Any]:
    say("searches of 10,000 runs, on services of its own")
    return {"library": library.measure()}


def _imports(_var: Path) -> dict[str, Any]:
    say("three times a thousand logs imported, on services of its own: 2 GB, about ten minutes")
    return {"imports": imports.measure()}


def _analysis(_var: Path) -> dict[str, Any]:
    say("analysis of large runs, of large groups of runs, and of histories")
    return {"analysis": analysis.measure(), "groups": hosts.measure(), "histories": histories.measure()}


def _coverage(_var: Path) -> dict[str, Any]:
    say("simulated runs with a known truth, about a minute")
    rows = list(coverage.rows())
    say(coverage.markdown(rows))
    return {"coverage": [dataclasses.asdict(row) for row in rows]}


def _promises(_var: Path) -> dict[str, Any]:
    say("whole runs simulated on hosts of ten kinds, about a quarter of an hour")
    rows = list(simulated_runs.rows())
    say(simulated_runs.markdown(rows))
    return {"promises": [dataclasses.asdict(row) for row in rows]}


def _outages(var: Path) -> dict[str, Any]:
    say("Redis away for 1 to 120 s, 21 times, about a quarter of an hour")
    return {"redis_away": outages.measure(var, say)}


def _overlays(_var: Path) -> dict[str, Any]:
    say(f"{overlays.ROUNDS} rounds on a swarm's overlay and on two workers', about seven minutes")
    return {"overlays": overlays.measure(ROOT, say)}


def _server(var: Path, seconds: int) -> dict[str, Any]:
    say(f"a server with 10,000 runs and 1,000,000 trials, {seconds} s for each kind of request")
    found = server.measure(ROOT, var / server.FOLDER, seconds, say)
    say(table.markdown(found))
    return {"server": found}


def _workers(_var: Path) -> dict[str, Any]:
    say(f"{workers.WORKERS} workers of enrolled hosts on one server, about three minutes")
    return {"workers": workers.measure()}


def _group(_var: Path) -> dict[str, Any]:
    say("one experiment on three hosts of different speed, about a minute")
    return {"group": group_of_hosts.measure()}


def _retention(var: Path) -> dict[str, Any]:
    say("100,000 and 1,000,000 trials, a deletion, a compaction: half an hour, 8 GB, removed at the end")
    folder = var / retention.FOLDER
    server.remove(folder)
    try:
        return {"retention": retention.measure(ROOT, folder, say)}
    finally:
        server.remove(folder)


def _page(_var: Path) -> dict[str, Any]:
    return {"page": page.first_view(ROOT / "frontend" / "dist")}


def _chromium(var: Path, seconds: int) -> dict[str, Any]:
    say(f"the page in Chromium with a run of 500 cells in ten rounds, {seconds} s of them live events")
    return {"chromium": chromium.measure(ROOT, var / chromium.FOLDER, seconds, say)}


def _visits(var: Path) -> dict[str, Any]:
    say("visits of three pages in Chromium, on localhost and at 1.6 Mbit/s, about five minutes")
    found = visits.measure(ROOT, var / visits.FOLDER, visits.VISITS, say)
    say(visits.markdown(found))
    return {"visits": found} | _page(var)


PARTS: dict[str, Callable[[Path], dict[str, Any]]] = {
    "product": _product,
    "by_hand": lambda var: _by_hand(var, by_hand.Size()),
    "watching": _watching,
    "watched_run": _watched_run,
    "library": _library,
    "imports": _imports,
    "analysis": _analysis,
    "coverage": _coverage,
    "promises": _promises,
    "outages": _outages,
    "overlays": _overlays,
    "server": lambda var: _server(var, server.SECONDS),
    "workers": _workers,
    "group": _group,
    "retention": _retention,
    "page": _page,
    "visits": _visits,
    "chromium": lambda var: _chromium(var, chromium.SECONDS),
}
ON_REQUEST = frozenset({"server", "imports", "retention", "visits", "chromium"})
"""Parts that are not among "all": they make gigabytes, or need Chromium."""


def main() -> None:
    """Measure the named parts, or all of them."""
    parser = argparse.ArgumentParser(prog="scripts/bench", description=__doc__)
    parser.add_argument(
        "part",
        nargs="*",
        choices=list(PARTS),
        help="default: all parts but server, imports, retention, visits and chromium",
    )
    parser.add_argument("--blocks", type=int, default=by_hand.BLOCKS, help="number of blocks of by_hand")
    parser.add_argument(
        "--seconds",
        type=int,
        help="seconds of a window of by_hand, of a measurement of server, of live events of chromium",
    )
    parser.add_argument("--remove", action="store_true", help="remove the database of server, about 7 GB")
    arguments = parser.parse_args()
    var = ROOT / "var" / "bench"
    if arguments.remove:
        server.remove(var / server.FOLDER)
        return
    wanted = arguments.part or [name for name in PARTS if name not in ON_REQUEST]
    var.mkdir(parents=True, exist_ok=True)
    figures: dict[str, Any] = {"load_average_before": round(os.getloadavg()[0], 1)}
    for name in wanted:
        if name == "by_hand":
            figures |= _by_hand(var, by_hand.Size(arguments.blocks, arguments.seconds or by_hand.SECONDS))
        elif name == "server" and arguments.seconds:
            figures |= _server(var, arguments.seconds)
        elif name == "chromium" and arguments.seconds:
            figures |= _chromium(var, arguments.seconds)
        else:
            figures |= PARTS[name](var)
    figures["load_average_after"] = round(os.getloadavg()[0], 1)
    print(json.dumps(figures, indent=2))


if __name__ == "__main__":
    main()
