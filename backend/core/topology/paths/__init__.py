"""The registry of paths: one file a path."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from backend.core.definition.factors import Level
from backend.core.topology.model import PathDefinition
from backend.core.topology.paths import (
    container_address,
    published_host_address,
    published_loopback,
    same_container,
    sibling_container,
)

PATHS: Final[dict[str, PathDefinition]] = {
    module.PATH.name: module.PATH
    for module in (
        same_container,
        sibling_container,
        container_address,
        published_loopback,
        published_host_address,
    )
}
"""Every path by name, from the shortest way to the longest."""


def hops_of(levels: Mapping[str, Level]) -> tuple[str, ...]:
    """What handles the bytes on a cell's path, in order."""
    return PATHS[str(levels["path"])].hops(bool(levels["userland_proxy"]))
