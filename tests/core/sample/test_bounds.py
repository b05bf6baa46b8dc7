"""Physical bounds: each broken one is named, and what every good trial shows breaks none."""

from __future__ import annotations

import math

import pytest

from backend.core.sample.bounds import Figures, violations

ROLES = {"client": 1.0, "server": 2.0, "proxy": 0.5, "kernel": 0.3, "other": 0.2}
GOOD = Figures(
    metrics={"tps": 1000.0, "latency_avg_ms": 0.5, "cpu_us_per_txn": 60.0},
    roles=ROLES, idle=2.0, steal=0.0, unattributed=0.0, window_s=3.01, duration_s=3.0,
)  # fmt: skip


def judged(**changes: object) -> tuple[str, ...]:
    return violations(Figures(**{**vars(GOOD), **changes}))  # type: ignore[arg-type]  # each test names its own


def test_a_good_trial_breaks_none() -> None:
    assert violations(GOOD) == ()
    assert violations(Figures(metrics={"tps": 1.0})) == (), "what is not known is not judged"
    assert judged(metrics={"latency_p50_ms": 1.0, "latency_p99_ms": 1.0, "latency_max_ms": 1.0}) == ()


@pytest.mark.parametrize(
    ("metrics", "reason"),
    [
        ({"tps": 0.0}, "transactions per second is zero"),
        ({"rps": -3.0}, "requests per second is negative: −3 1/s"),
        ({"throughput_gbit_s": math.inf}, "throughput is not a finite number"),
        ({"tps": math.nan}, "transactions per second is not a finite number"),
        ({"latency_avg_ms": -0.1}, "mean latency (closed loop) is negative: −0.1 ms"),
        ({"server_cpu_us_per_txn": -1.0}, "CPU per transaction, server is negative: −1 µs"),
        ({"lost_percent": 101.0}, "UDP datagrams lost is 101 %"),
        (
            {"latency_p50_ms": 9.0, "latency_p99_ms": 3.0},
            "median latency (closed loop) (9 ms) is above 99th percentile of latency (closed loop) (3 ms)",
        ),
        (
            {"open_latency_p999_ms": 9.0, "open_latency_max_ms": 3.0},
            "99.9th percentile of latency (open loop, from the scheduled start) (9 ms) is above longest "
            "latency (open loop, from the scheduled start) (3 ms)",
        ),
    ],
)
def test_a_metric_beyond_its_bound(metrics: dict[str, float], reason: str) -> None:
    assert judged(metrics=metrics) == (reason,)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"window_s": 0.0}, "the window lasted 0 s"),
        ({"window_s": 1.4}, "the window lasted 1.40 s instead of 3 s"),
        ({"window_s": 11.5}, "the window lasted 11.50 s instead of 3 s"),
        ({"idle": -0.5, "unattributed": 2.5}, "idle time is negative: −0.5 core-seconds"),
        ({"roles": {**ROLES, "server": -0.5}}, "CPU of server is negative: −0.5 core-seconds"),
        ({"roles": {**ROLES, "client": 3.0}, "idle": 0.0, "unattributed": -0.4},
         "CPU of all roles is 6.00 core-seconds, and the host had 5.60"),
        ({"steal": math.inf}, "steal is not a finite number"),
        ({"roles": dict.fromkeys(ROLES, 0.0), "idle": 0.0},
         "the host's capacity in the window is 0 core-seconds"),
        ({"unattributed": -1.0},
         "tasks, idle time and steal are 6.00 core-seconds together, "
         "and the host had 5.00: its counters disagree"),
    ],
)  # fmt: skip
def test_a_window_or_cpu_beyond_its_bound(changes: dict[str, object], reason: str) -> None:
    assert judged(**changes) == (reason,)


def test_the_stored_trial_of_a_stolen_window_is_invalid() -> None:
    """−50.8 µs: capacity less idle and steal was taken for work, where steal overlapped the others."""
    reasons = violations(
        Figures(
            metrics={"tps": 4_200.0, "cpu_us_per_txn": -50.8},
            roles={"client": 1.0, "server": 1.6, "proxy": 0.3, "kernel": 0.03, "other": 0.1},
            idle=2.27, steal=5.66, unattributed=-0.64 - 3.03, window_s=3.65, duration_s=3.0,
        )
    )  # fmt: skip
    assert reasons == (
        "CPU per transaction (client, server, proxy and kernel) is negative: −50.8 µs",
        "tasks, idle time and steal are 10.96 core-seconds together, and the host had 7.29: "
        "its counters disagree",
    )
