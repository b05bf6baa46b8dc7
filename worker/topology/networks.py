"""The networks that servers are attached to, by attachment.

Each macvlan and ipvlan network has a parent device of its own: the kernel allows one of the two kinds on a
device, and all ipvlans on it share one mode (drivers/net/ipvlan, drivers/net/macvlan.c).
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from backend.core.errors import HostCommandFailed
from backend.core.topology.deployment import ServerSpec
from backend.core.topology.model import Attachment
from worker.engine.names import (
    OVERLAY_ENCRYPTED_NETWORK,
    OVERLAY_NETWORK,
    USER_BRIDGE,
    USER_NETWORK,
)
from worker.engine.protocol import NetworkSpec
from worker.host.commands import in_namespace, run

ROUTED_BRIDGE = "plm1"
GATEWAY_MODE = "com.docker.network.bridge.gateway_mode_ipv4"


@dataclass(frozen=True)
class Network:
    """A network by its name; `spec` where Plimsoll creates it."""

    name: str
    spec: NetworkSpec | None = None


def _own(spec: NetworkSpec) -> Network:
    return Network(spec.name, spec)


NETWORKS: Final[dict[Attachment, Network]] = {
    Attachment.USER_BRIDGE: _own(NetworkSpec(USER_NETWORK, "bridge", bridge=USER_BRIDGE)),
    Attachment.DEFAULT_BRIDGE: Network("bridge"),
    Attachment.ROUTED_BRIDGE: _own(
        NetworkSpec(
            "plimsoll-routed",
            "bridge",
            bridge=ROUTED_BRIDGE,
            subnet="198.19.3.0/24",
            gateway="198.19.3.1",
            options={GATEWAY_MODE: "routed"},
        )
    ),
    Attachment.HOST_NETWORK: Network("host"),
    Attachment.BARE: Network("host"),
    Attachment.BARE_SOCKET: Network("host"),
    Attachment.SOCKET: Network("none"),
    Attachment.OVERLAY: _own(NetworkSpec(OVERLAY_NETWORK, "overlay")),
    Attachment.OVERLAY_ENCRYPTED: _own(NetworkSpec(OVERLAY_ENCRYPTED_NETWORK, "overlay", encrypted=True)),
    Attachment.MACVLAN: _own(
        NetworkSpec(
            "plimsoll-macvlan", "macvlan", parent="mac0", subnet="198.19.4.0/24", gateway="198.19.4.1"
        )
    ),
    Attachment.IPVLAN_L2: _own(
        NetworkSpec(
            "plimsoll-ipvlan-l2",
            "ipvlan",
            parent="ipl2",
            subnet="198.19.5.0/24",
            gateway="198.19.5.1",
            options={"ipvlan_mode": "l2"},
        )
    ),
    Attachment.IPVLAN_L3: _own(
        NetworkSpec(
            "plimsoll-ipvlan-l3",
            "ipvlan",
            parent="ipl3",
            subnet="198.19.6.0/24",
            options={"ipvlan_mode": "l3"},
        )
    ),
}


def network_of(spec: ServerSpec) -> Network:
    """The network of a server's container. One on an overlay of two hosts has none of Docker's: the worker
    attaches it to its end (worker.topology.overlay_end)."""
    if spec.engine.kind == "host" and spec.attachment is Attachment.OVERLAY:
        return Network("none")
    return NETWORKS[spec.attachment]


_PARENTS = threading.Lock()


def ensure_parent(netns: str | Path, parent: str) -> None:
    """Create the parent device of a macvlan or ipvlan network where it is missing; its namespace removes it.

    Safe from several threads: servers start in parallel, and two of them may need the same device.
    """
    with _PARENTS:
        try:
            run(in_namespace(netns, ["ip", "link", "show", parent]))
        except HostCommandFailed:
            peer = f"{parent}p"
            run(in_namespace(netns, ["ip", "link", "add", parent, "type", "veth", "peer", "name", peer]))
            for link in (parent, peer):
                run(in_namespace(netns, ["ip", "link", "set", link, "up"]))
