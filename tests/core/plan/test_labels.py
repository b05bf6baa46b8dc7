"""Labels of levels and cells."""

from __future__ import annotations

import pytest

from backend.core.definition.checks import is_level
from backend.core.definition.factors import FACTORS, Level
from backend.core.plan.labels import cell_label, hop_label, level_label


@pytest.mark.parametrize(
    ("factor", "level", "label"),
    [
        ("path", "published_loopback", "Published port on 127.0.0.1"),
        ("userland_proxy", True, "userland-proxy on"),
        ("userland_proxy", False, "userland-proxy off"),
        ("clients", 1, "1 client"),
        ("clients", 8, "8 clients"),
        ("threads", 1, "1 thread"),
        ("threads", 2, "2 threads"),
        ("threads", 0, "threads = clients"),
        ("tool", "wrk", "wrk"),
        ("path", "nginx_stream", "Reverse proxy nginx (TCP)"),
        ("gomaxprocs", 2, "GOMAXPROCS 2"),
        ("gomaxprocs", 0, "default GOMAXPROCS"),
        ("server_cpus", 1, "1 CPU"),
        ("server_cpus", 2, "2 CPUs"),
        ("server_cpus", 0, "no CPU quota"),
        ("fsync", False, "fsync off"),
        ("storage", "volume", "on a volume"),
        ("storage", "memory", "in memory"),
        ("engine", "host", "host Docker daemon"),
        ("front_workers", 4, "4 reverse proxy workers"),
        ("front_reuseport", True, "reuseport"),
        ("shared_buffers_mb", 120, "shared_buffers 120 MB"),
        ("server_cpuset", "0-1", "server's cpuset 0-1"),
        ("server_cpuset", "", "server's cpuset any"),
        ("udp_mbit_s", 500, "offered UDP rate 500 Mbit/s"),
        ("proxy_program", "epoll-relay", "proxy program epoll-relay"),
        ("protocol", "simple", "simple"),
        ("scale", 5, "scale 5"),
        ("duration_s", 10, "10 s"),
        ("warm_up_s", 2, "warm-up 2 s"),
    ],
)
def test_levels(factor: str, level: Level, label: str) -> None:
    assert level_label(factor, level) == label


@pytest.mark.parametrize("name", FACTORS)
def test_every_factor_has_labels_that_tell_its_levels_apart(name: str) -> None:
    factor = FACTORS[name]
    words = [word for word in ("0", "1-2", "") if is_level(factor, word)]
    levels = factor.choices or (words if factor.pattern else (factor.minimum, factor.maximum))
    labels = [level_label(name, level) for level in levels]
    assert len(set(labels)) == len(levels)
    assert all(0 < len(label) <= 45 for label in labels)


def test_cells_name_only_what_applies_to_them() -> None:
    levels: dict[str, Level] = {"path": "same_container", "tool": "ab"}
    assert cell_label(levels, ("path", "tool", "threads")) == "Same container, ab"


def test_a_proxy_program_is_named_as_a_setting_also_on_paths_without_it() -> None:
    levels: dict[str, Level] = {"path": "container_address", "proxy_program": "docker-proxy"}
    assert cell_label(levels, ("path", "proxy_program")) == "Container address, proxy program docker-proxy"


def test_cells_name_only_what_varies() -> None:
    levels: dict[str, Level] = {"path": "same_container", "userland_proxy": True, "clients": 5}
    assert cell_label(levels, ("userland_proxy", "clients")) == "userland-proxy on, 5 clients"
    assert cell_label(levels, ()) == "Same container"


def test_the_stored_hop_wire_is_shown_as_link() -> None:
    assert [hop_label(hop) for hop in ("wire", "docker-proxy")] == ["link", "docker-proxy"]
