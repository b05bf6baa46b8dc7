"""Provision: the server and the clients' places in one engine, kept between trials.

One PostgreSQL server serves all paths of an engine; a scale is a database in it. Nothing is made
twice: each step looks before it acts, and what is made here is removed with the engine.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence

from backend.core.definition.factors import Level
from backend.core.errors import TrialFailed
from backend.core.sample.observation import Addresses
from backend.core.topology.model import Address, PathDefinition, Vantage
from backend.core.workload import pgbench
from worker.engine import templates
from worker.engine.names import BENCH_BRIDGE, BENCH_NETWORK, SERVER_PORT
from worker.engine.protocol import Container, Engine
from worker.measure.cgroup import ClientGroup, CpuMeter, Hierarchy, find_hierarchy, group_of
from worker.measure.process_clock import docker_proxies, sockets_of
from worker.measure.roles import RoleMeters
from worker.trial.command import Pump, bounded
from worker.trial.hooks import NoHooks

READY_LIMIT_S = 60.0
FILL_SECONDS_PER_SCALE = 5.0


class Deployment:
    """Everything that stands in one engine: server, clients, meters. Closed with the engine."""

    def __init__(
        self,
        engine: Engine,
        *,
        image: str,
        engine_pid: int,
        engine_cgroup: str,
        netns: str,
        host_address: str,
        userland_proxy: bool,
        versions: Mapping[str, str] | None = None,
    ) -> None:
        self.engine = engine
        self.engine_pid = engine_pid
        self.netns = netns
        self.host_address = host_address
        self.userland_proxy = userland_proxy
        self.hierarchy: Hierarchy = find_hierarchy()
        engine.ensure_network(BENCH_NETWORK, BENCH_BRIDGE)
        self.server = engine.create(templates.server(image))
        self.sibling = engine.create(templates.client(image, templates.SIBLING, BENCH_NETWORK))
        self.on_host = engine.create(templates.client(image, templates.ON_HOST, "host"))
        self._await_reply()
        self.tools = self._tool_versions()
        self.versions = dict(versions or {}) | self.tools
        self._filled: set[int] = set()
        self.client_group = ClientGroup(self.hierarchy, engine_cgroup)
        self._server_meter = CpuMeter(self.hierarchy, group_of(self.hierarchy, self.server.pid))
        self.idle_proxy_sockets = sockets_of(docker_proxies(engine_pid, SERVER_PORT))
        self.meters = RoleMeters(
            self.hierarchy,
            self.client_group.meter,
            self._server_meter,
            docker_proxies(engine_pid, SERVER_PORT),
        )

    def close(self) -> None:
        """Close the meters' files; the containers go with their engine."""
        self.meters.close()
        self._server_meter.close()
        self.client_group.meter.close()

    def run_in(self, container: Container, argv: Sequence[str], limit_s: float) -> tuple[int, str]:
        """Run a command to its end; exit code and all that it printed."""
        execution = self.engine.execute(container, bounded(argv, limit_s))
        pump = Pump(execution, argv, container.name, limit_s)
        execution.release()
        code = pump.run(NoHooks())
        return code, pump.text("stdout") + pump.text("stderr")

    def _await_reply(self) -> None:
        """A server is ready when it answers a query, not when its port is open."""
        deadline = time.monotonic() + READY_LIMIT_S
        asked = ("psql", "-h", "127.0.0.1", "-U", pgbench.USER, "-Atc", "select 1", "postgres")
        while (answer := self.run_in(self.server, asked, 5.0)) != (0, "1\n"):
            if time.monotonic() > deadline:
                raise TrialFailed(
                    "server_not_ready", f"PostgreSQL does not answer a query: {answer[1].strip()}"
                )
            time.sleep(0.05)  # each try is a query of its own; bounded by the deadline

    def ensure_database(self, scale: int) -> None:
        """Fill the tables of a scale, once. Raises TrialFailed with the tool's own words."""
        if scale in self._filled:
            return
        name = pgbench.database(scale)
        local = ("-h", "127.0.0.1", "-U", pgbench.USER)
        self.run_in(self.server, ("dropdb", *local, "--if-exists", name), 60.0)
        for argv, limit_s in (
            (("createdb", *local, name), 60.0),
            (pgbench.initialise(scale), 60.0 + FILL_SECONDS_PER_SCALE * scale),
            (
                ("psql", *local, "-qc", "vacuum (freeze, analyze)", name),
                60.0 + FILL_SECONDS_PER_SCALE * scale,
            ),
            (("psql", *local, "-qc", "checkpoint", name), 120.0),
        ):
            code, text = self.run_in(self.server, argv, limit_s)
            if code != 0:
                raise TrialFailed(
                    "provision_failed", f"{argv[0]} ended with code {code}: {text.strip()[-300:]}"
                )
        self._filled.add(scale)

    def client_of(self, path: PathDefinition) -> Container:
        """The container in whose namespaces the path's client runs."""
        return {
            Vantage.SERVER_CONTAINER: self.server,
            Vantage.SIBLING_CONTAINER: self.sibling,
            Vantage.DOCKER_HOST: self.on_host,
        }[path.vantage]

    def target_of(self, path: PathDefinition) -> pgbench.Target:
        """The literal address and port that the path's client connects to."""
        address = {
            Address.LOOPBACK: "127.0.0.1",
            Address.CONTAINER: self.server.address,
            Address.HOST: self.host_address,
        }[path.address]
        if address is None:
            raise TrialFailed("provision_failed", "the server's container has no address")
        return pgbench.Target(address, SERVER_PORT)

    def addresses(self) -> Addresses:
        """The addresses that the server may see as its peer."""
        return Addresses(
            gateway=self.server.gateway or "", host=self.host_address, client=self.sibling.address
        )

    def _tool_versions(self) -> dict[str, str]:
        """Versions of the tools inside the image, as they print them."""
        found = {}
        for name in ("postgres", "pgbench"):
            _, text = self.run_in(self.server, (name, "--version"), 10.0)
            found[name] = text.strip()
        return found


def argv_of(
    path: PathDefinition, deployment: Deployment, levels: Mapping[str, Level], seconds: int
) -> tuple[str, ...]:
    """The client's command line for one cell."""
    return pgbench.run(levels, deployment.target_of(path), seconds)
