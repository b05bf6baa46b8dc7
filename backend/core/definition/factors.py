"""The factors that an experiment may vary, their levels and their bounds: one row a factor."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

Level = str | int | bool
"""One value of a factor, as it stands in the document."""


class Path(StrEnum):
    """How the client reaches the server; each has its file in `core.topology.paths`."""

    SAME_CONTAINER = "same_container"
    SIBLING_CONTAINER = "sibling_container"
    CONTAINER_ADDRESS = "container_address"
    PUBLISHED_LOOPBACK = "published_loopback"
    PUBLISHED_HOST_ADDRESS = "published_host_address"


class Protocol(StrEnum):
    """pgbench's query protocol (`-M`)."""

    SIMPLE = "simple"
    EXTENDED = "extended"
    PREPARED = "prepared"


@dataclass(frozen=True)
class Factor:
    """A thing varied on purpose. Numeric factors have inclusive bounds, the others `choices`."""

    name: str
    label: str
    unit: str
    default: Level
    choices: tuple[Level, ...] = ()
    minimum: int = 0
    maximum: int = 0


FACTORS: Final[dict[str, Factor]] = {
    factor.name: factor
    for factor in (
        Factor("path", "path", "", Path.PUBLISHED_LOOPBACK.value, tuple(p.value for p in Path)),
        Factor("userland_proxy", "userland-proxy", "", True, (True, False)),
        Factor("clients", "clients", "", 5, minimum=1, maximum=200),
        Factor("threads", "threads", "", 1, minimum=1, maximum=64),
        Factor("protocol", "query protocol", "", Protocol.PREPARED.value, tuple(p.value for p in Protocol)),
        Factor("scale", "scale", "", 5, minimum=1, maximum=200),
        Factor("duration_s", "duration", "s", 10, minimum=1, maximum=3600),
        Factor("warm_up_s", "warm-up", "s", 2, minimum=0, maximum=600),
    )
}
"""Every factor by name, in the order in which cells are enumerated and columns are shown."""
