"""Commands of services and reverse proxies: every level reaches them, and nothing else does."""

from __future__ import annotations

import pytest

from backend.core.definition.catalog import FITS
from backend.core.definition.catalog import SERVICES as NAMES
from backend.core.definition.factors import Level
from backend.core.topology.deployment import EngineSpec, ReverseProxySpec, ServerSpec
from backend.core.topology.model import Attachment, ReverseProxyKind
from backend.core.workload.reverse_proxies import REVERSE_PROXIES
from backend.core.workload.services import SERVICES
from backend.core.workload.services.model import SOCKETS, Listen
from backend.core.workload.target import Target
from worker.engine import templates
from worker.topology.networks import NETWORKS

UPSTREAM = Target("198.18.64.2", 8080)


def spec(service: str, **settings: Level) -> ServerSpec:
    return ServerSpec(EngineSpec("lab", True), Attachment.USER_BRIDGE, service, tuple(settings.items()))


def front(kind: ReverseProxyKind, **settings: Level) -> str:
    return "\n".join(REVERSE_PROXIES[kind](ReverseProxySpec(kind, tuple(settings.items())), 20002, UPSTREAM))


def test_every_service_of_the_catalog_exists() -> None:
    assert tuple(SERVICES) == NAMES
    assert {service for services in FITS.values() for service in services} == set(SERVICES)
    assert len({service.port for service in SERVICES.values()}) == len(SERVICES)


def test_postgres_takes_its_settings_from_the_cell() -> None:
    given = spec("postgres", fsync=False, shared_buffers_mb=120, work_mem_kb=2304)
    command = " ".join(SERVICES["postgres"].command(given, Listen("0.0.0.0", 20001)))
    for setting in (
        "port=20001",
        "fsync=off",
        "shared_buffers=120MB",
        "work_mem=2304kB",
        "max_wal_size=4096MB",
    ):
        assert f"-c {setting}" in command


@pytest.mark.parametrize(("count", "environment"), [(0, {}), (3, {"GOMAXPROCS": "3"})])
def test_gomaxprocs_zero_leaves_it_to_the_runtime(count: int, environment: dict[str, str]) -> None:
    service = SERVICES["pong"]
    assert dict(service.environment(spec("pong", gomaxprocs=count), Listen("0.0.0.0", 8080))) == environment


@pytest.mark.parametrize("name", ["pong", "flask"])
def test_an_http_service_can_listen_on_a_socket_only(name: str) -> None:
    service = SERVICES[name]
    command = " ".join(service.command(spec(name), Listen("0.0.0.0", service.port, socket=True)))
    assert f"unix:{SOCKETS}/app.sock" in command
    assert "0.0.0.0" not in command
    asked = service.ready(Target("", service.port, service.socket))
    assert asked[asked.index("--unix-socket") + 1] == f"{SOCKETS}/app.sock"


@pytest.mark.parametrize(
    ("storage", "writable", "tmpfs", "volumes"),
    [("memory", False, True, False), ("layer", True, False, False), ("volume", False, False, True)],
)
def test_the_data_are_stored_where_the_cell_says(
    storage: str, writable: bool, tmpfs: bool, volumes: bool
) -> None:
    given = spec("postgres", storage=storage)
    made = templates.server(
        "image", given, SERVICES["postgres"], Listen("0.0.0.0", 5432), "plimsoll-bench", 20001, ""
    )
    assert made.writable_root is writable
    assert ("/data" in made.tmpfs) is tmpfs
    assert ("/data" in made.volumes) is volumes
    assert made.published == {5432: 20001}
    assert made.published_udp == {}


def test_limits_reach_the_container() -> None:
    given = spec("pong", server_cpus=2, server_cpuset="0-1", server_memory_mb=300)
    made = templates.server("image", given, SERVICES["pong"], Listen("0.0.0.0", 8080), "host", 0, "")
    assert (made.cpus, made.cpuset, made.memory_bytes) == (2, "0-1", 300 * 2**20)


def test_iperf3_is_published_on_both_protocols() -> None:
    made = templates.server(
        "image", spec("iperf3_server"), SERVICES["iperf3_server"], Listen("0.0.0.0", 5201), "n", 20001, ""
    )
    assert made.published == made.published_udp == {5201: 20001}


@pytest.mark.parametrize("kind", list(ReverseProxyKind))
def test_a_reverse_proxy_listens_on_loopback_only_and_relays_to_its_upstream(kind: ReverseProxyKind) -> None:
    text = front(kind)
    assert "198.18.64.2:8080" in text
    assert "127.0.0.1:20002" in text or "TCP4-LISTEN:20002,bind=127.0.0.1" in text
    assert "0.0.0.0" not in text


def test_nginx_has_its_workers_reuseport_and_accept_mutex() -> None:
    text = front(
        ReverseProxyKind.NGINX_STREAM, front_workers=4, front_reuseport=True, front_accept_mutex=False
    )
    assert "worker_processes 4;" in text
    assert "accept_mutex off;" in text
    assert "listen 127.0.0.1:20002 reuseport;" in text
    assert "accept_mutex on;" in front(ReverseProxyKind.NGINX_STREAM, front_accept_mutex=True)


def test_nginx_http_keeps_upstream_connections_only_on_request() -> None:
    assert "keepalive" not in front(ReverseProxyKind.NGINX_HTTP)
    assert "keepalive 64;" in front(ReverseProxyKind.NGINX_HTTP, front_keep_alive=True)


def test_haproxy_splices_only_on_request_and_sets_its_threads() -> None:
    assert "splice" not in front(ReverseProxyKind.HAPROXY_TCP)
    assert "option splice-request" in front(ReverseProxyKind.HAPROXY_TCP, front_splice=True)
    assert "nbthread 4" in front(ReverseProxyKind.HAPROXY_TCP, front_workers=4)


def test_no_two_networks_share_a_parent_device() -> None:
    """The kernel refuses macvlan beside ipvlan on one device, and gives all ipvlan on it one mode."""
    parents = [made.spec.parent for made in NETWORKS.values() if made.spec and made.spec.parent]
    assert len(parents) == len(set(parents)) == 3
