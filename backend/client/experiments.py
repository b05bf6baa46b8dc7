"""One experiment of a server, and its starts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from urllib.parse import quote
from uuid import uuid4

from .groups import GroupHandle
from .models import ExperimentResource
from .runs import RunHandle
from .schedules import ScheduleHandle
from .transport import Transport


class ExperimentHandle:
    """A stored experiment."""

    def __init__(self, transport: Transport, resource: ExperimentResource) -> None:
        self.id = resource.id
        self.resource = resource
        self._transport = transport

    def __repr__(self) -> str:
        return f"<experiment {self.id} of {self._transport.url}>"

    def start(self, host: str | None = None, *, client_host: str | None = None) -> RunHandle:
        """Queue a run on a host, which may be left out if there is only one.

        `client_host` is another host, which runs the clients of published_remote, host_network_remote and
        overlay.
        Repeated with the same Idempotency-Key if no answer comes, so that it queues one run.
        """
        named = {"host": host, "client_host": client_host}
        body = {name: value for name, value in named.items() if value is not None}
        return RunHandle(self._transport, self._post("runs", body))

    def start_on(
        self, hosts: Sequence[str] = (), *, label: str | None = None, client_host: str | None = None
    ) -> GroupHandle:
        """Queue a run on each of these hosts, or on each host with a label: all of them or none.

        `client_host` is another host, which runs the clients of the remote paths of every run. Repeated with
        the same Idempotency-Key if no answer comes, so that it queues one group.
        """
        body: dict[str, Any] = {} if not hosts else {"hosts": list(hosts)}
        if label is not None:
            body["host_label"] = label
        if client_host is not None:
            body["client_host"] = client_host
        return GroupHandle(self._transport, self._post("run-groups", body))

    def schedule(
        self,
        cron: str,
        time_zone: str = "UTC",
        hosts: Sequence[str] = (),
        *,
        label: str | None = None,
        client_host: str | None = None,
    ) -> ScheduleHandle:
        """Start it again at the times of a cron expression, on these hosts or on those with a label."""
        named = {"hosts": list(hosts) or None, "host_label": label, "client_host": client_host}
        body: dict[str, Any] = {"cron": cron, "time_zone": time_zone}
        body |= {name: value for name, value in named.items() if value is not None}
        created = self._transport.post(f"/experiments/{quote(self.id, safe='')}/schedules", body)
        return ScheduleHandle(self._transport, created["id"])

    def _post(self, kind: str, body: dict[str, Any]) -> str:
        path = f"/experiments/{quote(self.id, safe='')}/{kind}"
        started: str = self._transport.post(path, body, key=uuid4().hex)["id"]
        return started
