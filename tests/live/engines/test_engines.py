"""Engines on a real host: link, swarm, other networks, another proxy program, the host's own, none."""

from __future__ import annotations

import dataclasses
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from backend.core.errors import EngineUnavailable
from tests.live.lab import PORT, Lab, reply, said, until
from worker.engine import swarm
from worker.engine.bare import BareHost
from worker.engine.bare_view import PATH
from worker.engine.host import HostDaemon, inspect_host
from worker.engine.names import LINK_ADDRESSES, OVERLAY_NETWORK
from worker.engine.protocol import USER, NetworkSpec
from worker.host.commands import in_namespace, run
from worker.images.bootstrap import relay_program, root_file_system
from worker.sample.counters import parse_devices

ENVIRONMENT = {"PATH": f"/usr/lib/postgresql/15/bin:{PATH}", "PGDATA": "/data/pg", "LANG": "C.UTF-8"}
ASK = ("psql", "-h", "127.0.0.1", "-p", "20432", "-U", "bench", "-Atc")
POSTGRES = ("serve-postgres", "-c", "port=20432", "-c", "fsync=off")


@pytest.mark.full
def test_linked_engines_are_hosts_on_one_segment(lab: Lab) -> None:
    lab.up("on", "off")
    address = LINK_ADDRESSES["off"]
    server = lab.docker("off").create(lab.spec("wire-server", "host"))
    client = lab.docker("on").create(lab.spec("wire-client", "host", "sleep", "600"))
    assert (server.address, server.gateway) == (None, None)
    assert reply(lab.docker("on"), client, address) == "pong"
    assert reply(lab.docker("off"), server, "127.0.0.1") == "pong"
    # What is published is reached from the other host too, on the engine's own address.
    lab.docker("off").create(lab.spec("wire-published", "bridge", published={PORT: 20001}))
    assert reply(lab.docker("on"), client, address, 20001) == "pong"
    lab.segment.join(lab.names("on").netns, LINK_ADDRESSES["on"])
    assert reply(lab.docker("on"), client, address) == "pong"


@pytest.mark.full
def test_docker_proxy_serves_the_ipv6_loopback(lab: Lab) -> None:
    lab.up("on")
    client = lab.docker("on").create(lab.spec("six-client", "host", "sleep", "600"))
    lab.docker("on").create(lab.spec("six-server", "bridge", published={PORT: 20002}))
    assert reply(lab.docker("on"), client, "[::1]", 20002) == "pong"


@pytest.mark.full
def test_an_overlay_between_two_nodes_is_vxlan_on_the_link(lab: Lab) -> None:
    lab.up("swarm", "remote")
    manager, worker = lab.engines["swarm"], lab.engines["remote"]
    swarm.form(manager, worker)
    swarm.form(manager, worker)
    lab.docker("swarm").ensure_network(NetworkSpec(OVERLAY_NETWORK, "overlay", subnet="198.19.200.0/24"))
    assert swarm.overlay_namespace(worker, OVERLAY_NETWORK) is None
    server = lab.docker("swarm").create(lab.spec("overlay-server", OVERLAY_NETWORK))
    client = lab.docker("remote").create(lab.spec("overlay-client", OVERLAY_NETWORK, "sleep", "600"))
    assert server.address is not None and server.address.startswith("198.19.200.")
    assert reply(lab.docker("remote"), client, server.address) == "pong"
    place = swarm.overlay_namespace(worker, OVERLAY_NETWORK)
    assert place is not None
    vxlan, wire = bytes_sent(place, "vxlan0"), bytes_sent(worker.names.netns, "lan0")
    requests = ("ab", "-q", "-n", "2000", f"http://{server.address}:{PORT}/ping")
    assert said(lab.docker("remote"), client, requests)[0] == 0
    through_vxlan = bytes_sent(place, "vxlan0") - vxlan
    assert through_vxlan > 2000 * len("GET /ping HTTP/1.0\r\n\r\n")
    assert bytes_sent(worker.names.netns, "lan0") - wire > through_vxlan
    lab.docker("swarm").remove_everything()


def bytes_sent(netns: str | Path, device: str) -> int:
    return parse_devices(run(in_namespace(netns, ["cat", "/proc/net/dev"])))[device][1]


@pytest.mark.full
def test_containers_on_a_macvlan_reach_each_other(lab: Lab) -> None:
    lab.up("on")
    docker = lab.docker("on")
    docker.ensure_network(
        NetworkSpec("test-macvlan", "macvlan", parent="lan0", subnet="198.18.2.0/24", gateway="198.18.2.1")
    )
    server = docker.create(lab.spec("mac-server", "test-macvlan"))
    client = docker.create(lab.spec("mac-client", "test-macvlan", "sleep", "600"))
    assert reply(docker, client, str(server.address)) == "pong"
    shared = docker.create(lab.spec("mac-shared", "container:mac-server", "sleep", "600"))
    assert shared.address is None
    assert reply(docker, shared, "127.0.0.1") == "pong"


def test_limits_volumes_and_a_restart(lab: Lab) -> None:
    lab.up("on")
    docker = lab.docker("on")
    more = {
        "cpus": 1,
        "cpuset": "0",
        "environment": {"COLOUR": "red"},
        "volumes": {"/sockets": "test-sockets"},
    }
    first = docker.create(lab.spec("limited", "bridge", **more, writable_root=True))
    docker.create(lab.spec("neighbour", "bridge", "sleep", "600", volumes={"/sockets": "test-sockets"}))
    assert said(
        docker, first, ("sh", "-c", "echo $COLOUR; id -u; echo a > /sockets/a && echo b > /data/b")
    ) == (
        0,
        f"red\n{USER}\n",
    )
    limits = docker.inspect("limited")["HostConfig"]
    assert (limits["NanoCpus"], limits["CpusetCpus"]) == (1_000_000_000, "0")
    again = docker.restart("limited")
    assert (again.id, again.pid != first.pid) == (first.id, True)
    assert said(docker, again, ("cat", "/sockets/a", "/data/b")) == (0, "a\nb\n")
    docker.remove("limited")
    assert docker.client.volumes.get("test-sockets")
    docker.remove("neighbour")
    assert "test-sockets" not in [volume.name for volume in docker.client.volumes.list()]


@pytest.mark.full
def test_another_program_replaces_docker_proxy(lab: Lab) -> None:
    lab.up("on-relay", program=relay_program(lab.image))
    docker = lab.docker("on-relay")
    client = docker.create(lab.spec("relay-client", "host", "sleep", "600"))
    docker.create(lab.spec("relay-server", "bridge", published={PORT: 20003}))
    assert reply(docker, client, "127.0.0.1", 20003) == "pong"
    dockerd = lab.engines["on-relay"].pid
    tasks = Path(f"/proc/{dockerd}/task").glob("*/children")
    children = [pid for task in tasks for pid in task.read_text().split()]
    programs = [Path(f"/proc/{pid}/exe").readlink().name for pid in children]
    assert [name for name in programs if name.startswith("epoll-relay")]
    assert "docker-proxy" not in programs


@pytest.mark.parametrize("userland_proxy", [True, pytest.param(False, marks=pytest.mark.full)])
def test_the_hosts_own_daemon_is_used_unchanged(lab: Lab, userland_proxy: bool) -> None:
    """A second engine in place of the host's own daemon; its other containers must stay unchanged."""
    key = "on" if userland_proxy else "off"
    lab.up(key)
    foreign = lab.docker(key)
    theirs = foreign.create(lab.spec("theirs", "bridge"))
    daemon, state = inspect_host(lab.names(key).docker_socket, "engtest2")
    assert daemon is not None
    assert (state.reason, state.userland_proxy) == ("", userland_proxy)
    assert (daemon.pid, daemon.address) == (lab.engines[key].pid, LINK_ADDRESSES[key])
    assert daemon.netns.samefile(lab.engines[key].netns_path)
    daemon.start()
    server = daemon.docker.create(lab.spec("ours", "bridge", published={PORT: 20004}))
    client = daemon.docker.create(lab.spec("our-client", "host", "sleep", "600"))
    assert reply(daemon.docker, client, "127.0.0.1", 20004) == "pong"
    bindings = daemon.docker.inspect("ours")["HostConfig"]["PortBindings"]
    assert bindings == {f"{PORT}/tcp": [{"HostIp": "127.0.0.1", "HostPort": "20004"}]}
    with pytest.raises(EngineUnavailable, match=r"127\.0\.0\.1 only"):
        daemon.docker.create(lab.spec("open", "bridge", published={PORT: 20005}, publish_on="0.0.0.0"))
    for verb in (daemon.docker.remove, daemon.docker.restart):
        with pytest.raises(EngineUnavailable, match="theirs was not created by this installation"):
            verb("theirs")
    with pytest.raises(EngineUnavailable, match="theirs was not created by this installation"):
        daemon.docker.create(lab.spec("theirs", "bridge"))
    # A crash leaves them; the next start removes them by their label.
    HostDaemon(lab.names(key).docker_socket, "engtest2").start()
    assert {c.name for c in foreign.client.containers.list()} & {"ours", "our-client", "theirs"} == {"theirs"}
    daemon.stop()
    assert foreign.describe("theirs") == theirs
    assert not Path(f"/proc/{server.pid}").exists()


def test_a_host_without_a_daemon_is_reported(tmp_path: Path) -> None:
    daemon, state = inspect_host(tmp_path / "docker.sock", "engtest2")
    assert daemon is None
    assert state.reason is not None
    assert state.reason.startswith(f"there is no Docker daemon at {tmp_path}/docker.sock; ")


@pytest.fixture
def bare(lab: Lab) -> Iterator[BareHost]:
    lab.up("on")
    names = lab.names("on")
    made = BareHost(root_file_system(lab.image), names.netns, names, lab.ledger, ENVIRONMENT)
    yield made
    made.stop()
    assert not (names.data / "bare").exists()
    assert not list(Path("/sys/fs/cgroup").glob(f"**/{names.key}/bare-*"))


@pytest.mark.full
def test_postgresql_runs_without_docker(lab: Lab, bare: BareHost) -> None:
    spec = dataclasses.replace(
        lab.spec("bare-server", "host", *POSTGRES, writable_root=True, cpus=1, cpuset="0"),
        memory_bytes=2048 * 2**20,
    )
    server = bare.create(spec)
    assert bare.create(spec) == server
    assert (
        until(lambda: said(bare, server, (*ASK, "select 1", "postgres")), lambda a: a == (0, "1\n"))[0] == 0
    )
    place = Path(f"/proc/{server.pid}")
    assert (place / "exe").readlink().name == "postgres"
    assert (place / "ns/net").samefile(lab.engines["on"].netns_path)
    assert (place / "ns/pid").samefile("/proc/self/ns/pid")
    assert f"Uid:\t{USER}\t{USER}" in (place / "status").read_text()
    assert "NoNewPrivs:\t1" in (place / "status").read_text()
    assert "CapEff:\t0000000000000000" in (place / "status").read_text()
    assert "Cpus_allowed_list:\t0\n" in (place / "status").read_text()
    assert f"/{lab.names('on').key}/bare-bare-server" in (place / "cgroup").read_text()
    assert str(bare.rootfs) not in Path("/proc/self/mountinfo").read_text()
    assert str(bare.rootfs) in (place / "mountinfo").read_text()
    assert said(bare, server, ("sh", "-c", "touch /usr/mine || touch /tmp/mine && ls /data"))[1].endswith(
        "pg\n"
    )
    # A client of another engine's container reaches it on the host's own address.
    lab.up("off")
    far = lab.docker("off").create(lab.spec("far", "host", "sleep", "600"))
    query = ("psql", "-h", LINK_ADDRESSES["on"], *ASK[3:], "select 2", "postgres")
    assert said(lab.docker("off"), far, query) == (0, "2\n")


@pytest.mark.full
def test_a_bare_restart_keeps_the_data_and_ends_the_old_process(lab: Lab, bare: BareHost) -> None:
    spec = lab.spec("bare-again", "host", *POSTGRES, volumes={"/data": "bare-volume"})
    server = bare.create(spec)
    make = (*ASK, "create table kept as select 7 as n", "postgres")
    assert until(lambda: said(bare, server, make), lambda answer: answer[0] == 0)[0] == 0
    again = bare.restart("bare-again")
    assert again.pid != server.pid
    assert not Path(f"/proc/{server.pid}").exists()
    query = (*ASK, "select n from kept", "postgres")
    assert until(lambda: said(bare, again, query), lambda answer: answer[0] == 0) == (0, "7\n")
    bare.remove("bare-again")
    assert not Path(f"/proc/{again.pid}").exists()
    assert not (lab.names("on").data / "bare" / "volumes" / "bare-volume").exists()


def test_a_bare_program_that_cannot_start_has_a_reason(lab: Lab, bare: BareHost) -> None:
    server = bare.create(lab.spec("bare-client", "host", "sleep", "600"))
    execution = bare.execute(server, ("sleep", "600"))
    execution.release()
    execution.kill()
    assert not Path(f"/proc/{execution.pid}").exists()
    with pytest.raises(EngineUnavailable, match="No such file"):
        bare.create(lab.spec("bare-wrong", "host", "no-such-program"))
    with pytest.raises(EngineUnavailable, match="cannot publish ports"):
        bare.create(lab.spec("bare-published", "host", published={1: 1}))
    with pytest.raises(EngineUnavailable, match="use 'host'"):
        bare.create(lab.spec("bare-bridge", "bridge"))
    shutil.rmtree(lab.names("on").data / "bare" / "layers", ignore_errors=True)
