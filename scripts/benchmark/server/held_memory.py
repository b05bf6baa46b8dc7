"""Memory of the services: resident, and proportional, in which shared pages count once."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from worker.host.processes import children_of

_LINE = re.compile(r"^(Rss|Pss):\s+(\d+) kB", re.M)


def held(pids: Mapping[str, int]) -> dict[str, dict[str, Any]]:
    """Megabytes of each service with all of its processes, by its first process."""
    return {name: _of(pid) for name, pid in pids.items()}


def _of(root: int) -> dict[str, Any]:
    sums, processes, waiting = {"Rss": 0, "Pss": 0}, 0, [root]
    while waiting:
        pid = waiting.pop()
        with contextlib.suppress(OSError):
            for name, kilobytes in _LINE.findall(Path(f"/proc/{pid}/smaps_rollup").read_text()):
                sums[name] += int(kilobytes)
            processes += 1
            waiting += children_of(pid)
    return {
        "pss_mb": round(sums["Pss"] / 1024, 1),
        "rss_mb": round(sums["Rss"] / 1024, 1),
        "processes": processes,
    }
