"""A node of a swarm over two hosts: a daemon of Plimsoll in a host's own network (docs/decisions/0049).

It opens SWARM_PORTS there from the moment at which it joins or begins a swarm until it stops. The host's own
daemon, its firewall rules and settings stay as they are.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from backend.core.errors import EngineUnavailable, TrialFailed
from backend.core.topology.two_hosts import NAMED_PORTS, SWARM_PORTS
from worker.engine import swarm
from worker.engine.docker_engine import DockerEngine
from worker.engine.lab import LabEngine, LabSettings
from worker.engine.names import EngineNames
from worker.engine.swarm import Invitation
from worker.host.commands import in_namespace, run
from worker.host.ledger import Entry, Ledger

BRIDGE_SUBNET: Final = "198.18.255.0/24"
"""Of the node's gateway bridge, which carries nothing: overlays are internal."""
PORTS_TAKEN: Final = "ports_taken"
NO_SWARM: Final = "no_swarm"


class LinkedEngine(LabEngine):
    """One node. `start`, then `begin`; `stop` leaves the swarm and undoes everything."""

    def __init__(self, names: EngineNames, ledger: Ledger, address: str, host_netns: Path) -> None:
        """`address` is the host's own on the link to the other one, in the network namespace `host_netns`."""
        super().__init__(names, ledger, LabSettings(True, address=address, host_netns=host_netns), None)

    def start(self) -> DockerEngine:
        """As of a lab engine; in no swarm yet. Raises TrialFailed where another program has its ports."""
        if taken := taken_ports(run(in_namespace(self._host_netns, ["ss", "-Hlntu"]))):
            raise TrialFailed(
                PORTS_TAKEN,
                f"a swarm of two hosts needs {NAMED_PORTS} on this host's network, and {' and '.join(taken)} "
                "is in use there; stop the program that uses it (Docker: docker swarm leave), or start the "
                "run without a client host",
            )
        docker = super().start()
        try:
            state = self.names.data / "docker" / "swarm"
            self._making(Entry("folder", str(state)), lambda: shutil.rmtree(state, ignore_errors=True))
            self._make_in_host("gateway")
            swarm.make_gateway_bridge(self, self._device("gateway"), BRIDGE_SUBNET)
        except BaseException:
            self.stop()
            raise
        return docker

    def begin(self) -> Invitation:
        """Begin a swarm as its manager, unless it has; returns what the other host needs to join it.

        Raises TrialFailed with the ports that it needs.
        """
        with _forming(f"no swarm begins at {self.address}"):
            return swarm.begin(self)

    def stop(self) -> None:
        """Remove containers, leave the swarm, and undo the start; repeatable."""
        if self.docker is not None:
            self._remove_containers(self.docker)
            swarm.leave(self)
        super().stop()


@contextmanager
def _forming(doing: str) -> Iterator[None]:
    try:
        yield
    except EngineUnavailable as error:
        raise TrialFailed(
            NO_SWARM, f"{doing}: {error}; open {NAMED_PORTS} between the two hosts, and keep them free"
        ) from error


def taken_ports(sockets: str) -> list[str]:
    """`ss -Hlntu`: the ports of a swarm's node that a socket has, as "TCP 2377"."""
    found = set()
    for line in sockets.splitlines():
        fields = line.split()
        found.add((fields[0], fields[4].rpartition(":")[2]))
    return [f"{kind.upper()} {port}" for kind, port in SWARM_PORTS if (kind, str(port)) in found]
