"""The sampler on a counter of the test."""

from __future__ import annotations

import time
from itertools import pairwise

import pytest

from worker.sample.sampler import INTERVAL_S, Sampler

STEP_NS = 50_000_000


def test_points_are_cores_between_readings() -> None:
    """Every reading adds the same CPU: each point multiplied by its interval is that value."""
    readings = 0

    def read() -> dict[str, int]:
        nonlocal readings
        readings += 1
        return {"client": readings * STEP_NS, "server": readings * 4 * STEP_NS, "other": -readings * STEP_NS}

    with Sampler(read) as sampler:
        deadline = time.monotonic() + 60
        while len(sampler.points) < 4 and time.monotonic() < deadline:
            time.sleep(INTERVAL_S / 4)  # the points are made by another thread; bounded
    assert len(sampler.points) >= 4
    times = [0.0, *(point.t for point in sampler.points)]
    for point, (before, now) in zip(sampler.points, pairwise(times), strict=True):
        rounding = point.cores["client"] * 0.001  # times are kept to the millisecond
        assert point.cores["client"] * (now - before) == pytest.approx(STEP_NS / 1e9, rel=0.01, abs=rounding)
        assert point.cores["server"] == pytest.approx(4 * point.cores["client"], abs=1e-3)
        assert point.cores["other"] == 0, "what is left over is never negative"
    assert times == sorted(times)
    assert sampler.cpu_ns > 0
