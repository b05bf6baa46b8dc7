"""Records of made-up trials, with the parts and about the size of a worker's."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from backend.core.plan.model import Cell
from backend.core.sample.metrics import costs
from backend.core.sample.record import TrialRecord

NOISE: Final = 0.02
SECONDS: Final = 10.0
CORES: Final = 4
POINTS: Final = 5
"""Of the series in a record: fewer than a worker's, to bound the size of the database."""
RATES: Final = {
    "same_container": 17_500.0,
    "sibling_container": 15_900.0,
    "published_loopback": 11_200.0,
    "container_address": 14_800.0,
    "published_host_address": 12_100.0,
    "nginx_stream": 10_300.0,
    "haproxy_tcp": 10_900.0,
    "host_network": 17_100.0,
}
"""Transactions per second of each path with four clients."""
_ROLES: Final = {"client": 0.7, "server": 1.0, "proxy": 0.6, "kernel": 0.1, "other": 0.02}
_PROGRAMS: Final = (("client", "pgbench"), ("server", "postgres"), ("proxy", "docker-proxy"))
_SOURCES: Final = dict.fromkeys(_ROLES, "schedstat")


@dataclass(frozen=True)
class Attempt:
    """One recorded trial: its ids, what served it, when its window began, and the level of its run."""

    trial_id: str
    cell: Cell
    server: str
    began: datetime
    versions: dict[str, str]
    level: float


def record(attempt: Attempt, draw: random.Random) -> dict[str, Any]:
    """A record as JSON; its figures are those of the path, the host and the run, with noise."""
    levels = attempt.cell.levels
    path = str(levels["path"])
    clients = int(levels["clients"])
    load = min(1.0, 0.35 + 0.65 * math.log2(1 + clients) / math.log2(5))
    rate = RATES[path] * attempt.level * load * draw.lognormvariate(0, NOISE)
    transactions = round(rate * SECONDS)
    roles = {role: cores * SECONDS * load * draw.lognormvariate(0, NOISE) for role, cores in _ROLES.items()}
    busy = sum(roles.values())
    ended = attempt.began + timedelta(seconds=SECONDS)
    found = {"tps": rate, **costs(roles, transactions, SECONDS), "latency_avg_ms": 1000 * clients / rate}
    found |= {
        f"{role}_cpu_us_per_txn": roles[role] * 1e6 / transactions for role in ("proxy", "server", "client")
    }
    return {
        "schema_version": 1,
        "trial_id": attempt.trial_id,
        "fence": 1,
        "window": {"started_at": _text(attempt.began), "ended_at": _text(ended), "seconds": SECONDS},
        "metrics": {name: round(value, 6) for name, value in found.items()},
        "latency_measured": True,
        "transactions": transactions,
        "failed_transactions": 0,
        "cpu": {
            "roles": roles, "tasks_total": busy, "host_busy": busy, "unattributed": 0.1, "untasked": 0.1,
            "overlap": 0.0, "idle": CORES * SECONDS - busy - 0.1, "steal": 0.0, "capacity": CORES * SECONDS,
            "sources": _SOURCES,
        },
        "processes": [
            {"role": role, "name": name, "pid": 1000 + n, "thread": None, "seconds": roles[role] / 2,
             "context_switches": transactions}
            for n, (role, name) in enumerate(_PROGRAMS)
        ],
        "histogram": [],
        "per_second": [
            {"t": float(second + 1), "rate": round(rate * draw.lognormvariate(0, NOISE), 1),
             "latency_ms": round(1000 * clients / rate, 3), "latency_stddev_ms": 0.05}
            for second in range(POINTS)
        ],
        "cpu_series": [
            {"t": float(second), "cores": {role: round(spent / SECONDS, 3) for role, spent in roles.items()}}
            for second in range(POINTS)
        ],
        "counters": {"context_switches": transactions * 5},
        "evidence": _evidence(path),
        "commands": [_command(transactions, rate, clients)],
        "versions": attempt.versions,
        "facts": {"mtu server link": "1500", "mtu client link": "1500"},
        "overhead_seconds": 0.4,
        "quality": {
            "invalid": [], "contaminated": [], "takes": 1,
            "readings": {"seconds": SECONDS, "other_cores": 0.01, "steal": 0.0},
            "discarded": [], "waited_seconds": 1.0, "not_quiet": [],
        },
        "server": attempt.server,
        "notices": [],
        "warnings": [],
    }  # fmt: skip


def check(found: dict[str, Any]) -> None:
    """Raise ValidationError unless this is a record that a worker could send."""
    TrialRecord.model_validate(found)


def _text(moment: datetime) -> str:
    return moment.isoformat().replace("+00:00", "Z")


def _evidence(path: str) -> dict[str, Any]:
    signals = ("peer address", "conntrack entry", "nat rule", "proxy process", "bytes on the veth")
    return {
        "path": path,
        "hops": ["loopback", "docker-proxy", "bridge", "veth"],
        "verdict": "proven",
        "sentence": "All five signals agree with the hops of the label.",
        "signals": [
            {"name": name, "expected": "172.30.0.2:5432", "observed": "172.30.0.2:5432", "state": "agrees"}
            for name in signals
        ],
    }


def _command(transactions: int, rate: float, clients: int) -> dict[str, Any]:
    argv = ["pgbench", "-h", "172.30.0.2", "-U", "postgres", "-S", "-M", "prepared", "-n", "-c", str(clients)]
    stdout = (
        "pgbench (15.20 (Debian 15.20-0+deb12u1))\ntransaction type: <builtin: select only>\n"
        f"scaling factor: 5\nquery mode: prepared\nnumber of clients: {clients}\nnumber of threads: 1\n"
        "maximum number of tries: 1\n"
        f"duration: 10 s\nnumber of transactions actually processed: {transactions}\n"
        f"number of failed transactions: 0 (0.000%)\nlatency average = {1000 * clients / rate:.3f} ms\n"
        f"latency stddev = 0.050 ms\ninitial connection time = 4.531 ms\n"
        f"tps = {rate:.6f} (without initial connection time)\n"
    )
    return {
        "purpose": "measure", "argv": [*argv, "-T", "10", "-P", "1", "bench"], "container": "client",
        "exit_code": 0, "stdout": stdout, "stderr": "progress: 1.0 s, lat 0.3 ms\n" * 3,
    }  # fmt: skip
