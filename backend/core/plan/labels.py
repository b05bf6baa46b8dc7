"""Short labels of levels and cells, the same on page, terminal and exports."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from backend.core.definition.factors import Level


def level_label(factor: str, level: Level) -> str:
    """One level as it reads beside others: "proxy on", "8 clients", "scale 5"."""
    match factor:
        case "userland_proxy":
            return "proxy on" if level else "proxy off"
        case "clients" | "threads":
            return f"{level} {factor if level != 1 else factor[:-1]}"
        case "scale":
            return f"scale {level}"
        case "duration_s":
            return f"{level} s"
        case "warm_up_s":
            return f"warm-up {level} s"
        case _:
            return str(level)


def cell_label(levels: Mapping[str, Level], varied: Iterable[str]) -> str:
    """A cell by its levels of the varied factors; by its path where nothing is varied."""
    return ", ".join(level_label(name, levels[name]) for name in varied) or str(levels["path"])
