"""The end of an installation: what `docker compose down` leaves."""

from __future__ import annotations

from tests.compose.remains import network, remains
from tests.compose.server import PAIR, Server


def test_down_leaves_the_data_and_nothing_else(server: Server) -> None:
    install_id = server.install_id
    run_id = server.browser.start_run("unfinished", PAIR | {"duration_s": [60]}, rounds=1)
    server.browser.await_run(run_id, lambda run: run["current"] is not None)
    assert remains(install_id), "engines of the worker run now"
    server.compose("down")
    assert server.compose.containers() == {}
    assert remains(install_id) == []
    assert network(server.engine.names.netns) == server.network_before
    assert server.volume("postgres").exists() and server.volume("secrets").exists()
    server.compose("down", "--volumes")
    assert [path.name for path in server.engine.volumes.iterdir() if path.is_dir()] == []
