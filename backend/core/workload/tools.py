"""The registry of tools: one file a tool."""

from __future__ import annotations

from typing import Final

from backend.core.workload import ab, iperf3, pgbench, wrk
from backend.core.workload.tool import Tool

TOOLS: Final[dict[str, Tool]] = {tool.name: tool for tool in (pgbench.TOOL, wrk.TOOL, ab.TOOL, iperf3.TOOL)}
"""Every tool by name, in the order of `definition.catalog.TOOLS`."""
