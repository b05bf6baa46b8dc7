"""Holding an observation against a path's signature: proven, not proven, or contradicted.

A path is proven when at least two independent signals that only this kind of path gives agree and
none disagrees; one that disagrees contradicts it. The other paths' signals must be near zero: a
device that should be silent may carry at most 1 % of the workload's bytes.
"""

from __future__ import annotations

from collections.abc import Iterator

from backend.core.sample.observation import Observation
from backend.core.sample.record import Evidence, EvidenceVerdict, Signal
from backend.core.topology.model import PathDefinition, Peer, Signature

CARRIES = 0.5
"""A device that should carry the workload must show at least this share of its bytes."""
SILENT = 0.01
"""A device that should be silent may show at most this share of them."""
LEAST_BYTES = 20_000
"""Below this the workload is too small to tell a path from noise."""
PROXY_IDLE_US_PER_TXN = 0.2
"""docker-proxy that relays spends over ten times this on each transaction; idle, far less."""
PROXY_IDLE_NS = 5_000_000
NEEDED = 2


def judge(path: PathDefinition, userland_proxy: bool, seen: Observation) -> Evidence:
    """The evidence for one trial: every signal with its figures, and what they add up to."""
    route = path.route(userland_proxy)
    signals = tuple(_signals(route.signature, seen))
    verdict = _verdict(signals)
    return Evidence(
        path=path.name,
        hops=path.hops(userland_proxy),
        verdict=verdict,
        sentence=_sentence(path.name, verdict, signals),
        signals=signals,
    )


def _verdict(signals: tuple[Signal, ...]) -> EvidenceVerdict:
    if any(signal.state == "disagrees" for signal in signals):
        return "contradicted"
    agreeing = sum(signal.state == "agrees" for signal in signals)
    decisive = {"bytes on the server's devices", "peer address"}
    sure = {signal.name for signal in signals if signal.state == "agrees"}
    return "proven" if agreeing >= NEEDED + len(decisive) and decisive <= sure else "not_proven"


def _sentence(path: str, verdict: EvidenceVerdict, signals: tuple[Signal, ...]) -> str:
    against = [s for s in signals if s.state == "disagrees"]
    agreeing = sum(s.state == "agrees" for s in signals)
    if verdict == "contradicted":
        first = against[0]
        return f"Not {path}: {first.name} should be {first.expected}, and was {first.observed}."
    if verdict == "not_proven":
        return f"{path} is not proven: only {agreeing} of {len(signals)} signals could be read and agree."
    return f"{path} is proven: {agreeing} of {len(signals)} signals agree, none disagrees."


def _signals(expected: Signature, seen: Observation) -> Iterator[Signal]:
    yield _namespace(expected, seen)
    yield _peer(expected, seen)
    yield _server_devices(expected, seen)
    yield _device(
        "bytes on the engine's loopback", expected.engine_loopback, seen.bytes.engine_loopback, seen
    )
    yield _device("bytes on the bridge device", expected.bridge, seen.bytes.bridge, seen)
    yield _dnat(expected, seen)
    yield _proxy_cpu(expected, seen)
    yield _proxy_sockets(expected, seen)


def _signal(name: str, expected: str, observed: str, agrees: bool | None) -> Signal:
    state = "unknown" if agrees is None else "agrees" if agrees else "disagrees"
    return Signal(name=name, expected=expected, observed=observed, state=state)


def _namespace(expected: Signature, seen: Observation) -> Signal:
    observed = seen.namespace.value if seen.namespace else "not readable"
    agrees = None if seen.namespace is None else seen.namespace is expected.namespace
    return _signal("client's network namespace", expected.namespace.value, observed, agrees)


def _peer(expected: Signature, seen: Observation) -> Signal:
    wanted = {
        Peer.LOOPBACK: "127.0.0.1",
        Peer.GATEWAY: seen.addresses.gateway,
        Peer.HOST: seen.addresses.host,
        Peer.CLIENT: seen.addresses.client,
    }[expected.peer]
    observed = (
        ", ".join(f"{address} × {n}" for address, n in sorted(seen.peers.items())) or "no connection seen"
    )
    others = set(seen.peers) - {wanted}
    agrees = None if not seen.peers or wanted is None else not others
    return _signal("peer address", f"{wanted} ({expected.peer.value})", observed, agrees)


def _workload_bytes(seen: Observation) -> int:
    return max(seen.bytes.server_loopback, seen.bytes.server_veth)


def _server_devices(expected: Signature, seen: Observation) -> Signal:
    """Loopback and veth of the server, as one signal: exactly the expected one carries the bytes."""
    name = "bytes on the server's devices"
    loopback, veth = seen.bytes.server_loopback, seen.bytes.server_veth
    observed = f"loopback {_size(loopback)}, veth {_size(veth)}"
    wanted = "loopback" if expected.server_loopback else "veth"
    total = _workload_bytes(seen)
    if total < LEAST_BYTES:
        return _signal(name, f"{wanted} only", observed, None)
    silent = veth if expected.server_loopback else loopback
    return _signal(name, f"{wanted} only", observed, silent <= SILENT * total)


def _device(name: str, carries: bool, count: int, seen: Observation) -> Signal:
    total = _workload_bytes(seen)
    share = count / total if total else 0.0
    observed = f"{_size(count)} ({share:.1%} of the server's)"
    if total < LEAST_BYTES:
        return _signal(name, "carries" if carries else "silent", observed, None)
    if carries:
        return _signal(name, f"at least {CARRIES:.0%}", observed, share >= CARRIES)
    return _signal(name, f"at most {SILENT:.0%}", observed, share <= SILENT)


def _dnat(expected: Signature, seen: Observation) -> Signal:
    name = "connections rewritten by DNAT"
    wanted = f"at least {seen.clients}" if expected.dnat else "0"
    if seen.dnat_connections is None:
        return _signal(name, wanted, "not readable", None)
    agrees = seen.dnat_connections >= seen.clients if expected.dnat else seen.dnat_connections == 0
    return _signal(name, wanted, str(seen.dnat_connections), agrees)


def _proxy_cpu(expected: Signature, seen: Observation) -> Signal:
    name = "CPU of docker-proxy"
    if seen.proxy_cpu_ns is None:
        return _signal(
            name, "busy" if expected.docker_proxy else "none", "no such process", not expected.docker_proxy
        )
    per_txn = seen.proxy_cpu_ns / 1000 / max(seen.transactions, 1)
    idle = seen.proxy_cpu_ns < PROXY_IDLE_NS or per_txn < PROXY_IDLE_US_PER_TXN
    observed = f"{seen.proxy_cpu_ns / 1e6:.1f} ms ({per_txn:.2f} µs a transaction)"
    return _signal(name, "busy" if expected.docker_proxy else "idle", observed, idle != expected.docker_proxy)


def _proxy_sockets(expected: Signature, seen: Observation) -> Signal:
    name = "connections through docker-proxy"
    wanted = str(seen.clients) if expected.docker_proxy else "0"
    if seen.proxy_sockets is None:
        return _signal(name, wanted, "not readable", None)
    connections = seen.proxy_sockets // 2
    agrees = connections >= seen.clients if expected.docker_proxy else connections == 0
    return _signal(name, wanted, str(connections), agrees)


def _size(count: int) -> str:
    for unit, factor in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if count >= factor:
            return f"{count / factor:.1f} {unit}"
    return f"{count} B"
