"""Why a cell cannot run: its levels, its tool or the host."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from backend.core.definition.factors import FACTORS, Level
from backend.core.plan.model import Obstacle
from backend.core.topology.feasible import infeasible
from backend.core.topology.model import Address
from backend.core.topology.paths import PATHS
from backend.core.topology.two_hosts import CLIENT_HOST
from backend.core.workload.tools import TOOLS


def obstacle(levels: Mapping[str, Level], capabilities: Mapping[str, Any]) -> Obstacle | None:
    """Why a cell cannot run on a host with these capabilities (empty: not known), or None when it can."""
    anywhere: dict[str, Any] = {CLIENT_HOST: {}} if CLIENT_HOST in capabilities else {}
    return infeasible(levels, anywhere) or _of_tool(levels) or infeasible(levels, capabilities)


def _of_tool(levels: Mapping[str, Level]) -> Obstacle | None:
    """What the tool cannot run, or would silently run otherwise. Its reason begins with the factor's name."""
    tool = TOOLS[str(levels["tool"])]
    path = PATHS[str(levels["path"])]
    if tool.needs_tcp and path.address is Address.SOCKET:
        detail = (
            f"{tool.name} needs TCP, which the path {path.named} does not use; choose another path or tool"
        )
        return Obstacle("path", "tool_needs_tcp", detail)
    reason = tool.refuse(levels)
    if reason is None:
        return None
    factor, found, detail = reason.partition(": ")
    if not found or factor not in FACTORS:
        factor, detail = "tool", reason
    return Obstacle(factor, "tool_refuses", detail)
