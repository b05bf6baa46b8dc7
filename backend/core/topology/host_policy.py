"""What administrators of the installation let runs do on a host: which cells its policy forbids, and why.

The API asks before a run starts, the worker again before each trial.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Final, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StrictBool, StrictInt

from backend.core.definition.catalog import PROXY_PROGRAM
from backend.core.definition.factors import PROGRAM, Level
from backend.core.plan.model import Obstacle
from backend.core.topology.deployment import EngineSpec, engine_spec
from backend.core.topology.host_access import uses_host_network
from backend.core.topology.link_address import is_link_address
from backend.core.topology.opening_hours import OpeningHours
from backend.core.topology.two_hosts import VXLAN_PORT, is_between_hosts, is_overlay_between_hosts

PolicyEngine = Literal["on", "off", "swarm", "host"]
POLICY_ENGINES: Final[dict[PolicyEngine, str]] = {
    "on": "lab daemons with userland-proxy on",
    "off": "lab daemons with userland-proxy off",
    "swarm": "the swarm of two lab daemons",
    "host": "the host's own Docker daemon",
}
LONGEST_TRIAL_S: Final = 86_400
MAX_PROGRAMS: Final = 50
MAX_ADDRESSES: Final = 8
MAX_PARTNERS: Final = 32
ASK: Final = "or ask an administrator of the installation to change the host's policy"


ProgramName = Annotated[str, Field(max_length=64, pattern=PROGRAM)]
HostName = Annotated[str, Field(min_length=1, max_length=64)]


def _literal(address: str) -> str:
    if not is_link_address(address):
        raise ValueError("write an IPv4 address of the host on a link, such as 192.0.2.7")
    return address


LinkAddress = Annotated[str, Field(max_length=15), AfterValidator(_literal)]


class HostPolicy(BaseModel):
    """The policy of one host; null limits nothing.

    `engines` are the Docker daemons that runs may use, by the names of a host's capabilities. `host_network`:
    runs may use paths in the host's network and its own Docker daemon. `programs` are the registered proxy
    programs that they may use beside docker-proxy. A trial's warm-up and window take at most
    `longest_trial_s` seconds together. `hours` are the times in which trials may start. `addresses` are those
    of the host on its links to other hosts, beside the one from which its worker calls the server. `partners`
    are the hosts with which it may share trials, by name; null admits any for published_remote and
    host_network_remote, and none for overlay, for which each of the two hosts must name the other.
    """

    # A newer server's policy may have more fields: it does not send a worker what that one cannot decide.
    model_config = ConfigDict(extra="ignore", frozen=True)

    engines: Annotated[tuple[PolicyEngine, ...], Field(min_length=1, max_length=4)] | None = None
    host_network: StrictBool = True
    programs: Annotated[tuple[ProgramName, ...], Field(max_length=MAX_PROGRAMS)] | None = None
    longest_trial_s: Annotated[StrictInt, Field(ge=1, le=LONGEST_TRIAL_S)] | None = None
    hours: OpeningHours | None = None
    addresses: Annotated[tuple[LinkAddress, ...], Field(min_length=1, max_length=MAX_ADDRESSES)] | None = None
    partners: Annotated[tuple[HostName, ...], Field(max_length=MAX_PARTNERS)] | None = None


OPEN: Final = HostPolicy()
"""The policy that forbids nothing."""


def forbidden(levels: Mapping[str, Level], policy: HostPolicy) -> Obstacle | None:
    """Why a host's policy forbids a cell at any hour, or None."""
    spec = engine_spec(levels)
    key = policy_engine(spec)
    if policy.engines is not None and key not in policy.engines:
        factor = "userland_proxy" if spec.kind == "lab" else "path" if key == "swarm" else "engine"
        return _obstacle(factor, f"{POLICY_ENGINES[key]} may not be used; choose another level")
    if not policy.host_network and uses_host_network(levels):
        factor = "engine" if levels.get("engine") == "host" else "path"
        used = f", and overlay uses {VXLAN_PORT} there" if is_overlay_between_hosts(levels) else ""
        return _obstacle(
            factor, f"its network and its own Docker daemon are closed to runs{used}; leave the cell out"
        )
    program = str(levels.get("proxy_program", PROXY_PROGRAM))
    if policy.programs is not None and program != PROXY_PROGRAM and program not in policy.programs:
        allowed = ", ".join(dict.fromkeys((PROXY_PROGRAM, *policy.programs)))
        return _obstacle("proxy_program", f"{program} may not be used; use {allowed}")
    seconds = int(levels.get("duration_s", 0)) + int(levels.get("warm_up_s", 0))
    longest = policy.longest_trial_s
    if longest is not None and seconds > longest:
        detail = f"warm-up and window take {seconds} s, at most {longest} s are allowed; shorten duration_s"
        return _obstacle("duration_s", detail)
    return None


def not_partners(levels: Mapping[str, Level], policy: HostPolicy, other: str) -> Obstacle | None:
    """Why a host's policy forbids a cell whose client or server is on the host `other`, or None."""
    if not is_between_hosts(levels) or other in (policy.partners or ()):
        return None
    if policy.partners is None and not is_overlay_between_hosts(levels):
        return None
    path = str(levels["path"])
    detail = f"it does not name {other} as a partner (partners), as {path} between hosts needs"
    return _obstacle("path", detail)


def policy_engine(spec: EngineSpec) -> PolicyEngine:
    """The name in policies of a cell's engine."""
    if spec.kind == "lab":
        return "on" if spec.userland_proxy else "off"
    return spec.kind


def _obstacle(factor: str, what: str) -> Obstacle:
    return Obstacle(factor, "policy_forbids", f"the policy of this host: {what}, {ASK}")
