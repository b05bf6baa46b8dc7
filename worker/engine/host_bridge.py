"""Bridges of Plimsoll's engines in a host's own network.

An engine there has a default bridge of its own: with `--bridge=none`, dockerd deletes the device docker0 of
the host's own daemon (removeDefaultBridgeInterface, moby's daemon/daemon_unix.go).
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Final

from worker.host.commands import in_namespace, run
from worker.host.reaper import remove_host_link

OWN_NETWORK: Final = Path("/proc/self/ns/net")
DEFAULT_ADDRESS: Final = "198.18.254.1/28"
"""Of an engine's default bridge, on which nothing runs; without an address dockerd takes one of its pools."""


def host_device(key: str, purpose: str) -> str:
    """The name of an engine's device in a host's network: eleven characters, of at most fifteen."""
    return f"plm{hashlib.sha256(f'{key}/{purpose}'.encode()).hexdigest()[:8]}"


def make_default_bridge(device: str, netns: Path) -> None:
    """Make the default bridge of an engine; what is left of an earlier one is removed.

    Raises HostCommandFailed.
    """
    remove_host_link(device, str(netns))
    for argv in (
        ["ip", "link", "add", device, "type", "bridge"],
        ["ip", "address", "add", DEFAULT_ADDRESS, "dev", device],
        ["ip", "link", "set", device, "up"],
    ):
        run(in_namespace(netns, argv))
