"""Words of evidence: namespaces, devices, links and addresses."""

from __future__ import annotations

from typing import Final

WORDS: Final = {
    "wordServer": "server",
    "wordEngine": "engine",
    "wordOwn": "own",
    "wordRemoteEngine": "remote engine",
    "wordRemoteOwn": "remote own",
    "wordServerContainer": "server container",
    "wordOtherContainer": "other container",
    "wordBare": "bare",
    "wordOwnDevices": "none, the host's own devices",
    "wordVethUser": "veth on a user-defined bridge",
    "wordVethDefault": "veth on the default bridge",
    "wordVethRouted": "veth on the routed bridge",
    "wordVethOverlay": "veth on an overlay with vxlan",
    "wordNoNetwork": "no network",
    "wordLoopback": "loopback",
    "wordLoopbackIpv6": "loopback ipv6",
    "wordContainer": "container",
    "wordGateway": "gateway",
    "wordSocket": "socket",
    "wordHost": "host",
    "wordClient": "client",
    "wordServerLoopback": "server's loopback",
    "wordEngineLoopback": "engine's loopback",
    "wordUserBridge": "user-defined bridge",
    "wordDefaultBridge": "default bridge",
}
