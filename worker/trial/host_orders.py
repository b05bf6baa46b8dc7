"""What administrators decided about this host, as its worker last heard it."""

from __future__ import annotations

from dataclasses import dataclass

from backend.core.topology.host_policy import OPEN, HostPolicy


@dataclass(frozen=True)
class HostOrders:
    """`policy`: which cells may run. Whether a trial may start now, the queue itself decides at each claim.

    `release` is the server's, empty where it is not known.
    """

    policy: HostPolicy = OPEN
    release: str = ""
