"""What the server's network device is attached to, read from `ip -d -j link`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from backend.core.errors import HostCommandFailed
from backend.core.topology.model import Link
from worker.host.commands import in_namespace, run
from worker.sample.probe_targets import ProbeTargets

Links = Sequence[dict[str, Any]]
KINDS = ("veth", "macvlan", "ipvlan")
IPVLAN = {"l2": Link.IPVLAN_L2, "l3": Link.IPVLAN_L3, "l3s": Link.IPVLAN_L3}


def link_of_server(targets: ProbeTargets) -> Link | None:
    """The attachment of the server's device (about 10 ms to read); None where it is unknown."""
    if targets.server_in_engine:
        return Link.NONE
    try:
        server = links_in(f"/proc/{targets.server_pid}/ns/net")
        engine = links_in(targets.engine_netns)
        overlay = [] if targets.overlay_netns is None else links_in(targets.overlay_netns)
    except (HostCommandFailed, ValueError):
        return None
    bridges = {
        targets.user_bridge: Link.USER_BRIDGE,
        targets.default_bridge: Link.DEFAULT_BRIDGE,
        targets.routed_bridge: Link.ROUTED_BRIDGE,
    }
    return classify(server, engine, overlay, bridges)


def links_in(netns: str | Path) -> Links:
    """Every device of a network namespace with its details."""
    found: Links = json.loads(run(in_namespace(netns, ["ip", "-d", "-j", "link"]), timeout_s=10.0))
    return found


def classify(server: Links, engine: Links, overlay: Links, bridges: dict[str, Link]) -> Link | None:
    """What the server is attached to. A container on an overlay has a second veth, on docker_gwbridge."""
    found = {_of(link, engine, overlay, bridges) for link in server if _kind(link) in KINDS}
    for link in (Link.OVERLAY, *(link for link in Link if link is not Link.OVERLAY)):
        if link in found:
            return link
    return None if found else Link.NO_NETWORK


def _of(link: dict[str, Any], engine: Links, overlay: Links, bridges: dict[str, Link]) -> Link | None:
    kind = _kind(link)
    if kind == "macvlan":
        return Link.MACVLAN
    if kind == "ipvlan":
        return IPVLAN.get(str(link["linkinfo"].get("info_data", {}).get("mode", "")).lower())
    # First: each namespace counts indexes of its own, and another veth of the engine's may have the same two.
    if _other_end(link, overlay) is not None and any(_kind(other) == "vxlan" for other in overlay):
        return Link.OVERLAY
    if (peer := _other_end(link, engine)) is not None:
        return bridges.get(peer["master"]) if "master" in peer else None
    return None


def _kind(link: dict[str, Any]) -> str:
    return str(link.get("linkinfo", {}).get("info_kind", ""))


def _other_end(link: dict[str, Any], others: Links) -> dict[str, Any] | None:
    """The peer of a veth. Both ends keep the interface indexes of the engine's namespace."""
    for other in others:
        if (
            _kind(other) == "veth"
            and other.get("ifindex") == link.get("link_index")
            and other.get("link_index") == link.get("ifindex")
        ):
            return other
    return None
