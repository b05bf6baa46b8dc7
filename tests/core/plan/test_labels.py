"""Labels of levels and cells."""

from __future__ import annotations

import pytest

from backend.core.definition.factors import Level
from backend.core.plan.labels import cell_label, level_label


@pytest.mark.parametrize(
    ("factor", "level", "label"),
    [
        ("path", "published_loopback", "published_loopback"),
        ("userland_proxy", True, "proxy on"),
        ("userland_proxy", False, "proxy off"),
        ("clients", 1, "1 client"),
        ("clients", 8, "8 clients"),
        ("threads", 1, "1 thread"),
        ("threads", 2, "2 threads"),
        ("protocol", "simple", "simple"),
        ("scale", 5, "scale 5"),
        ("duration_s", 10, "10 s"),
        ("warm_up_s", 2, "warm-up 2 s"),
    ],
)
def test_levels(factor: str, level: Level, label: str) -> None:
    assert level_label(factor, level) == label


def test_cells_name_only_what_varies() -> None:
    levels: dict[str, Level] = {"path": "same_container", "userland_proxy": True, "clients": 5}
    assert cell_label(levels, ("userland_proxy", "clients")) == "proxy on, 5 clients"
    assert cell_label(levels, ()) == "same_container"
