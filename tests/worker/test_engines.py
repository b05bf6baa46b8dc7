"""The arguments of Docker and the rules of the engines, without an engine."""

from __future__ import annotations

import contextlib
import shutil
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

import pytest

from backend.core.errors import EngineUnavailable
from backend.core.messages.recognise import recognise
from worker.engine import host
from worker.engine.bare import BareHost
from worker.engine.bare_view import mounts
from worker.engine.docker_arguments import checked, checked_image, container_arguments, network_arguments
from worker.engine.docker_images import DockerImages
from worker.engine.host import inspect_host, proxy_by_rules
from worker.engine.lab import _make_folder
from worker.engine.names import LINK_ADDRESSES, InstallPaths, engine_names, program_address
from worker.engine.protocol import USER, ContainerSpec, NetworkSpec
from worker.host.cgroups import Limits, make_group
from worker.host.commands import in_namespace
from worker.host.host_docker import OWNER_LABEL
from worker.host.ledger import Ledger

PLAIN = ContainerSpec("server", "bench:test", ("pong",), "plimsoll-bench", 1024)


def test_a_container_is_locked_down_by_default() -> None:
    asked = container_arguments(PLAIN, "lab")
    assert asked["cap_drop"] == ["ALL"]
    assert asked["security_opt"] == ["no-new-privileges"]
    assert (asked["read_only"], asked["privileged"]) == (True, False)
    assert asked["network"] == "plimsoll-bench"
    assert asked["labels"] == {OWNER_LABEL: "lab"}
    assert asked["mem_limit"] == 1024
    assert (asked["nano_cpus"], asked["cpuset_cpus"]) == (None, None)
    assert not asked["ports"] and not asked["mounts"] and not asked["environment"]


def test_permissions_of_a_template_reach_docker() -> None:
    asked = container_arguments(
        ContainerSpec(
            "server", "bench:test", ("pong",), "container:other", 1024,
            published={8080: 20001}, published_udp={5201: 20002}, publish_on="127.0.0.1",
            environment={"GOMAXPROCS": "3"}, volumes={"/sockets": "shared"}, writable_root=True,
            cpus=2, cpuset="0-1", labels={OWNER_LABEL: "somebody"},
        ),
        "lab",
    )  # fmt: skip
    assert asked["ports"] == {"8080/tcp": ("127.0.0.1", 20001), "5201/udp": ("127.0.0.1", 20002)}
    assert asked["environment"] == {"GOMAXPROCS": "3"}
    assert [(m["Target"], m["Source"], m["Type"]) for m in asked["mounts"]] == [
        ("/sockets", "shared", "volume")
    ]
    assert (asked["read_only"], asked["nano_cpus"], asked["cpuset_cpus"]) == (False, 2_000_000_000, "0-1")
    assert (asked["network_mode"], "network" in asked) == ("container:other", False)
    assert asked["labels"] == {OWNER_LABEL: "lab"}


@pytest.mark.parametrize("network", ["host", "none"])
def test_a_network_of_dockers_own_is_a_mode(network: str) -> None:
    asked = container_arguments(ContainerSpec("cc", "i", (), network, 1), "lab")
    assert (asked["network_mode"], "network" in asked) == (network, False)


@pytest.mark.parametrize("name", ["", "a", "../etc", "a/b", "A", "a..b", "-a", "a" * 129])
def test_an_invalid_name_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="not a container, network or volume name"):
        checked(name)
    with pytest.raises(ValueError, match="not a container"):
        container_arguments(ContainerSpec("cc", "i", (), f"container:{name}", 1), "lab")


@pytest.mark.parametrize(
    "image",
    [
        "", "../containers/server", "../containers/server/json", "a/../b", "..", "-v", "--help", "A:b", "a b",
        "a\n", "a:b\x00", "a:", "a:-b", "a@sha256:0", "a?x=1", "a#b", "a%2f..%2fb", "http://a/b", "a//b",
        "a:b:c", "a" * 256,
    ],
)  # fmt: skip
def test_an_image_that_is_no_plain_name_never_reaches_docker(image: str) -> None:
    """docker-py puts the name into the URL: `../containers/NAME` would be another resource of the engine."""

    def no_engine(*_: object) -> NoReturn:
        raise AssertionError("Docker was called")

    images = DockerImages(no_engine, no_engine)
    for call in (
        lambda: checked_image(image),
        lambda: container_arguments(replace(PLAIN, image=image), "lab"),
        lambda: images.id_of(image),
        lambda: images.environment(image),
        lambda: images.load("/dev/null", image),
        lambda: images.import_base("/dev/null", image),
        lambda: images.pull(image, 1),
        lambda: images.build("/", image, "base", print),
        lambda: images.build("/", "a:b", image, print),
        lambda: images.save(image, Path("/dev/null")),
    ):
        with pytest.raises(ValueError, match="not the name of an image"):
            call()


@pytest.mark.parametrize(
    "image", ["debian:bookworm-slim", "plimsoll-bench:0123456789ab", "a.b/c-d/e_f:1", "a@sha256:" + "0" * 64]
)
def test_a_plain_name_of_an_image(image: str) -> None:
    assert checked_image(image) == image


def test_networks_of_each_driver() -> None:
    bridge = network_arguments(NetworkSpec("bench", bridge="plm0", options={"a": "b"}), "lab")
    assert bridge["options"] == {"a": "b", "com.docker.network.bridge.name": "plm0"}
    assert "ipam" not in bridge and "attachable" not in bridge
    overlay = network_arguments(NetworkSpec("oo", "overlay", encrypted=True), "lab")
    assert (overlay["attachable"], overlay["options"]) == (True, {"encrypted": ""})
    ipvlan = network_arguments(
        NetworkSpec("ii", "ipvlan", parent="lan0", subnet="198.18.3.0/24", options={"ipvlan_mode": "l3"}),
        "lab",
    )
    assert ipvlan["options"] == {"ipvlan_mode": "l3", "parent": "lan0"}
    (pool,) = ipvlan["ipam"]["Config"]
    assert (pool["Subnet"], pool["Gateway"]) == ("198.18.3.0/24", None)


def test_every_engine_has_its_own_address_on_the_link() -> None:
    programs = [program_address(index) for index in range(245)]
    assert len({*programs, *LINK_ADDRESSES.values()}) == 245 + len(LINK_ADDRESSES)
    assert (programs[0], programs[-1]) == ("198.18.1.10", "198.18.1.254")
    with pytest.raises(ValueError, match="not for number 245"):
        program_address(245)


def test_a_namespace_is_a_name_or_a_path() -> None:
    assert in_namespace("plm-on", ["ip"])[1] == "--net=/run/netns/plm-on"
    assert in_namespace(Path("/proc/7/ns/net"), ["ip"])[1] == "--net=/proc/7/ns/net"


RULES = """*nat
-A PREROUTING -m addrtype --dst-type LOCAL -j DOCKER
-A OUTPUT {}-m addrtype --dst-type LOCAL -j DOCKER
COMMIT
"""


@pytest.mark.parametrize(
    ("rules", "expected"),
    [(RULES.format("! -d 127.0.0.0/8 "), True), (RULES.format(""), False), ("*nat\nCOMMIT\n", None)],
)
def test_userland_proxy_is_read_from_the_nat_rules(rules: str, expected: bool | None) -> None:
    assert proxy_by_rules(rules) is expected


SETTING = "PLIMSOLL_HOST_DOCKER_SOCKET"


def test_a_host_without_a_daemon_says_which_engines_are_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("DOCKER_HOST", raising=False)
    place, rootless = tmp_path / "docker.sock", tmp_path / "user/1000/docker.sock"
    pattern = str(tmp_path.relative_to("/") / "user/*/docker.sock")
    monkeypatch.setattr(host, "OTHER_SOCKETS", ((pattern, "rootless Docker"),))
    missing = f"there is no Docker daemon at {place}; "
    remedy = f"start Docker on this host, or set {SETTING} to its socket"
    reasons = [missing + remedy]
    assert inspect_host(place, "test")[1].reason == reasons[-1]
    rootless.parent.mkdir(parents=True)
    rootless.touch()
    as_root = f"start Docker on this host as root, or set {SETTING} to its socket"
    reasons.append(
        f"{missing}{rootless} is the socket of rootless Docker, which cannot be measured: {as_root}"
    )
    assert inspect_host(place, "test")[1].reason == reasons[-1]
    monkeypatch.setenv("DOCKER_HOST", "tcp://192.0.2.1:2376")
    reasons.append(f"{missing}DOCKER_HOST names tcp://192.0.2.1:2376, which is not used: {as_root}")
    assert inspect_host(place, "test")[1].reason == reasons[-1]
    assert [recognised.id for reason in reasons if (recognised := recognise(reason)) is not None] == [
        "reasons:noDockerAt",
        "reasons:otherEngine",
        "reasons:dockerHostNamed",
    ]


def test_a_program_behind_the_socket_is_not_taken_for_the_daemon_of_the_pid_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file counts only where systemd listens: it also exists where docker.service runs beside."""
    program = tmp_path / "dockerd"
    shutil.copy("/bin/sleep", program)
    with subprocess.Popen([program, "60"]) as dockerd:
        try:
            (tmp_path / "docker.pid").write_text(str(dockerd.pid))
            monkeypatch.setattr(host, "PID_FILE", tmp_path / "docker.pid")
            with listening(tmp_path / "docker.sock"):
                daemon, state = inspect_host(tmp_path / "docker.sock", "test")
        finally:
            dockerd.kill()
    assert daemon is None
    assert state.reason is not None and state.reason.startswith("python3 (process ")


@contextmanager
def listening(place: Path) -> Iterator[None]:
    """Another program than dockerd behind a socket."""
    code = (
        "import socket, sys, time; s = socket.socket(socket.AF_UNIX); s.bind(sys.argv[1]); s.listen(); "
        "print(1, flush=True); time.sleep(60)"
    )
    with subprocess.Popen(["python3", "-c", code, str(place)], stdout=subprocess.PIPE) as other:
        try:
            assert other.stdout is not None
            other.stdout.readline()
            yield
        finally:
            other.kill()


def test_a_socket_without_a_dockerd_is_refused(tmp_path: Path) -> None:
    place = tmp_path / "docker.sock"
    with listening(place):
        daemon, state = inspect_host(place, "test")
    assert daemon is None
    assert state.reason is not None
    name, _, rest = state.reason.partition(" (process ")
    assert name == "python3"
    assert rest.endswith(
        f") serves {place}, and not dockerd; set {SETTING} to the socket of this host's dockerd"
    )
    recognised = recognise(state.reason)
    assert recognised is not None and recognised.id == "reasons:notDockerd"
    daemon, state = inspect_host(place, "test")
    assert daemon is None
    assert state.reason == f"the daemon behind {place} does not answer: Connection refused"


def test_a_bare_program_writes_to_folders_of_the_host_and_not_to_the_image(tmp_path: Path) -> None:
    root = tmp_path / "root"
    for name in ("data", "etc"):
        (root / name).mkdir(parents=True)
    try:
        (root / "data").chmod(0o700)
        subprocess.run(["chown", str(USER), str(root / "data")], check=True, capture_output=True)
    except subprocess.CalledProcessError:
        pytest.skip("only root gives a directory to another user")
    spec = ContainerSpec(
        "s", "", (), "host", 1, tmpfs={"/run": "size=1m"}, volumes={"/sockets": "v"}, writable_root=True
    )
    lines = "\n".join(mounts(root, tmp_path / "bare", spec))
    assert f"--bind {tmp_path}/bare/layers/s/data {root}/data" in lines
    assert f"--bind {tmp_path}/bare/volumes/v {root}/sockets" in lines
    assert f"-t tmpfs -o size=1m tmpfs {root}/run" in lines
    assert f"{root}/etc" not in lines
    assert lines.splitlines()[-1].endswith(f"-o remount,bind,ro {root}")
    assert (tmp_path / "bare/volumes/v").stat().st_uid == USER


def test_the_bare_host_refuses_features_of_docker(tmp_path: Path) -> None:
    names = engine_names(InstallPaths("test", tmp_path, tmp_path), "on")
    with pytest.raises(ValueError, match="unpack the image into a folder"):
        BareHost(Path("/"), "none", names, Ledger(tmp_path / "ledger"))
    (tmp_path / "root").mkdir()
    bare = BareHost(tmp_path / "root", "plm-none", names, Ledger(tmp_path / "ledger"))
    assert not bare.answers()
    with pytest.raises(EngineUnavailable, match="use 'host'"):
        bare.create(PLAIN)
    with pytest.raises(EngineUnavailable, match="use its own"):
        bare.ensure_network(NetworkSpec("bench"))
    bare.remove("nobody")
    bare.stop()
    assert not (tmp_path / "ledger").exists()


def test_limits_reach_a_group_of_the_unified_hierarchy(tmp_path: Path) -> None:
    mounted = f"30 23 0:26 / {tmp_path} rw - cgroup2 cgroup2 rw\n"
    for name in ("cpu.max", "cpuset.cpus", "memory.max"):  # the kernel makes them with the group
        (tmp_path / "engine" / "bare-x").mkdir(parents=True, exist_ok=True)
        (tmp_path / "engine" / "bare-x" / name).touch()
    (place,) = make_group("engine/bare-x", Limits(2, "0-1", 4096), mounted)
    assert place == tmp_path / "engine" / "bare-x"
    assert (place / "cpu.max").read_text() == "200000 100000"
    assert (place / "cpuset.cpus").read_text() == "0-1"
    assert (place / "memory.max").read_text() == "4096"
    assert (tmp_path / "engine" / "cgroup.subtree_control").exists()


def test_limits_reach_a_group_of_each_old_hierarchy(tmp_path: Path) -> None:
    lines = [
        f"30 23 0:26 / {tmp_path}/cpu rw - cgroup cgroup rw,cpuacct,cpu",
        f"31 23 0:27 / {tmp_path}/cpuset rw - cgroup cgroup rw,cpuset",
        f"32 23 0:28 / {tmp_path}/freezer rw - cgroup cgroup rw,freezer",
        f"33 23 0:29 / {tmp_path}/unified rw - cgroup2 cgroup2 rw",
    ]
    for folder in ("cpuset", "cpuset/engine", "cpuset/engine/bare-x"):
        place = tmp_path / folder
        place.mkdir()
        for name in ("cpuset.cpus", "cpuset.mems"):
            (place / name).write_text("0-3\n" if folder == "cpuset" else "\n")
    first, second = make_group("engine/bare-x", Limits(1, "1", 0), "\n".join(lines))
    assert (first / "cpu.cfs_quota_us").read_text() == "100000"
    assert (second / "cpuset.cpus").read_text() == "1"
    assert (second / "cpuset.mems").read_text() == "0-3\n"
    assert not (tmp_path / "unified" / "engine").exists()


def test_a_folder_is_created_while_its_parents_are_being_removed(tmp_path: Path) -> None:
    """Engines start and stop in parallel, and the last one removes the runtime directory."""
    place = tmp_path / "run" / "engines" / "on"
    stopping = threading.Event()

    def remove() -> None:
        while not stopping.is_set():
            for folder in (place.parent, place.parent.parent):
                with contextlib.suppress(OSError):
                    folder.rmdir()

    remover = threading.Thread(target=remove)
    remover.start()
    try:
        for _ in range(300):
            _make_folder(place)
            assert place.is_dir()
            place.rmdir()
    finally:
        stopping.set()
        remover.join()
