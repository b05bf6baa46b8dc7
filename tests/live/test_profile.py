"""A CPU profile of a real trial by perf: roles and functions of the path, and nothing left on the host."""

from __future__ import annotations

from pathlib import Path

import pytest

from backend.core.sample.profile import problem_of
from tests.live.conftest import levels_of
from worker.host import perf
from worker.topology.testbed import Testbed
from worker.trial.profiling import profile_of
from worker.workload.hooks import NoHooks, Stop, Stopped


class Cancelled(NoHooks):
    """Hooks of a trial that is cancelled at once."""

    def stop_wanted(self) -> Stop | None:
        return "cancel"


@pytest.fixture(scope="module", autouse=True)
def able() -> None:
    reason = perf.why_not()
    if reason is not None:
        pytest.skip(f"this host takes no CPU profiles: {reason}")


@pytest.mark.full
def test_a_published_port_costs_docker_proxy(testbed: Testbed, tmp_path: Path) -> None:
    levels = levels_of("published_loopback", True, service="pong", duration_s=2)
    setup = testbed.setup(levels)
    try:
        found = profile_of(setup, levels, tmp_path, NoHooks())
    finally:
        setup.close()
    assert problem_of(found) is None
    # Two CPUs or more at 99 samples a second, for two seconds of load on each of them.
    assert found.samples > 100 and found.seconds == 2.0
    roles = {frame.name: frame.total for frame in found.frames if frame.parent is None}
    assert min(roles.get(role, 0) for role in ("client", "server", "proxy")) > 0, roles
    processes = {
        frame.name
        for frame in found.frames
        if frame.parent is not None and found.frames[frame.parent].parent is None
    }
    assert {"wrk", "docker-proxy"} <= processes, processes
    assert any("tcp" in function.name for function in found.functions)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.full
def test_a_cancelled_profile_leaves_nothing(testbed: Testbed, tmp_path: Path) -> None:
    levels = levels_of("published_loopback", True, service="pong", duration_s=2)
    setup = testbed.setup(levels)
    try:
        with pytest.raises(Stopped):
            profile_of(setup, levels, tmp_path, Cancelled())
    finally:
        setup.close()
    assert list(tmp_path.iterdir()) == []


def test_data_of_a_killed_worker_are_removed(tmp_path: Path) -> None:
    left = tmp_path / f"{perf.FOLDER_PREFIX}x"
    left.mkdir()
    (left / "data").write_bytes(b"x")
    perf.remove_left(tmp_path)
    assert list(tmp_path.iterdir()) == []
