"""The engine, the server and the reverse proxy that a cell needs. Cells with equal values share them.

Several paths share one running server; only what the server itself needs (engine, attachment, limits,
storage, settings) makes another deployment.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from backend.core.definition.catalog import PROXY_PROGRAM
from backend.core.definition.factors import FACTORS, Level
from backend.core.topology.model import OVERLAYS, Attachment, ReverseProxyKind
from backend.core.topology.paths import PATHS


@dataclass(frozen=True)
class EngineSpec:
    """One engine: a lab engine with its fixed settings, a node of the lab's swarm, or the host's own."""

    kind: Literal["lab", "swarm", "host"]
    userland_proxy: bool
    program: str = PROXY_PROGRAM

    @property
    def key(self) -> str:
        """Short name, unique among the engines of one host: "on", "off", "on-NAME", or the kind."""
        if self.kind != "lab":
            return self.kind
        setting = "on" if self.userland_proxy else "off"
        return setting if self.program == PROXY_PROGRAM else f"{setting}-{self.program}"


@dataclass(frozen=True)
class ServerSpec:
    """One server: `settings` are the levels of every factor of scope `service` and `limits` but `service`.

    Of equal servers that run beside each other, each has a `replica` number of its own. `address` is the
    host's address on which another host reaches it; empty: the client is on the same host.
    """

    engine: EngineSpec
    attachment: Attachment
    service: str
    settings: tuple[tuple[str, Level], ...]
    replica: int = 0
    address: str = ""

    def setting(self, name: str) -> Level:
        """The level of one factor; its default where the cell has none."""
        return dict(self.settings).get(name, FACTORS[name].default)

    @property
    def key(self) -> str:
        """Twelve hexadecimal digits, equal for equal servers, the same in every process; "-r1": replica 1."""
        reached = (self.address,) if self.address else ()
        text = json.dumps([self.engine.key, self.attachment, self.service, self.settings, *reached])
        digits = hashlib.sha256(text.encode()).hexdigest()[:12]
        return f"{digits}-r{self.replica}" if self.replica else digits


@dataclass(frozen=True)
class ReverseProxySpec:
    """One reverse proxy: `settings` are the levels of every factor of scope `front`."""

    kind: ReverseProxyKind
    settings: tuple[tuple[str, Level], ...]

    def setting(self, name: str) -> Level:
        """The level of one factor; its default where the cell has none."""
        return dict(self.settings).get(name, FACTORS[name].default)

    @property
    def key(self) -> str:
        """Eight hexadecimal digits, equal for equal reverse proxies."""
        text = json.dumps([self.kind, self.settings])
        return hashlib.sha256(text.encode()).hexdigest()[:8]


def engine_spec(levels: Mapping[str, Level]) -> EngineSpec:
    """The engine that a cell needs."""
    on = bool(levels["userland_proxy"])
    attachment = PATHS[str(levels["path"])].attachment
    if levels.get("engine") == "host":
        return EngineSpec("host", on)
    if attachment in OVERLAYS:
        return EngineSpec("swarm", on)
    return EngineSpec("lab", on, str(levels.get("proxy_program", PROXY_PROGRAM)))


def server_spec(levels: Mapping[str, Level], replica: int = 0) -> ServerSpec:
    """The server that a cell needs; `replica` numbers equal servers (`plan.restarts.replica_of`)."""
    return ServerSpec(
        engine=engine_spec(levels),
        attachment=PATHS[str(levels["path"])].attachment,
        service=str(levels["service"]),
        settings=_of_scope(levels, "service", "limits"),
        replica=replica,
    )


def reverse_proxy_spec(levels: Mapping[str, Level]) -> ReverseProxySpec | None:
    """The reverse proxy of a cell's path, or None."""
    kind = PATHS[str(levels["path"])].reverse_proxy
    return None if kind is None else ReverseProxySpec(kind, _of_scope(levels, "front"))


def _of_scope(levels: Mapping[str, Level], *scopes: str) -> tuple[tuple[str, Level], ...]:
    return tuple(
        (name, level)
        for name, level in levels.items()
        if name in FACTORS and FACTORS[name].scope in scopes and name != "service"
    )
