"""The registry of paths: one file a path, named as in `PATH_NAMES` and in its order."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Final

from backend.core.definition.catalog import PATH_NAMES
from backend.core.definition.factors import Level
from backend.core.topology.model import PathDefinition


def _of_file(name: str) -> PathDefinition:
    path: PathDefinition = import_module(f"{__name__}.{name}").PATH
    return path


PATHS: Final[dict[str, PathDefinition]] = {name: _of_file(name) for name in PATH_NAMES}
"""Every path by name, from the shortest way to the longest."""


def hops_of(levels: Mapping[str, Level]) -> tuple[str, ...]:
    """What handles the bytes on a cell's path, in order."""
    return PATHS[str(levels["path"])].hops(bool(levels["userland_proxy"]))
