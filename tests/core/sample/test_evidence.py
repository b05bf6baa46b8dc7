"""The judge: what proves, what contradicts, and what is too little to tell."""

from __future__ import annotations

from dataclasses import replace

import pytest

from backend.core.sample import evidence_names as names
from backend.core.sample.evidence import judge
from backend.core.sample.evidence_signals import LINK_DEVICE
from backend.core.sample.observation import Observation
from backend.core.sample.record import Evidence
from backend.core.topology.model import Device, Namespace, Process, Relay
from backend.core.topology.paths import PATHS
from tests.core.sample.ideal import WORKLOAD, ideal


def seen_on(path: str, userland_proxy: bool, **changed: object) -> Observation:
    return replace(ideal(PATHS[path], userland_proxy), **changed)  # type: ignore[arg-type]


def judged(path: str, userland_proxy: bool, **changed: object) -> Evidence:
    return judge(PATHS[path], userland_proxy, seen_on(path, userland_proxy, **changed))


def state(evidence: Evidence, name: str) -> str:
    return next(signal.state for signal in evidence.signals if signal.name == name)


def against(evidence: Evidence) -> set[str]:
    return {signal.name for signal in evidence.signals if signal.state == "disagrees"}


def test_a_connection_that_ended_between_two_looks_contradicts_nothing() -> None:
    """One client that connects for each transaction: seen at the client, gone at docker-proxy."""
    found: dict[str, object] = {"relay_sockets": {Relay.DOCKER_PROXY: 0}, "connections": 1}
    evidence = judged("published_loopback", True, **found, short_lived=True)
    assert state(evidence, names.of_sockets(Relay.DOCKER_PROXY)) == "unknown"
    assert evidence.verdict == "proven"
    assert judged("published_loopback", True, **found).verdict == "contradicted"


def test_a_proxy_where_none_should_be_contradicts() -> None:
    evidence = judged(
        "container_address",
        True,
        relays={Relay.DOCKER_PROXY: 900_000_000},
        relay_sockets={Relay.DOCKER_PROXY: 10},
    )
    assert evidence.verdict == "contradicted"
    assert against(evidence) == {names.of_cpu(Relay.DOCKER_PROXY), names.of_sockets(Relay.DOCKER_PROXY)}


def test_a_front_that_is_not_expected_contradicts_and_an_idle_one_is_fine() -> None:
    busy = {Relay.DOCKER_PROXY: 0, Relay.HAPROXY: 900_000_000}
    assert against(judged("nginx_stream", True, relays=busy | {Relay.NGINX: 900_000_000})) == {
        names.of_cpu(Relay.HAPROXY)
    }
    idle = {Relay.DOCKER_PROXY: 0, Relay.HAPROXY: 90_000, Relay.NGINX: 900_000_000}
    assert judged("nginx_stream", True, relays=idle).verdict == "proven"


def test_a_relay_that_does_not_stand_contradicts_where_it_is_expected() -> None:
    evidence = judged("published_loopback", True, relays={}, relay_sockets={})
    assert against(evidence) == {names.of_cpu(Relay.DOCKER_PROXY)}


@pytest.mark.parametrize(
    ("changed", "name"),
    [
        ({"peers": {"198.18.64.3": 5, "198.18.64.9": 1}}, names.PEER),
        ({"destinations": {"198.18.64.2": 5, "127.0.0.1": 1}}, names.DESTINATION),
        ({"namespace": Namespace.SERVER}, names.NAMESPACE),
        ({"client": Process.SERVER_CONTAINER}, names.CLIENT),
        ({"server": Process.BARE}, names.SERVER),
        ({"dnat_connections": 1}, names.DNAT),
        ({"socket_connections": 1}, names.SOCKET),
    ],
)
def test_one_foreign_signal_alone_contradicts(changed: dict[str, object], name: str) -> None:
    evidence = judged("sibling_container", True, **changed)
    assert evidence.verdict == "contradicted"
    assert against(evidence) == {name}


@pytest.mark.parametrize("device", Device)
def test_bytes_on_a_device_that_should_be_silent_contradict(device: Device) -> None:
    expected = {Device.SERVER_LINK: WORKLOAD}
    found = {device: WORKLOAD // 10} | expected
    evidence = judged("sibling_container", True, bytes=found)
    assert against(evidence) == (set() if device is Device.SERVER_LINK else {names.of_device(device)})


def test_bytes_that_are_missing_where_they_should_pass_contradict() -> None:
    seen = dict(ideal(PATHS["overlay"], True).bytes) | {Device.VXLAN: NOISE_SHARE}
    assert against(judged("overlay", True, bytes=seen)) == {names.of_device(Device.VXLAN)}


NOISE_SHARE = WORKLOAD // 200


def test_wrapped_small_packets_still_count_as_carried() -> None:
    """VXLAN and ESP make three bytes out of one of a small packet; both legs of a front make two."""
    wrapped = {Device.SERVER_LINK: WORKLOAD, Device.VXLAN: WORKLOAD, Device.ESP: WORKLOAD * 2}
    assert judged("overlay_encrypted", True, bytes=wrapped | {LINK_DEVICE: WORKLOAD * 3}).verdict == "proven"


def test_too_little_to_see_is_not_proven() -> None:
    small = {Device.ENGINE_LOOPBACK: 900, Device.USER_BRIDGE: 900, Device.SERVER_LINK: 1000}
    evidence = judged("published_loopback", True, bytes=small)
    assert evidence.verdict == "not_proven"
    assert "bytes on the" in evidence.sentence


@pytest.mark.parametrize("unseen", ["peers", "destinations"])
def test_ends_that_were_not_seen_prove_nothing(unseen: str) -> None:
    evidence = judged("container_address", True, **{unseen: {}})
    assert evidence.verdict == "not_proven"
    assert "no connection seen" in evidence.sentence


def test_what_the_host_cannot_read_is_unknown_and_does_not_contradict() -> None:
    evidence = judged("published_host_address", False, dnat_connections=None)
    assert evidence.verdict == "proven"
    assert {s.name for s in evidence.signals if s.state == "unknown"} == {
        names.DNAT,
        names.of_sockets(Relay.DOCKER_PROXY),
    }
    assert judged("published_host_address", False, link=None).verdict == "not_proven"


@pytest.mark.parametrize("path", ["published_loopback", "sibling_container", "nginx_stream", "host_network"])
def test_short_lived_connections_still_prove(path: str) -> None:
    """ab without -k and pgbench -C: a sample catches one connection of five, hundreds pass in the window."""
    full = ideal(PATHS[path], False)
    evidence = judged(
        path,
        False,
        peers=dict.fromkeys(full.peers, 1),
        destinations=dict.fromkeys(full.destinations, 1),
        reverse_proxy_destinations={},
        relay_sockets=dict.fromkeys(full.relay_sockets, 0),
        dnat_connections=700 if full.dnat_connections else 0,
    )
    assert evidence.verdict == "proven", evidence.sentence


def test_fewer_rewritten_connections_than_the_client_opened_contradict() -> None:
    assert against(judged("published_host_address", True, dnat_connections=4)) == {names.DNAT}


def test_a_front_that_keeps_its_connections_is_proven_by_where_they_go() -> None:
    kept = judged("nginx_http_published", False, dnat_connections=0)
    assert state(kept, names.DNAT) == "unknown"
    assert kept.verdict == "proven"
    assert judged(
        "nginx_http_published", False, dnat_connections=0, reverse_proxy_destinations={}
    ).verdict == ("not_proven")
    elsewhere = judged("nginx_http_published", False, reverse_proxy_destinations={"198.18.64.2": 5})
    assert against(elsewhere) == {names.UPSTREAM}
    pooled = {Relay.NGINX: 9, Relay.DOCKER_PROXY: 0}
    assert judged("nginx_http_published", True, relay_sockets=pooled).verdict == "proven"


def test_a_unix_socket_is_proven_by_its_connections_and_by_silence() -> None:
    assert judged("unix_socket", True).verdict == "proven"
    for unseen in (0, None):
        assert judged("unix_socket", True, socket_connections=unseen).verdict == "not_proven"
    loud = {Device.ENGINE_LOOPBACK: WORKLOAD}
    assert against(judged("unix_socket", True, bytes=loud)) == {names.of_device(Device.ENGINE_LOOPBACK)}
    assert against(judged("unix_socket", True, destinations={"127.0.0.1": 5})) == {names.DESTINATION}


def test_a_relay_with_very_little_to_do_is_unknown_not_idle() -> None:
    few = judged(
        "published_loopback",
        True,
        relays={Relay.DOCKER_PROXY: 900_000},
        operations=10,
    )
    assert state(few, names.of_cpu(Relay.DOCKER_PROXY)) == "unknown"


def test_the_sentence_carries_figures() -> None:
    sentence = judged("published_loopback", True, relays={Relay.DOCKER_PROXY: 100_000}).sentence
    assert "CPU of docker-proxy should be busy" in sentence
    assert "0.1 ms" in sentence


def test_a_path_that_cannot_be_taken_says_why() -> None:
    evidence = judge(PATHS["published_ipv6_loopback"], False, ideal(PATHS["published_loopback"], False))
    assert evidence.verdict == "contradicted"
    assert "[::1]" in evidence.sentence
