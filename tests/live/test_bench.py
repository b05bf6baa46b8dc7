"""The bench: what a run needs comes up together, what it does not need goes; a trial finds it standing."""

from __future__ import annotations

from backend.core.definition.factors import Level
from backend.core.topology.deployment import server_spec
from tests.live.conftest import levels_of
from worker.trial.bench import Bench

Cells = list[dict[str, Level]]


def server_pid(bench: Bench, levels: dict[str, Level]) -> int:
    rig = bench.rig(levels)
    rig.close()
    return rig.deployment.server.pid


def test_a_run_s_servers_come_up_together_and_stay(bench: Bench) -> None:
    cells: Cells = [
        levels_of("container_address", service="pong"),
        levels_of("host_network", service="pong"),
        levels_of("container_address", service="flask"),
        levels_of("container_address", False, scale=2),
    ]
    bench.prepare("run_first", lambda: cells)
    standing = bench.servers()
    assert set(standing) == {server_spec(levels).key for levels in cells}
    assert [server_pid(bench, levels) for levels in cells] == [
        standing[server_spec(levels).key] for levels in cells
    ]


def test_the_next_run_keeps_what_it_shares_and_takes_down_the_rest(bench: Bench) -> None:
    shared, gone = levels_of("container_address", service="pong"), levels_of("host_network", service="pong")
    bench.prepare("run_second", lambda: [shared, gone])
    before = bench.servers()
    bench.prepare("run_third", lambda: [shared])
    assert bench.servers() == {server_spec(shared).key: before[server_spec(shared).key]}


def test_one_server_serves_every_path_that_differs_in_the_client_alone(bench: Bench) -> None:
    paths = ("same_container", "sibling_container", "container_address", "published_loopback", "nginx_stream")
    assert len({server_spec(levels_of(path)).key for path in paths}) == 1
    assert len({server_pid(bench, levels_of(path)) for path in paths}) == 1


def test_a_fresh_server_is_another_process_with_the_same_data(bench: Bench) -> None:
    levels = levels_of("container_address", storage="volume", fresh_server=True, script="tpcb_like")
    first, second = (server_pid(bench, levels) for _ in range(2))
    assert first != second
    bench.renew(levels)
