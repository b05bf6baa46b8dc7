"""Whether a tool opens a new connection for each operation."""

from __future__ import annotations

from collections.abc import Mapping

from backend.core.definition.factors import Level


def connects_anew(levels: Mapping[str, Level]) -> bool:
    """Whether each operation opens a connection of its own: pgbench -C, and ab without -k."""
    if levels.get("tool") == "ab":
        return not levels.get("keep_alive")
    return levels.get("tool") == "pgbench" and bool(levels.get("reconnect"))
