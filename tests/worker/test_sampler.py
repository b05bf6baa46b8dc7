"""The sampler on a clock of its own making."""

from __future__ import annotations

import time

from worker.measure.sampler import INTERVAL_S, Sampler


def test_points_are_cores_between_readings() -> None:
    began = time.monotonic_ns()

    def read() -> dict[str, int]:
        elapsed = time.monotonic_ns() - began
        return {"client": elapsed // 2, "server": elapsed * 2, "other": -elapsed}

    with Sampler(read) as sampler:
        deadline = time.monotonic() + 5
        while len(sampler.points) < 4 and time.monotonic() < deadline:
            time.sleep(INTERVAL_S / 4)  # the points are made by another thread; bounded
    assert len(sampler.points) >= 4
    for point in sampler.points:
        assert abs(point.cores["client"] - 0.5) < 0.05
        assert abs(point.cores["server"] - 2.0) < 0.2
        assert point.cores["other"] == 0, "what is left over is never negative"
    times = [point.t for point in sampler.points]
    assert times == sorted(times)
    assert sampler.cpu_ns > 0
