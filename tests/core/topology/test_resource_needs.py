"""What a cell needs beside others: containers, engines and memory."""

from __future__ import annotations

from typing import Any

import pytest

from backend.core.definition.catalog import PATH_NAMES
from backend.core.definition.factors import FACTORS, Level, applicable
from backend.core.topology.resource_needs import ENGINE_MB, resource_needs


def cell(**levels: Any) -> dict[str, Level]:
    defaults = {name: factor.default for name, factor in FACTORS.items()}
    return applicable(defaults | levels)


def together(*cells: dict[str, Level]) -> tuple[int, int, int]:
    """Containers, engines and megabytes of these cells."""
    found = {need.key: need for levels in cells for need in resource_needs(levels)}
    engines = sum(key.startswith("engine ") for key in found)
    return sum(n.container for n in found.values()), engines, sum(n.memory_mb for n in found.values())


@pytest.mark.parametrize(
    ("path", "containers", "engines"),
    [
        ("same_container", 1, 1), ("shared_namespace", 2, 1), ("sibling_container", 2, 1),
        ("published_loopback", 2, 1), ("published_remote", 2, 2), ("nginx_stream", 3, 1),
        ("bare_host", 0, 1), ("overlay", 2, 2), ("host_network_remote", 2, 2),
    ],
)  # fmt: skip
def test_what_one_path_needs(path: str, containers: int, engines: int) -> None:
    found = together(cell(path=path))
    assert found[:2] == (containers, engines)
    assert found[2] > engines * ENGINE_MB


@pytest.mark.parametrize("path", PATH_NAMES)
def test_every_path_has_an_engine_and_a_server(path: str) -> None:
    kinds = [need.key.split(" ")[0] for need in resource_needs(cell(path=path))]
    assert kinds[0] == "engine" and "server" in kinds


def test_paths_share_their_server_and_cells_their_client() -> None:
    both = together(cell(path="published_loopback"), cell(path="container_address"))
    assert both == together(cell(path="published_loopback"))
    assert together(cell(clients=1), cell(clients=64)) == together(cell())
    assert together(cell(), cell(userland_proxy=False))[0] == 4


def test_data_in_memory_and_workers_are_counted() -> None:
    small, large, on_disk = cell(scale=1), cell(scale=11), cell(scale=11, storage="volume")
    assert together(large)[2] - together(small)[2] == 10 * (20 + 15)
    assert together(large)[2] - together(on_disk)[2] == 11 * 20
    flask = {"tool": "wrk", "service": "flask"}
    assert together(cell(**flask, app_workers=4))[2] - together(cell(**flask, app_workers=1))[2] == 180


def test_the_hosts_own_daemon_needs_nothing() -> None:
    assert together(cell(engine="host"))[1] == 0
