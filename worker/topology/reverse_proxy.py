"""A reverse proxy in front of a server, kept between trials like the server itself."""

from __future__ import annotations

import logging
import time
from contextlib import ExitStack

from backend.core.errors import TrialFailed
from backend.core.topology.deployment import ReverseProxySpec
from backend.core.topology.model import Relay, ReverseProxyKind
from backend.core.workload.reverse_proxies import REVERSE_PROXIES
from backend.core.workload.target import Target
from worker.engine import templates
from worker.host.time_limits import limit
from worker.sample.cgroup import CpuMeter, Hierarchy, group_of, pids_in
from worker.topology.deployment import Deployment
from worker.workload.command import run_in
from worker.workload.hooks import NO_HOOKS, Hooks, raise_if_stopped

log = logging.getLogger(__name__)

READY_LIMIT_S = 20.0
RELAYS = {
    ReverseProxyKind.NGINX_STREAM: Relay.NGINX,
    ReverseProxyKind.NGINX_HTTP: Relay.NGINX,
    ReverseProxyKind.HAPROXY_TCP: Relay.HAPROXY,
    ReverseProxyKind.SOCAT: Relay.SOCAT,
}


class ReverseProxy:
    """A running reverse proxy that has relayed a request. For a bare server it also runs outside Docker.

    It owns its container from its creation on: whatever fails afterwards removes the container.
    """

    def __init__(
        self,
        deployment: Deployment,
        spec: ReverseProxySpec,
        image: str,
        port: int,
        upstream: Target,
        hierarchy: Hierarchy,
        hooks: Hooks = NO_HOOKS,
    ) -> None:
        self.spec = spec
        self.port = port
        self.relay = RELAYS[spec.kind]
        self.target = Target("127.0.0.1", port)
        self._engine = deployment.engine
        self._hierarchy = hierarchy
        volumes = templates.socket_volume(deployment.spec, deployment.listen.socket)
        command = REVERSE_PROXIES[spec.kind](spec, port, upstream)
        container = templates.reverse_proxy(image, spec, deployment.spec, command, volumes)
        self._opened = ExitStack()
        # After a removal that failed, `create` would return the old container, which has another port.
        self._engine.remove(container.name)
        self.container = self._engine.create(container)
        try:
            self.group = group_of(hierarchy, self.container.pid)
            self._await_reply(deployment, hooks)
            self.meter = CpuMeter(hierarchy, self.group)
            self._opened.callback(self.meter.close)
        except BaseException:
            self._undo()
            raise

    def pids(self) -> list[int]:
        """Its processes now."""
        return pids_in(self._hierarchy, self.group)

    def _undo(self) -> None:
        """Remove it after a failure; an error of the removal is logged, not raised."""
        try:
            self.remove()
        except Exception as error:  # of any kind; the next start removes the container by its name
            log.warning("%s could not be removed: %s", self.container.name, error)

    def remove(self) -> None:
        """Remove it; already gone is fine."""
        self._opened.close()
        self._engine.remove(self.container.name)

    def _await_reply(self, deployment: Deployment, hooks: Hooks) -> None:
        """Wait until a request through it, sent from its own container, is answered."""
        service = deployment.service
        request = service.ready(self.target)
        deadline = time.monotonic() + limit(READY_LIMIT_S)
        while True:
            code, output = run_in(self._engine, self.container, request, 5.0, hooks)
            if service.replied(code, output):
                return
            raise_if_stopped(hooks)
            if time.monotonic() > deadline:
                detail = output.strip()[-300:] or f"{request[0]} ended with code {code}"
                raise TrialFailed("front_not_ready", f"{self.spec.kind} does not relay requests: {detail}")
            time.sleep(0.05)  # each try is a request of its own; bounded by the deadline
