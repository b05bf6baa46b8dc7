"""The services that can be measured: one file a service."""

from __future__ import annotations

from typing import Final

from backend.core.workload.services import flask, iperf3_server, pong, postgres
from backend.core.workload.services.model import Service

SERVICES: Final[dict[str, Service]] = {
    module.SERVICE.name: module.SERVICE for module in (postgres, pong, flask, iperf3_server)
}
