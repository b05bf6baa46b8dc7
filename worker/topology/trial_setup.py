"""Everything that one cell is measured with: server, reverse proxy, client, CPU meters, path probe."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from backend.core.definition.catalog import PROXY_PROGRAM
from backend.core.definition.factors import Level
from backend.core.sample.observation import Addresses
from backend.core.topology.model import PathDefinition, Relay
from backend.core.workload.target import Target
from worker.engine.names import HOST_LINK, USER_BRIDGE
from worker.engine.programs import running_program_digest
from worker.host.environment import trial_environment
from worker.host.processes import cpu_ns, docker_proxies
from worker.sample.cgroup import AbsentGroup, ClientGroup, Hierarchy, pids_in
from worker.sample.noise import NoiseMeter, NoiseSources
from worker.sample.outside import OutsideMeter
from worker.sample.path_probe import PathProbe
from worker.sample.probe_targets import ProbeTargets
from worker.sample.processes import ProcessMeter
from worker.sample.roles import RoleMeters
from worker.topology.clients import ClientLocation
from worker.topology.deployment import Deployment
from worker.topology.networks import ROUTED_BRIDGE
from worker.topology.reverse_proxy import ReverseProxy

DEFAULT_BRIDGE: Final = "docker0"


@dataclass(frozen=True)
class OtherEnd:
    """The client host of a trial: its address, and this host's device on the route to it."""

    address: str
    device: str


class TrialSetup:
    """The parts that one trial is measured with. Created for each trial; running parts are shared.

    `client` is None where the client runs on another host, of which `other_end` is known then.
    """

    def __init__(
        self,
        path: PathDefinition,
        deployment: Deployment,
        client: ClientLocation | None,
        target: Target,
        reverse_proxies: Iterable[ReverseProxy],
        reverse_proxy: ReverseProxy | None,
        client_group: ClientGroup | AbsentGroup,
        hierarchy: Hierarchy,
        remote_pid: int | None,
        other_end: OtherEnd | None = None,
    ) -> None:
        self.path = path
        self.deployment = deployment
        self._client = client
        self._other_end = other_end
        self.target = target
        self.client_group = client_group
        self.hierarchy = hierarchy
        # Of the programs of one kind only the path's own is watched; others of that kind are idle.
        self._reverse_proxies = tuple(
            other
            for other in reverse_proxies
            if reverse_proxy is None or other is reverse_proxy or other.relay is not reverse_proxy.relay
        )
        self._reverse_proxy = reverse_proxy
        handle = deployment.handle
        published = deployment.published
        self._proxies = docker_proxies(handle.pid, published) if published else []
        self.meters = RoleMeters(
            hierarchy,
            client_group.meter,
            deployment.meter,
            self._proxies,
            None if reverse_proxy is None else reverse_proxy.meter,
        )
        self.processes = ProcessMeter(
            {
                "client": lambda: pids_in(hierarchy, client_group.group),
                "server": lambda: pids_in(hierarchy, deployment.group),
                "proxy": lambda: (*self._proxies, *(reverse_proxy.pids() if reverse_proxy else ())),
            }
        )
        targets = self._targets(remote_pid)
        self.probe = PathProbe(
            targets,
            self._relay_pids(),
            reverse_proxy.pids() if reverse_proxy else (),
            deployment.link(targets),
        )

    def reached_from(self, address: str) -> None:
        """Set the address from which the client host connects, by its own route."""
        if self._other_end is None:
            raise RuntimeError("the client of this trial runs on this host")
        self._other_end = replace(self._other_end, address=address)

    @property
    def client(self) -> ClientLocation:
        """Where the client runs, on this host."""
        if self._client is None:
            raise RuntimeError("the client of this trial runs on another host")
        return self._client

    def _targets(self, remote_pid: int | None) -> ProbeTargets:
        deployment = self.deployment
        handle = deployment.handle
        return ProbeTargets(
            engine_netns=str(handle.netns),
            engine_pid=handle.pid,
            server_pid=deployment.server.pid,
            port=deployment.listen.port,
            published=deployment.published,
            socket=deployment.socket_file,
            user_bridge=USER_BRIDGE,
            default_bridge=DEFAULT_BRIDGE,
            routed_bridge=ROUTED_BRIDGE,
            lan=self._link_device(),
            remote_pid=remote_pid,
            overlay_netns=deployment.overlay_netns,
        )

    def _link_device(self) -> str:
        """The device to other hosts; none for the host's own daemon where no other host takes part."""
        if self._other_end is not None:
            return self._other_end.device
        return "" if self.deployment.handle.key == "host" else HOST_LINK

    def _relay_pids(self) -> dict[Relay, tuple[int, ...]]:
        found: dict[Relay, tuple[int, ...]] = {}
        if self._proxies:
            found[Relay.DOCKER_PROXY] = tuple(self._proxies)
        for reverse_proxy in self._reverse_proxies:
            found[reverse_proxy.relay] = (*found.get(reverse_proxy.relay, ()), *reverse_proxy.pids())
        return found

    def relay_cpu(self) -> dict[Relay, int]:
        """CPU so far of every relaying program of this server, in nanoseconds."""
        found: dict[Relay, int] = {}
        if self._proxies:
            found[Relay.DOCKER_PROXY] = sum(cpu_ns(pid) or 0 for pid in self._proxies)
        for reverse_proxy in self._reverse_proxies:
            found[reverse_proxy.relay] = found.get(reverse_proxy.relay, 0) + reverse_proxy.meter.read_ns()
        return found

    def noise(self, client_pid: Callable[[], int | None]) -> NoiseMeter:
        """The noise readings of one trial; `client_pid` returns the pid of the client at its gate."""
        deployment = self.deployment
        groups = {"client": self.client_group.group, "server": deployment.group}
        if self._reverse_proxy is not None:
            groups["front"] = self._reverse_proxy.group
        sources = NoiseSources(
            client_pid=client_pid,
            server_pid=deployment.server.pid,
            engine_pid=deployment.handle.pid,
            groups=groups,
            service=deployment.service.name,
            postgres=deployment.statistics,
        )
        return NoiseMeter(sources, self.hierarchy, self.meters)

    def outside(self) -> OutsideMeter:
        """The readings of the host outside client, server and proxy."""
        return OutsideMeter(self.meters, self.deployment.handle.pid, self.hierarchy.version)

    def addresses(self) -> Addresses:
        """The addresses that either end of a connection may have."""
        server = self.deployment.server
        return Addresses(
            gateway=server.gateway or "",
            host=self.deployment.handle.address,
            client=self._client_address(),
            server=server.address,
        )

    def _client_address(self) -> str | None:
        if self._other_end is not None:
            return self._other_end.address
        own = self.client.container.address
        return own or (None if self.client.handle is self.deployment.handle else self.client.handle.address)

    def versions(self, tools: Mapping[str, str]) -> dict[str, str]:
        """Versions of kernel, engine, image and tools now, as stored in the record."""
        engine = dict(self.deployment.handle.versions) | self._docker_proxy()
        return engine | trial_environment() | dict(tools)

    def _docker_proxy(self) -> dict[str, str]:
        """The program that relays: Debian may rebuild it without another version of Docker."""
        if not self._proxies or self.deployment.spec.engine.program != PROXY_PROGRAM:
            return {}
        digest = running_program_digest(self._proxies[0])
        return {} if digest is None else {"docker-proxy": f"sha256:{digest}"}

    def close(self) -> None:
        """Close what this setup alone has opened."""
        self.meters.close()
        self.processes.close()


def cpuset_of(levels: Mapping[str, Level]) -> str:
    """The CPUs that the cell's client is bound to; empty: any."""
    return str(levels.get("client_cpuset", ""))
