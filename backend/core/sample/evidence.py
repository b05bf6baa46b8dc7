"""Compares an observation with a path's signature: proven, not proven or contradicted.

One signal that disagrees contradicts a path. It is proven when none disagrees and the decisive ones
agree: the bytes on every device that should carry them (for a Unix socket, its connections), the
address that the client connected to, the server's peer address, and both network namespaces;
and two more. Without any one of the decisive signals another path could be mistaken for this one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from backend.core.sample import evidence_names as names
from backend.core.sample.evidence_signals import signals_of
from backend.core.sample.observation import Observation
from backend.core.sample.record import Evidence, EvidenceVerdict, Signal
from backend.core.topology.model import PathDefinition, Signature

NEEDED = 2
"""The number of signals that must agree besides the decisive ones."""


def judge(
    path: PathDefinition, userland_proxy: bool, seen: Observation, further: tuple[Signal, ...] = ()
) -> Evidence:
    """The evidence for one trial: every signal with its figures, and the verdict.

    `further` are signals of the client host, each of them decisive. A path that is unreachable with this
    setting is contradicted by any observation.
    """
    route = path.route(userland_proxy)
    if route is None:
        sentence = f"Not the path {path.title}: {path.unreachable}."
        return Evidence(path=path.name, hops=(), verdict="contradicted", sentence=sentence, signals=())
    signals = (*signals_of(path, route.signature, seen), *further)
    decisive = frozenset((*_decisive(route.signature), *(signal.name for signal in further)))
    verdict = _verdict(path, route.signature, decisive, signals)
    return Evidence(
        path=path.name,
        hops=path.hops(userland_proxy),
        verdict=verdict,
        sentence=_sentence(path.title, verdict, signals, decisive),
        signals=signals,
    )


def _decisive(expected: Signature) -> Iterator[str]:
    """Names of the signals without which nothing is proven."""
    yield from (names.NAMESPACE, names.CLIENT, names.SERVER, names.LINK, names.PEER, names.DESTINATION)
    for device in expected.carries:
        yield names.of_device(device)
    if expected.socket:
        yield names.SOCKET


def _verdict(
    path: PathDefinition, expected: Signature, decisive: Collection[str], signals: tuple[Signal, ...]
) -> EvidenceVerdict:
    if any(signal.state == "disagrees" for signal in signals):
        return "contradicted"
    sure = {signal.name for signal in signals if signal.state == "agrees"}
    if not sure.issuperset(decisive) or len(sure.difference(decisive)) < NEEDED:
        return "not_proven"
    # A reverse proxy with kept connections shows no new one to DNAT: then its own sockets are the evidence.
    if path.reverse_proxy is not None and expected.dnat and sure.isdisjoint((names.DNAT, names.UPSTREAM)):
        return "not_proven"
    return "proven"


def _sentence(
    path: str, verdict: EvidenceVerdict, signals: tuple[Signal, ...], decisive: Collection[str]
) -> str:
    against = [s for s in signals if s.state == "disagrees"]
    agreeing = sum(s.state == "agrees" for s in signals)
    if verdict == "contradicted":
        first = against[0]
        return f"Not the path {path}: {first.name} should be {first.expected}, and was {first.observed}."
    if verdict == "not_proven":
        lacking = [s for s in signals if s.state == "unknown" and s.name in decisive]
        why = f"; {lacking[0].name}: {lacking[0].observed}" if lacking else ""
        return (
            f"{path} is not proven: only {agreeing} of {len(signals)} signals could be read and agree{why}."
        )
    return f"{path} is proven: {agreeing} of {len(signals)} signals agree, none disagrees."
