"""Rates of two workers' overlay over those of a swarm's, between the same two hosts, in paired rounds.

Both hosts are network namespaces of this machine, with a Docker daemon in each (docs/decisions/0074). A round
measures each overlay twice, in one order and then in the opposite one, so that a drift that is linear in time
cancels; which of them is first changes from round to round.
"""

from __future__ import annotations

import json
import re
import statistics
from collections.abc import Callable
from pathlib import Path
from typing import Any

from backend.core.statistics.paired import paired_ratio
from tests.live.lab import Lab, new_lab
from tests.live.overlays import OF_SWARM, Overlay, both_overlays
from tests.machine_lock import machine_lock
from worker.engine.names import InstallPaths

ROUNDS, SECONDS = 40, 1
INSTALL = "livetest"
"""Of the live tests, whose image it uses."""
Rate = Callable[[Overlay], float]


def iperf3(overlay: Overlay) -> float:
    """Bits per second of one TCP stream to the server."""
    found = json.loads(overlay.ask("iperf3", "-c", overlay.address, "-t", str(SECONDS), "-J"))
    assert "error" not in found, found["error"]
    return float(found["end"]["sum_received"]["bits_per_second"])


def wrk(overlay: Overlay) -> float:
    """Requests per second of four connections."""
    url = f"http://{overlay.address}:8080/"
    found = re.search(r"Requests/sec:\s*([\d.]+)", overlay.ask("wrk", "-c4", "-t2", f"-d{SECONDS}", url))
    assert found is not None
    return float(found.group(1))


LOADS: dict[str, tuple[tuple[str, ...], Rate]] = {"iperf3": (("iperf3", "-s"), iperf3), "wrk": ((), wrk)}
"""The command of the server (without one: pong), and the client's rate."""


def measure(root: Path, say: Callable[[str], None]) -> dict[str, Any]:
    """The ratio of rates with its 95 % interval, by load. Nothing of it stays on the machine."""
    install = InstallPaths(INSTALL, Path(f"/run/plimsoll-{INSTALL}"), root / "var" / "live-tests")
    with machine_lock(say), new_lab(install) as lab:
        return {name: _compared(lab, *load, say) for name, load in LOADS.items()}


def _compared(lab: Lab, command: tuple[str, ...], rate: Rate, say: Callable[[str], None]) -> dict[str, Any]:
    with both_overlays(lab, *command) as overlays:
        for overlay in overlays:
            rate(overlay)
        found: dict[str, list[float]] = {overlay.kind: [] for overlay in overlays}
        for number in range(ROUNDS):
            order = overlays if number % 2 else overlays[::-1]
            both = [(overlay.kind, rate(overlay)) for overlay in (*order, *order[::-1])]
            for kind, values in found.items():
                values.append(statistics.fmean(value for name, value in both if name == kind))
            say(", ".join(f"{kind} {values[-1]:.4g}" for kind, values in found.items()))
    (by_workers,) = (values for kind, values in found.items() if kind != OF_SWARM)
    estimate = paired_ratio(found[OF_SWARM], by_workers)
    return {
        "rounds": ROUNDS,
        "seconds": SECONDS,
        "medians": {kind: statistics.median(values) for kind, values in found.items()},
        "ratio": round(estimate.ratio, 4),
        "interval": None if estimate.interval is None else [round(bound, 4) for bound in estimate.interval],
    }
