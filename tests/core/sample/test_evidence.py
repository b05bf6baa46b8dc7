"""The judge: every path agrees with itself, and no path passes for another."""

from __future__ import annotations

from dataclasses import replace

import pytest

from backend.core.sample.evidence import judge
from backend.core.sample.observation import Addresses, Bytes, Observation
from backend.core.topology.model import Namespace, Peer
from backend.core.topology.paths import PATHS

ADDRESSES = Addresses(gateway="198.18.64.1", host="198.18.1.1", client="198.18.64.3")
WORKLOAD = 15_000_000
TRANSACTIONS = 60_000


def ideal(path: str, userland_proxy: bool) -> Observation:
    """What this route shows when it is really taken; sizes as live runs on 20.10 gave them."""
    signature = PATHS[path].route(userland_proxy).signature
    peer = {
        Peer.LOOPBACK: "127.0.0.1",
        Peer.GATEWAY: ADDRESSES.gateway,
        Peer.HOST: ADDRESSES.host,
        Peer.CLIENT: str(ADDRESSES.client),
    }[signature.peer]
    return Observation(
        namespace=signature.namespace,
        bytes=Bytes(
            engine_loopback=int(0.89 * WORKLOAD) if signature.engine_loopback else 0,
            bridge=int(0.94 * WORKLOAD) if signature.bridge else 900,
            server_loopback=WORKLOAD if signature.server_loopback else 0,
            server_veth=WORKLOAD if signature.server_veth else 120,
        ),
        addresses=ADDRESSES,
        peers={peer: 5},
        dnat_connections=6 if signature.dnat else 0,
        proxy_cpu_ns=2_500_000_000 if signature.docker_proxy else (40_000 if userland_proxy else None),
        proxy_sockets=10 if signature.docker_proxy else (0 if userland_proxy else None),
        clients=5,
        transactions=TRANSACTIONS,
        window_seconds=3.0,
    )


@pytest.mark.parametrize("userland_proxy", [True, False])
@pytest.mark.parametrize("taken", PATHS)
@pytest.mark.parametrize("label", PATHS)
def test_only_the_true_label_is_proven(label: str, taken: str, userland_proxy: bool) -> None:
    evidence = judge(PATHS[label], userland_proxy, ideal(taken, userland_proxy))
    same = PATHS[label].route(userland_proxy).signature == PATHS[taken].route(userland_proxy).signature
    if label == taken:
        assert evidence.verdict == "proven", evidence.sentence
    elif not same:
        assert evidence.verdict == "contradicted"
        assert any(signal.state == "disagrees" for signal in evidence.signals)


def test_with_the_proxy_off_both_published_addresses_are_one_data_path() -> None:
    """The kernel treats them alike, so the wire cannot tell them apart: only the command line can."""
    loopback = PATHS["published_loopback"].route(False)
    assert loopback.signature == PATHS["published_host_address"].route(False).signature


def test_a_proxy_where_none_should_be_contradicts() -> None:
    seen = replace(ideal("container_address", True), proxy_cpu_ns=900_000_000, proxy_sockets=10)
    evidence = judge(PATHS["container_address"], True, seen)
    assert evidence.verdict == "contradicted"
    assert {s.name for s in evidence.signals if s.state == "disagrees"} == {
        "CPU of docker-proxy",
        "connections through docker-proxy",
    }


def test_a_foreign_peer_contradicts() -> None:
    seen = replace(ideal("sibling_container", True), peers={"198.18.64.3": 5, "198.18.64.9": 1})
    assert judge(PATHS["sibling_container"], True, seen).verdict == "contradicted"


def test_too_little_to_see_is_not_proven() -> None:
    seen = replace(
        ideal("published_loopback", True),
        bytes=Bytes(engine_loopback=900, bridge=900, server_loopback=0, server_veth=1000),
    )
    assert judge(PATHS["published_loopback"], True, seen).verdict == "not_proven"


def test_no_peer_seen_is_not_proven() -> None:
    seen = replace(ideal("container_address", True), peers={})
    assert judge(PATHS["container_address"], True, seen).verdict == "not_proven"


def test_unreadable_rules_are_unknown_and_do_not_contradict() -> None:
    seen = replace(ideal("published_host_address", False), dnat_connections=None)
    evidence = judge(PATHS["published_host_address"], False, seen)
    assert evidence.verdict == "proven"
    assert [s.state for s in evidence.signals if s.name == "connections rewritten by DNAT"] == ["unknown"]


def test_the_sentence_carries_figures() -> None:
    seen = replace(ideal("published_loopback", True), proxy_cpu_ns=100_000)
    sentence = judge(PATHS["published_loopback"], True, seen).sentence
    assert "CPU of docker-proxy should be busy" in sentence
    assert "0.1 ms" in sentence


def test_namespace_alone_contradicts() -> None:
    seen = replace(ideal("same_container", True), namespace=Namespace.OWN)
    assert judge(PATHS["same_container"], True, seen).verdict == "contradicted"
