"""The script of a cell: the exact command lines, and the very settings that the worker has."""

from __future__ import annotations

import re
import shlex
import subprocess
from dataclasses import replace
from typing import Any

import pytest

from backend.core.chart.cells.inputs import ChartInput
from backend.core.definition.catalog import PATH_NAMES
from backend.core.definition.factors import FACTORS, Level, applicable
from backend.core.errors import NotFound
from backend.core.export.replay_script import recipe
from backend.core.export.replay_script.containers import (
    CLIENT_BYTES,
    HALF,
    Box,
    client_box,
    flags,
    reverse_proxy_box,
    server_box,
)
from backend.core.export.replay_script.replay_setup import obstacle, replay_setup
from backend.core.export.replay_script.script import REPLIES, commands
from backend.core.export.replay_script.shell import ADDRESS, PORT, quoted
from backend.core.topology.deployment import ReverseProxySpec
from backend.core.topology.model import ReverseProxyKind
from backend.core.topology.paths import PATHS
from backend.core.workload.image_recipe import FOLDER
from backend.core.workload.services import SERVICES
from backend.core.workload.target import Target
from backend.core.workload.tools import TOOLS
from tests.core.chart.runs import made_up, study_experiment
from tests.core.export.runs import HOSTILE, hostile_run
from worker.engine import templates
from worker.engine.protocol import ContainerSpec
from worker.host.environment import memory_of_host

WORKLOADS: dict[str, dict[str, Level]] = {
    "postgres": {"tool": "pgbench", "service": "postgres"},
    "pong": {"tool": "wrk", "service": "pong", "threads": 1},
    "flask": {"tool": "ab", "service": "flask"},
    "iperf3_server": {"tool": "iperf3", "service": "iperf3_server"},
}


def levels_of(path: str, **levels: Level) -> dict[str, Level]:
    service = str(levels.get("service", (PATHS[path].services or ("postgres",))[0]))
    given = {"path": path} | WORKLOADS[service] | levels
    return applicable({name: given.get(name, factor.default) for name, factor in FACTORS.items()})


def run_of(path: str, **levels: Level) -> ChartInput:
    factors: dict[str, Any] = {n: v for n, v in levels_of(path, **levels).items() if n in ("path", *levels)}
    service = str(levels.get("service", (PATHS[path].services or ("postgres",))[0]))
    document = {"factors": WORKLOADS[service] | factors, "baseline": {"path": path}, "study": None}
    metric = {"pgbench": "tps", "iperf3": "throughput_gbit_s"}.get(str(WORKLOADS[service]["tool"]), "rps")
    return made_up(study_experiment(**document, rounds=6, metrics=[metric]))


@pytest.mark.parametrize("path", PATH_NAMES)
def test_every_path_has_a_script_that_parses(path: str) -> None:
    script = commands(run_of(path), "c1")
    assert subprocess.run(["sh", "-n"], input=script, text=True, capture_output=True).stderr == ""
    assert "%%" not in script and str(PORT) not in script and ADDRESS not in script
    assert "expected on" in script
    refused = obstacle(levels_of(path))
    assert ("exit 2" in script) == (refused is not None)
    assert refused is None or refused in script
    assert ("docker run" in script) == (refused is None)


@pytest.mark.parametrize("service", SERVICES)
def test_every_service_has_a_script_that_parses(service: str) -> None:
    script = commands(run_of("published_loopback", service=service), "c1")
    assert subprocess.run(["sh", "-n"], input=script, text=True, capture_output=True).stderr == ""
    assert "FROM ${BASE}" in script


def test_the_tool_runs_with_its_exact_command_line() -> None:
    levels = levels_of("published_loopback", clients=8, script="tpcb_like")
    script = commands(run_of("published_loopback", clients=8, script="tpcb_like"), "c1")
    wanted = TOOLS["pgbench"].run(levels, Target("127.0.0.1", 1), 10)
    line = next(line for line in script.splitlines() if "timeout -k 5 20" in line)
    found = shlex.split(line.replace('"${PORT}"', "1"))
    assert tuple(found[found.index("pgbench") :]) == wanted
    assert "truncate pgbench_history" in script and '--publish "127.0.0.1:${PORT}:5432"' in script
    assert "docker exec" in line and "$NAME-client" in line and "--network host" in script


def test_it_says_what_to_expect_and_where_it_was_measured() -> None:
    script = commands(hostile_run(), "c1")
    assert (
        script.count("expected on bench-a: 17,500 tps [17,200, 17,600], 95 % CI of the median (n = 10)") == 2
    )
    assert "# Measured on: host bench-a; kernel 6.1" in script and "# Program: pgbench 15.20" in script
    titled = next(line for line in script.splitlines() if HOSTILE in line)
    assert titled.startswith("# ")


@pytest.mark.parametrize("path", ["published_loopback", "overlay"])
@pytest.mark.parametrize("host", [f"{ADDRESS} {PORT}", "it's $(id) `id`", "%%reverse_proxy%%"])
def test_the_name_of_a_host_is_printed_as_it_is(path: str, host: str) -> None:
    """Neither a token of a command line, nor a place of the frame, nor a word of the shell."""
    script = commands(replace(run_of(path), environment={"host": host}), "c1")
    assert subprocess.run(["sh", "-n"], input=script, text=True, capture_output=True).stderr == ""
    (line,) = [each for each in script.splitlines() if each.startswith("printf") and "expected on" in each]
    said = subprocess.run(["sh", "-c", line.removesuffix(">&2")], text=True, capture_output=True).stdout
    assert said.startswith(f"expected on {host}: ") and said.count("\n") == 1


def test_an_unknown_cell_is_not_found() -> None:
    with pytest.raises(NotFound):
        commands(hostile_run(), "c99")


@pytest.mark.parametrize(
    "text", ["", "a b", "it's", "$(reboot)", "`x`", '"', "\\", "a\nb", "*", "-x", "~", "é"]
)
def test_whatever_a_word_holds_the_shell_prints_it(text: str) -> None:
    asked = f"printf '%s' {quoted(text)}"
    assert subprocess.run(["sh", "-c", asked], text=True, capture_output=True).stdout == text


def test_tokens_become_variables_between_literal_text() -> None:
    asked = f"ADDRESS=1.2.3.4 PORT=7; printf '%s' {quoted(f'listen {ADDRESS}:{PORT}; $x')}"
    assert (
        subprocess.run(["sh", "-c", asked], text=True, capture_output=True).stdout == "listen 1.2.3.4:7; $x"
    )


# --- held against the worker ------------------------------------------------------------------------

SERVERS = {
    "postgres": levels_of("published_loopback"),
    "postgres on a volume": levels_of("published_loopback", storage="volume", server_cpus=2),
    "postgres in the layer": levels_of("unix_socket", storage="layer", server_cpuset="0-1"),
    "postgres with a limit": levels_of("same_container", server_memory_mb=900),
    "pong": levels_of("container_address", service="pong", gomaxprocs=3),
    "flask": levels_of("nginx_http_unix"),
    "iperf3": levels_of("sibling_container", service="iperf3_server"),
}


def check(box: Box, spec: ContainerSpec, role_of: dict[str, str]) -> None:
    """Every setting of a container is the worker's own."""
    memory = memory_of_host() // 2 if box.memory == HALF else box.memory
    assert isinstance(memory, int)
    assert (box.command, memory, dict(box.environment)) == (
        spec.command,
        spec.memory_bytes,
        dict(spec.environment),
    )
    assert {place: role_of[name] for place, name in spec.volumes.items()} == dict(box.volumes)
    assert (box.writable_root, box.cpus, box.cpuset) == (spec.writable_root, spec.cpus, spec.cpuset)
    assert (box.pids_limit, box.shm_bytes) == (spec.pids_limit, spec.shm_bytes)
    said = " ".join(flags(box)).replace("$((MEMORY / 2))", str(memory // 2))
    mounts = dict(re.findall(r'--tmpfs "([^:]+):([^"]+)"', said))
    assert mounts == dict(spec.tmpfs)


@pytest.mark.parametrize("levels", SERVERS.values(), ids=SERVERS)
def test_servers_are_set_as_the_workers(levels: dict[str, Level]) -> None:
    setup = replay_setup(levels)
    spec = templates.server("image", setup.server, setup.service, setup.listen, "net", 0, "")
    roles = {f"plimsoll-{role}-{setup.server.key}": role for role in ("data", "sockets")}
    check(server_box(setup.server, setup.service, setup.listen), spec, roles)


def test_clients_and_fronts_are_set_as_the_workers() -> None:
    setup = replay_setup(levels_of("nginx_http_unix"))
    volumes = templates.socket_volume(setup.server, True)
    roles = dict.fromkeys(volumes.values(), "sockets")
    check(client_box(setup.listen, ""), templates.client("image", "name", "host", volumes), roles)
    assert CLIENT_BYTES == 1024 * templates.MIB
    spec = ReverseProxySpec(ReverseProxyKind.NGINX_HTTP, (("front_workers", 2), ("proxy_cpuset", "1")))
    words = ("serve-front", "nginx", "text")
    check(
        reverse_proxy_box(spec, setup.listen, words),
        templates.reverse_proxy("image", spec, setup.server, words, volumes),
        roles,
    )


def test_ready_means_what_it_means_to_the_worker() -> None:
    for name, service in SERVICES.items():
        reply = REPLIES.get(name)
        assert service.replied(0, "" if reply is None else f"{reply}\n")
        assert reply is None or not service.replied(0, "other")


def test_the_image_has_the_packages_and_folders_of_the_measured_image() -> None:
    theirs = "".join((FOLDER / name).read_text() for name in ("packages", "finish", "Dockerfile"))
    for package in {name for found in recipe.PACKAGES.values() for name in found}:
        assert re.search(rf"(^|\s){re.escape(package)}(\s|$)", theirs, re.M), package
    for line in ("--uid 10001", "-m 0700 /data", "-m 0777 /sockets", "PGDATA=/data/pg", "USER 10001:10001"):
        assert line in theirs and line in recipe.dockerfile(("postgres",))
