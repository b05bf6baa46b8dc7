"""Which cells a host can run, from what was probed on it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from backend.core.definition.factors import Level
from backend.core.topology.paths import PATHS


def infeasible(levels: Mapping[str, Level], capabilities: Mapping[str, Any]) -> str | None:
    """Why a cell cannot run on a host, or None when it can.

    `capabilities` is what the host's worker announced: `paths` (names it can carry) and `engines`
    ("on", "off": the userland-proxy settings it has an engine for), each with `reasons` for what is
    missing. An empty mapping means that nothing is known yet, and excludes nothing.
    """
    path = str(levels["path"])
    if path not in PATHS:
        return f"the path {path} is not known to this version"
    reasons: Mapping[str, str] = capabilities.get("reasons", {})
    engine = "on" if levels["userland_proxy"] else "off"
    if engine not in capabilities.get("engines", (engine,)):
        return reasons.get(f"engine.{engine}", f"this host has no engine with userland-proxy {engine}")
    if path not in capabilities.get("paths", (path,)):
        return reasons.get(f"path.{path}", f"this host cannot carry the path {path}")
    largest = int(capabilities.get("max_scale", 0))
    if largest and int(levels["scale"]) > largest:
        return f"scale {levels['scale']} needs more memory than the host has; at most {largest} here"
    return None
