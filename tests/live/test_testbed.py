"""The testbed: the servers of a run start together, others are removed, and trials reuse them."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import docker
import pytest

from backend.core.definition.factors import Level
from backend.core.plan.restarts import ServedCell
from backend.core.sample.record import TrialRecord
from backend.core.topology.deployment import server_spec
from backend.core.topology.paths import PATHS
from tests.live.conftest import INSTALL, TRIES, levels_of
from worker.topology.testbed import Testbed
from worker.trial.measurement import Measurement
from worker.trial.trial_record import TrialSpec
from worker.workload.hooks import NoHooks, Stop, Stopped

Cells = list[dict[str, Level]]


def server_pid(testbed: Testbed, levels: dict[str, Level]) -> int:
    setup = testbed.setup(levels)
    setup.close()
    return setup.deployment.server.pid


def trial_of(testbed: Testbed, cell: ServedCell) -> TrialRecord:
    """One real trial on the server of a replica, repeated where a busy machine proved nothing."""
    for _ in range(TRIES):
        setup = testbed.setup(cell.levels, replica=cell.replica)
        spec = TrialSpec("trl_0000000000000000", 1, PATHS[str(cell.levels["path"])], cell.levels)
        try:
            record = Measurement(setup, spec, NoHooks(), testbed.tools).run()
        finally:
            setup.close()
        if record.evidence.verdict != "not_proven":
            break
    return record


def containers(engine: str) -> list[str]:
    """The names of all containers of an engine."""
    client = docker.DockerClient(base_url=f"unix:///run/plimsoll-{INSTALL}/engines/{engine}/docker.sock")
    try:
        return [str(found.name) for found in client.containers.list(all=True)]
    finally:
        client.close()


def served(cells: Cells) -> Callable[[], list[ServedCell]]:
    return lambda: [ServedCell(levels) for levels in cells]


def test_the_servers_of_a_run_start_together_and_stay(testbed: Testbed) -> None:
    cells: Cells = [
        levels_of("container_address", service="pong"),
        levels_of("host_network", service="pong"),
        levels_of("container_address", service="flask"),
        levels_of("container_address", False, scale=2),
    ]
    testbed.prepare("run_first", 0, served(cells))
    running = testbed.servers()
    assert set(running) == {server_spec(levels).key for levels in cells}
    assert [server_pid(testbed, levels) for levels in cells] == [
        running[server_spec(levels).key] for levels in cells
    ]


def test_the_next_run_starts_its_own_servers_and_removes_the_others(testbed: Testbed) -> None:
    shared, gone = levels_of("container_address", service="pong"), levels_of("host_network", service="pong")
    testbed.prepare("run_second", 0, served([shared, gone]))
    before = testbed.servers()
    testbed.prepare("run_third", 0, served([shared]))
    after = testbed.servers()
    assert set(after) == {server_spec(shared).key}
    assert after[server_spec(shared).key] != before[server_spec(shared).key], "no server outlives its run"


@pytest.mark.full
@pytest.mark.parametrize(
    ("path", "storage"),
    [("published_loopback", "memory"), ("published_loopback", "volume"), ("bare_host", "memory")],
)
def test_two_rounds_have_different_server_starts_and_the_duplicate_its_own(
    testbed: Testbed, path: str, storage: str
) -> None:
    levels = levels_of(path, storage=storage)
    cells = [ServedCell(levels, replica) for replica in (0, 1)]
    starts, namespaces = set(), set()
    with ExitStack() as held:
        for block in range(2):
            testbed.prepare("run_restarts", block, lambda: cells)
            for cell in cells:
                record = trial_of(testbed, cell)
                assert record.evidence.verdict == "proven", record.evidence.sentence
                setup = testbed.setup(levels, replica=cell.replica)
                setup.close()
                assert record.server == setup.deployment.start_id, "within a round the server stays"
                starts.add(record.server)
                # Held open, because the kernel gives the number of one that is gone to the next one.
                place = Path(f"/proc/{setup.deployment.server.pid}/ns/net")
                namespaces.add(os.fstat(held.enter_context(place.open()).fileno()).st_ino)
    assert len(starts) == 4
    assert len(namespaces) == (1 if path == "bare_host" else 4)
    assert set(testbed.servers()) == {server_spec(levels, replica).key for replica in (0, 1)}
    testbed.prepare("run_after", 0, served([levels_of("container_address", service="pong")]))
    assert len(testbed.servers()) == 1
    left = [name for name in containers("on") if name.endswith("-r1")]
    assert not left


@pytest.mark.full
def test_a_reverse_proxy_is_restarted_with_its_server(testbed: Testbed) -> None:
    levels = levels_of("nginx_stream", service="pong")
    found = []
    for block in range(2):
        testbed.prepare("run_fronts", block, served([levels]))
        setup = testbed.setup(levels)
        setup.close()
        found.append(setup.target.port)
        assert trial_of(testbed, ServedCell(levels)).evidence.verdict == "proven"
    assert found[0] != found[1]


@pytest.mark.full
def test_a_cancel_ends_the_filling_of_large_tables(testbed: Testbed) -> None:
    levels = levels_of("container_address", scale=50)

    class Cancelled(NoHooks):
        def stop_wanted(self) -> Stop | None:
            return "cancel" if server_spec(levels).key in testbed.servers() else None

    with pytest.raises(Stopped):
        testbed.prepare("run_cancelled", 0, served([levels]), Cancelled())
    testbed.renew(levels)
    assert server_spec(levels).key not in testbed.servers()


@pytest.mark.full
def test_paths_that_differ_in_the_client_share_a_server(testbed: Testbed) -> None:
    paths = ("same_container", "sibling_container", "container_address", "published_loopback", "nginx_stream")
    assert len({server_spec(levels_of(path)).key for path in paths}) == 1
    assert len({server_pid(testbed, levels_of(path)) for path in paths}) == 1


@pytest.mark.full
def test_a_fresh_server_is_a_new_process_with_the_same_data(testbed: Testbed) -> None:
    levels = levels_of("container_address", storage="volume", fresh_server=True, script="tpcb_like")
    first, second = (server_pid(testbed, levels) for _ in range(2))
    assert first != second
    testbed.renew(levels)
