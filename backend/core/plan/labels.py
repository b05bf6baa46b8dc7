"""Short labels of levels and cells, the same on the page, in the terminal and in exports."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from backend.core.definition.catalog import PATH_TITLES
from backend.core.definition.factors import FACTORS, Level

_COUNTED: Final = {
    "clients": ("client", "clients"),
    "threads": ("thread", "threads"),
    "app_workers": ("gunicorn worker", "gunicorn workers"),
    "front_workers": ("reverse proxy worker", "reverse proxy workers"),
    "server_cpus": ("CPU", "CPUs"),
}
_AT_ZERO: Final = {
    "threads": "threads = clients",
    "rate": "unlimited rate",
    "gomaxprocs": "default GOMAXPROCS",
    "server_cpus": "no CPU quota",
    "server_memory_mb": "default memory limit",
}
_SWITCHES: Final = {
    "userland_proxy": ("userland-proxy off", "userland-proxy on"),
    "reconnect": ("connections kept", "connects per transaction"),
    "keep_alive": ("no keep-alive", "keep-alive"),
    "reverse": ("client sends", "server sends"),
    "fresh_server": ("server kept", "server restarted"),
    "fsync": ("fsync off", "fsync on"),
    "front_reuseport": ("no reuseport", "reuseport"),
    "front_accept_mutex": ("no accept_mutex", "accept_mutex"),
    "front_splice": ("no splice", "splice"),
    "front_keep_alive": ("no upstream keep-alive", "upstream keep-alive"),
}
_STORAGE: Final = {"memory": "in memory", "layer": "in the container layer", "volume": "on a volume"}
PLAIN: Final = frozenset(("tool", "service", "protocol", "script", "transport"))
"""The factors whose levels are names by themselves."""


def factor_label(factor: str) -> str:
    """The name of a factor for readers, such as "userland-proxy"."""
    return FACTORS[factor].label if factor in FACTORS else factor.replace("_", " ")


def hop_label(hop: str) -> str:
    """The name of a hop for readers. Stored records and REST name the link between two hosts "wire"."""
    return "link" if hop == "wire" else hop


def level_label(factor: str, level: Level) -> str:
    """The label of one level, such as "userland-proxy on", "8 clients", "scale 5"; of a path its title."""
    if factor == "path":
        return PATH_TITLES.get(str(level), str(level))
    if factor in _SWITCHES and isinstance(level, bool):
        return _SWITCHES[factor][level]
    if factor in _AT_ZERO and level == 0:
        return _AT_ZERO[factor]
    if factor in _COUNTED:
        one, many = _COUNTED[factor]
        return f"{level} {one if level == 1 else many}"
    if factor == "storage":
        return _STORAGE.get(str(level), str(level))
    if factor == "engine":
        return f"{level} Docker daemon"
    if factor == "duration_s":
        return f"{level} s"
    if factor in PLAIN or factor not in FACTORS:
        return str(level)
    return _named(factor, level)


def _named(factor: str, level: Level) -> str:
    """The level after its factor's label: "scale 5", "shared_buffers 120 MB", "client's cpuset 0-1"."""
    row = FACTORS[factor]
    if level == "":
        return f"{row.label} any"
    return " ".join(text for text in (row.label, str(level), row.unit) if text)


def cell_label(levels: Mapping[str, Level], varied: Iterable[str]) -> str:
    """The label of a cell: its levels of the varied factors, or its path where it has none of them."""
    named = [level_label(name, levels[name]) for name in varied if name in levels]
    return ", ".join(named) or level_label("path", levels["path"])
