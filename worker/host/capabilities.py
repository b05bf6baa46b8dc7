"""What this host can run, found by trying it in a temporary network namespace.

The kernel's configuration is not used: it may not be readable, and a module may be missing. NEEDS lists what
a path needs; each missing capability becomes a reason, one sentence with a remedy.
"""

from __future__ import annotations

import contextlib
import os
import re
import stat
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from backend.core.definition.catalog import PATH_NAMES, PROXY_PROGRAM
from backend.core.errors import HostCommandFailed
from backend.core.plan.profiled import NO_PROFILE
from backend.core.topology.two_hosts import ABLE, TWO_HOST_PATHS
from worker.host import perf
from worker.host.commands import in_namespace, run
from worker.host.environment import memory_of_host
from worker.host.ledger import Entry, Ledger
from worker.host.reaper import remove_namespace

NEEDS: Final[Mapping[str, tuple[str, ...]]] = {
    "path.published_ipv6_loopback": ("ipv6_loopback",),
    "path.published_routed": ("gateway_mode_routed",),
    "path.published_hairpin.off": ("br_netfilter",),
    "path.overlay": ("vxlan",),
    "path.overlay_encrypted": ("vxlan", "esp"),
    "path.macvlan": ("macvlan",),
    "path.ipvlan_l2": ("ipvlan_l2",),
    "path.ipvlan_l3": ("ipvlan_l3",),
    "engine.swarm": ("vxlan",),
    "path.overlay.two_hosts": ("vxlan", "locked_port"),
}
"""Capabilities of paths and engines that a host may lack; "path.NAME.off": with userland-proxy off,
"path.NAME.two_hosts": between two hosts."""

ENGINES: Final = ("on", "off", "swarm", "host")
"""Lab engines by their userland-proxy, the lab's swarm, the host's own."""
ROUTED_SINCE = 27
"""The first engine version with gateway mode `routed` (libnetwork's bridge labels)."""
PARENT = "probe0"
REMEDIES: Final[Mapping[str, str]] = {
    "macvlan": "use a kernel with CONFIG_MACVLAN",
    "ipvlan_l2": "use a kernel with CONFIG_IPVLAN",
    "ipvlan_l3": "use a kernel with CONFIG_IPVLAN",
    "vxlan": "use a kernel with CONFIG_VXLAN",
    "locked_port": "use a kernel and iproute2 of version 5.18 or later",
    "esp": "use a kernel with CONFIG_INET_ESP and CONFIG_CRYPTO_GCM",
    "ipv6_loopback": "turn IPv6 on (CONFIG_IPV6, and not ipv6.disable=1 at boot)",
    "br_netfilter": "use a kernel with CONFIG_BRIDGE_NETFILTER, or load the module br_netfilter",
    "gateway_mode_routed": f"install Docker Engine {ROUTED_SINCE} or later",
}
LINKS: Final[Mapping[str, tuple[str, ...]]] = {
    "macvlan": ("link", PARENT, "type", "macvlan", "mode", "bridge"),
    "ipvlan_l2": ("link", PARENT, "type", "ipvlan", "mode", "l2"),
    "ipvlan_l3": ("link", PARENT, "type", "ipvlan", "mode", "l3"),
    "vxlan": ("type", "vxlan", "id", "42", "dstport", "4789", "local", "127.0.0.1"),
}
"""Arguments of `ip link add NAME` for each kind of device that is tried."""
# The kernel call of Docker's encrypted overlays (libnetwork, overlay/encryption.go).
ESP = (
    *("xfrm", "state", "add", "src", "198.18.1.3", "dst", "198.18.1.4", "proto", "esp", "spi", "0x1"),
    *("mode", "transport", "aead", "rfc4106(gcm(aes))", "0x" + "01" * 20, "64"),
)


@dataclass(frozen=True)
class HostState:
    """The state of the host's own daemon: why it cannot be used (empty: it can), and its setting."""

    reason: str = ""
    userland_proxy: bool | None = None


@dataclass(frozen=True)
class ProbeInput:
    """The input of `probe`: installation, ledger, registered programs, the host daemon's state."""

    install_id: str
    ledger: Ledger
    programs: Mapping[str, Path] = field(default_factory=dict)
    host: HostState = field(default_factory=lambda: HostState("the host's own Docker was not checked"))
    max_scale: int = 0


def probe(given: ProbeInput) -> dict[str, Any]:
    """What this host can run, as plans read it and as JSON; takes under a second and leaves nothing.

    `engines` (those of ENGINES), `programs`, `paths` and `two_host_paths` can be used; `reasons` gives the
    reason for each of the others, by "engine.…", "program.…" and "path.…". `memory_bytes` is the host's
    memory; `memory_mb` the same in 2^20 bytes, for older readers. `no_profile` is why no CPU profile can be
    taken.
    """
    missing = _missing(given)
    reasons = reasons_for(missing)
    for name, program in given.programs.items():
        if reason := unusable_program(program):
            reasons[f"program.{name}"] = f"the proxy program {name} {reason}"
    if given.host.reason:
        reasons["engine.host"] = given.host.reason
    return {
        "engines": _without(ENGINES, "engine", reasons),
        "programs": _without((PROXY_PROGRAM, *given.programs), "program", reasons),
        "paths": _without(PATH_NAMES, "path", reasons),
        ABLE: [path for path in TWO_HOST_PATHS if f"path.{path}.two_hosts" not in reasons],
        "reasons": reasons,
        "host_userland_proxy": given.host.userland_proxy,
        "br_netfilter": "br_netfilter" not in missing,
        NO_PROFILE: perf.why_not(),
        "max_scale": given.max_scale,
        "cores": os.cpu_count() or 1,
        "memory_bytes": memory_of_host(),
        "memory_mb": memory_of_host() // 2**20,
    }


def reasons_for(missing: Mapping[str, str]) -> dict[str, str]:
    """The reasons by path and engine; `missing` maps a capability to what was observed."""
    return {
        thing: "; ".join(f"{missing[need]}; {REMEDIES[need]}" for need in needs if need in missing)
        for thing, needs in NEEDS.items()
        if any(need in missing for need in needs)
    }


def unusable_program(program: Path) -> str:
    """Why dockerd must not start this program for a published port; empty where it may.

    dockerd starts it as root, so only root may be able to change it.
    """
    if not program.is_absolute():
        return f"is registered as {program}: use its absolute path"
    if not program.is_file():
        return f"does not exist: no file {program}"
    if not os.access(program, os.X_OK):
        return f"cannot be executed: chmod +x {program}"
    state = program.stat()
    if state.st_uid != 0 or state.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        return f"can be changed by users other than root: chown root {program} and chmod go-w {program}"
    return ""


def engine_version(output: str) -> tuple[int, ...]:
    """The version in the output of `dockerd --version`; empty where there is none."""
    found = re.search(r"version (\d+)\.(\d+)\.(\d+)", output)
    return tuple(map(int, found.groups())) if found else ()


def _missing(given: ProbeInput) -> dict[str, str]:
    """Every capability that this host lacks, with what was observed when it was tried."""
    missing = _missing_in_engine()
    netns = f"plm{given.install_id}-probe"
    entry = Entry("netns", netns)
    remove_namespace(netns)
    given.ledger.making(entry)
    try:
        run(["ip", "netns", "add", netns])
        run(["ip", "-n", netns, "link", "set", "lo", "up"])
        run(["ip", "-n", netns, "link", "add", PARENT, "type", "veth", "peer", "name", "probe1"])
        for name, arguments in LINKS.items():
            tried = _try(["ip", "-n", netns, "link", "add", "tried0", *arguments])
            if tried:
                missing[name] = f"the kernel has no {name.replace('_', ' ')} devices ({tried})"
            else:
                run(["ip", "-n", netns, "link", "delete", "tried0"])
        if tried := _unlocked(netns):
            missing["locked_port"] = f"a bridge's ports cannot be locked ({tried})"
        if tried := _try(["ip", "-n", netns, *ESP]):
            missing["esp"] = f"the kernel rejects an ESP key for AES-GCM ({tried})"
        if tried := _try(["ip", "-n", netns, "-6", "route", "get", "::1"]):
            missing["ipv6_loopback"] = f"a network namespace has no [::1] ({tried})"
        if _try(in_namespace(netns, ["cat", "/proc/sys/net/bridge/bridge-nf-call-iptables"])) and _try(
            ["modprobe", "--dry-run", "br_netfilter"]  # dockerd loads the module when it needs it
        ):
            missing["br_netfilter"] = "the kernel cannot pass bridged packets to iptables (no br_netfilter)"
    finally:
        remove_namespace(netns)
        given.ledger.gone(entry)
    return missing


def _unlocked(netns: str) -> str:
    """Why a port of a bridge lets in every hardware address; older kernels ignore the setting silently."""
    port = (["link", "add", "tried0", "type", "bridge"], ["link", "set", PARENT, "master", "tried0"])
    lock = ["bridge", "-n", netns, "link", "set", "dev", PARENT, "locked", "on"]
    for argv in (*(["ip", "-n", netns, *one] for one in port), lock):
        if tried := _try(argv):
            return tried
    with contextlib.suppress(HostCommandFailed):
        if "locked on" in run(["bridge", "-n", netns, "-d", "link", "show", "dev", PARENT]):
            return ""
    return "the setting is ignored"


def _missing_in_engine() -> dict[str, str]:
    try:
        output = run(["dockerd", "--version"])
    except HostCommandFailed as error:
        return {"gateway_mode_routed": f"the engine's version is unknown ({error})"}
    version = engine_version(output)
    if version < (ROUTED_SINCE,):
        shown = ".".join(map(str, version)) or "of an unknown version"
        return {"gateway_mode_routed": f"Docker Engine {shown} has no gateway mode routed"}
    return {}


def _try(argv: list[str]) -> str:
    """The error of a tool; empty where it succeeds."""
    try:
        run(argv, timeout_s=5.0)
    except HostCommandFailed as error:
        return str(error).rpartition(": ")[2].removesuffix(".").strip() or "refused"
    return ""


def _without(names: Iterable[str], kind: str, reasons: Mapping[str, str]) -> list[str]:
    return [name for name in names if f"{kind}.{name}" not in reasons]
