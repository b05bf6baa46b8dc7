"""Lists hosts and chooses the host of a request."""

from __future__ import annotations

from dataclasses import asdict

from sqlalchemy.orm import Session

from backend.api.hosts.schemas import Capabilities, Host, HostChange, HostList, Missing
from backend.core.errors import Conflict, Invalid
from backend.settings import Settings
from backend.store.repositories import hosts
from backend.store.repositories.hosts import KnownHost
from backend.store.session import session_scope


def list_all(settings: Settings) -> HostList:
    """All hosts, by name."""
    with session_scope(settings) as session:
        known = hosts.list_all(session)
    return HostList(data=tuple(_host(host) for host in known))


def change(settings: Settings, name: str, change_: HostChange) -> Host:
    """Open a host to plans that use its network, or close it. Raises NotFound."""
    with session_scope(settings) as session:
        hosts.set_host_network(session, name, change_.host_network)
        return next(_host(host) for host in hosts.list_all(session) if host.name == name)


def _host(host: KnownHost) -> Host:
    capabilities = Capabilities.model_validate(host.capabilities)
    cannot = tuple(_missing(key, reason) for key, reason in sorted(capabilities.reasons.items()))
    return Host.model_validate(asdict(host) | {"capabilities": capabilities, "cannot": cannot})


def _missing(key: str, reason: str) -> Missing:
    """A missing capability from its key, such as "path.NAME", "path.NAME.off" or "engine.NAME"."""
    kind, _, rest = key.partition(".")
    name, _, setting = rest.partition(".")
    return Missing(kind=kind, name=name, setting=setting or None, reason=reason)


def choose(session: Session, name: str | None) -> KnownHost:
    """The host of this name; without a name, the only host.

    Raises Invalid at /host with the names of the known hosts, and Conflict if there is no host.
    """
    known = hosts.list_all(session)
    if not known:
        raise Conflict("no host is known yet: start a worker on the Docker host to be measured")
    names = ", ".join(host.name for host in known)
    if name is None:
        if len(known) > 1:
            raise Invalid.at("/host", "missing", f"several hosts are known, choose one of: {names}")
        return known[0]
    for host in known:
        if host.name == name:
            return host
    raise Invalid.at("/host", "unknown_host", f"unknown host; the known hosts are: {names}")
