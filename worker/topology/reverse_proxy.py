"""A program that stands in front of a server, kept between trials like the server itself."""

from __future__ import annotations

import logging
import time
from contextlib import ExitStack

from backend.core.errors import TrialFailed
from backend.core.topology.deployment import FrontSpec
from backend.core.topology.model import Front, Relay
from backend.core.workload.fronts import FRONTS
from backend.core.workload.target import Target
from worker.engine import templates
from worker.sample.cgroup import CpuMeter, Hierarchy, group_of, pids_in
from worker.topology.deployment import BARE, NO_HOOKS, Deployment, run_in, unless_stopped
from worker.workload.hooks import Hooks

log = logging.getLogger(__name__)

READY_LIMIT_S = 20.0
RELAYS = {
    Front.NGINX_STREAM: Relay.NGINX,
    Front.NGINX_HTTP: Relay.NGINX,
    Front.HAPROXY_TCP: Relay.HAPROXY,
    Front.SOCAT: Relay.SOCAT,
}


class ReverseProxy:
    """A running front that passes requests on. On a bare host it runs outside Docker as the server does.

    It owns its container from the moment that this was created: whatever fails after that removes it.
    """

    def __init__(
        self,
        deployment: Deployment,
        spec: FrontSpec,
        image: str,
        port: int,
        upstream: Target,
        hierarchy: Hierarchy,
        hooks: Hooks = NO_HOOKS,
    ) -> None:
        self.spec = spec
        self.port = port
        self.relay = RELAYS[spec.front]
        self.target = Target("127.0.0.1", port)
        handle = deployment.handle
        bare = deployment.spec.attachment in BARE
        self._engine = deployment.maker if bare else handle.engine
        self._hierarchy = hierarchy
        volumes = templates.socket_volume(deployment.spec, deployment.listen.socket)
        command = FRONTS[spec.front](spec, port, upstream)
        asked = templates.reverse_proxy(image, spec, deployment.spec, command, volumes)
        self._opened = ExitStack()
        # One of this name is left of a removal that failed, and has another port: `create` would answer it.
        self._engine.remove(asked.name)
        self.container = self._engine.create(asked)
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
        """Remove it after a failure, whose own error must not be lost to one of the removal."""
        try:
            self.remove()
        except Exception as error:  # whatever it is; the next start removes what has this name
            log.warning("%s could not be removed: %s", self.container.name, error)

    def remove(self) -> None:
        """Remove it; already gone is fine."""
        self._opened.close()
        self._engine.remove(self.container.name)

    def _await_reply(self, deployment: Deployment, hooks: Hooks) -> None:
        """Ready when a request through it is answered; asked from its own place."""
        service = deployment.service
        asked = service.ready(self.target)
        deadline = time.monotonic() + READY_LIMIT_S
        while True:
            code, output = run_in(self._engine, self.container, asked, 5.0, hooks)
            if service.replied(code, output):
                return
            unless_stopped(hooks)
            if time.monotonic() > deadline:
                detail = output.strip()[-300:] or f"{asked[0]} ended with code {code}"
                raise TrialFailed("front_not_ready", f"{self.spec.front} does not pass requests on: {detail}")
            time.sleep(0.05)  # each try is a request of its own; bounded by the deadline
