"""Records as a worker makes them, for tests without a worker."""

from __future__ import annotations

from typing import Any

from backend.core.plan.claimed import ClaimedTrial
from backend.core.sample.record import TrialRecord


def trial_record(trial: ClaimedTrial, tps: float = 10_000.0, verdict: str = "proven") -> dict[str, Any]:
    """A valid record of this claim, as the worker spools it."""
    roles = {"client": 2.5, "server": 4.0, "proxy": 1.5, "kernel": 0.5, "other": 0.25}
    busy = sum(roles.values())
    names = ("latency_avg_ms", "context_switches_per_txn", *(f"{r}_cpu_us_per_txn" for r in list(roles)[:3]))
    metrics = {"tps": tps, "cpu_us_per_txn": busy / tps * 1e5, "cpu_cores": busy / 10}
    record = {
        "schema_version": 1,
        "trial_id": trial.trial_id,
        "fence": trial.fence,
        "window": {"started_at": "2026-11-20T18:00:00Z", "ended_at": "2026-11-20T18:00:10Z",
                   "seconds": float(trial.levels.get("duration_s", 10))},
        "metrics": {**metrics, **dict.fromkeys(names, 5.0)},
        "latency_measured": True,
        "transactions": int(tps * 10),
        "failed_transactions": 0,
        "cpu": {
            "roles": roles, "tasks_total": busy, "host_busy": busy + 0.25, "unattributed": 0.25, "idle": 11.0,
            "steal": 0.0, "capacity": 20.0, "sources": dict.fromkeys(roles, "schedstat"),
        },
        "per_second": [{"t": 1.0, "rate": tps, "latency_ms": 0.5, "latency_stddev_ms": 0.1}],
        "cpu_series": [{"t": 0.1, "cores": {"client": 0.25}}],
        "counters": {},
        "evidence": {
            "path": str(trial.levels["path"]), "hops": ["loopback"], "verdict": verdict,
            "sentence": "All signals agree.",
            "signals": [
                {"name": "peer", "expected": "127.0.0.1", "observed": "127.0.0.1", "state": "agrees"},
            ],
        },
        "commands": [
            {"purpose": "measure", "argv": ["pgbench", "-c", "5", "a b"], "container": "client",
             "exit_code": 0, "stdout": f"tps = {tps}\n", "stderr": "progress\n"},
        ],
        "versions": {"pgbench": "15.18"},
        "overhead_seconds": 0.4,
        "warnings": [],
    }  # fmt: skip
    return TrialRecord.model_validate(record).model_dump(mode="json")
