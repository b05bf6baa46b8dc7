"""Which cells use more of the host than private networks and daemons."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from backend.core.definition.factors import Level
from backend.core.topology.model import BARE, Attachment
from backend.core.topology.paths import PATHS

_OPEN: Final = BARE | {Attachment.HOST_NETWORK}


def uses_host_network(levels: Mapping[str, Level]) -> bool:
    """Whether a cell needs its own permission.

    Its server shares a network namespace with other programs or runs outside Docker, or its daemon is the
    host's own or in the host's own network.
    """
    return levels.get("engine") == "host" or PATHS[str(levels["path"])].attachment in _OPEN
