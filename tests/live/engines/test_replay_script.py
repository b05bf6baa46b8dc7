"""Scripts of cells, run for real against a lab engine: they print rates, and leave nothing behind."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from backend.core.definition.factors import Level
from backend.core.export.replay_script.script import commands
from tests.core.chart.runs import made_up, study_experiment
from tests.live.conftest import WORKLOADS
from tests.live.lab import Lab

LIMIT_S = 240
PORTS = {"PORT": "28432", "FRONT_PORT": "28433"}
QUICK: dict[str, Level] = {"clients": 2, "duration_s": 1, "warm_up_s": 1}
CELLS: dict[str, dict[str, Any]] = {
    "published_loopback": {"service": "postgres", "scale": 1},
    "unix_socket": {"service": "postgres", "scale": 1, "storage": "volume", "script": "simple_update"},
    "same_container": {"service": "postgres", "scale": 1, "client_cpuset": "0", "fresh_server": True},
    "shared_namespace": {"service": "pong"},
    "sibling_container": {"service": "pong", "tool": "ab"},
    "default_bridge": {"service": "postgres", "scale": 1, "storage": "layer"},
    "container_address": {"service": "iperf3_server"},
    "published_hairpin": {"service": "pong"},
    "published_host_address": {"service": "pong"},
    "published_ipv6_loopback": {"service": "pong"},
    "host_network": {"service": "postgres", "scale": 1},
    "nginx_stream": {"service": "postgres", "scale": 1},
    "haproxy_tcp": {"service": "pong"},
    "socat_tcp": {"service": "pong"},
    "nginx_http_unix": {"service": "flask"},
    "nginx_http_published": {"service": "pong"},
}
"""One cell of every path that one Docker host supports, every service and every tool among them."""


@pytest.fixture
def environment(lab: Lab) -> dict[str, str]:
    """The environment of a user who has the image; the docker command may be newer than the engine."""
    if shutil.which("docker") is None:
        pytest.skip("there is no docker command, which the scripts use")
    lab.up("on")
    return (
        os.environ
        | PORTS
        | {
            "DOCKER_HOST": f"unix://{lab.names('on').docker_socket}",
            "DOCKER_API_VERSION": lab.docker("on").version()["docker_api"],
            "IMAGE": lab.image.tag,
            "ROUNDS": "2",
        }
    )


def script_of(path: str, folder: Path, userland_proxy: bool = True, **levels: Any) -> Path:
    """The script of one artificial cell, as a file."""
    workload = {name: level for name, level in WORKLOADS[str(levels["service"])].items() if name != "threads"}
    tool = str(levels.get("tool", workload["tool"]))
    threads = {"threads": 1} if tool in ("pgbench", "wrk") else {}
    factors = QUICK | workload | threads | levels | {"path": path, "userland_proxy": userland_proxy}
    metric = {"pgbench": "tps", "iperf3": "throughput_gbit_s"}.get(tool, "rps")
    document = {"factors": factors, "baseline": {"path": path}, "study": None, "metrics": [metric]}
    file = folder / "cell.sh"
    file.write_text(commands(made_up(study_experiment(**document, rounds=6)), "c1"))
    return file


def standing(environment: dict[str, str]) -> list[str]:
    """Everything that exists in the engine."""
    asked = (("ps", "-aq"), ("network", "ls", "-q"), ("volume", "ls", "-q"), ("images", "-q"))
    return [
        subprocess.run(["docker", *words], env=environment, capture_output=True, text=True, check=True).stdout
        for words in asked
    ]


@pytest.mark.full
@pytest.mark.parametrize("path", CELLS)
def test_a_script_prints_rates_and_leaves_nothing(
    environment: dict[str, str], tmp_path: Path, path: str
) -> None:
    before = standing(environment)
    script = script_of(path, tmp_path, **CELLS[path])
    ran = subprocess.run(
        ["sh", str(script)], env=environment, capture_output=True, text=True, timeout=LIMIT_S
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    lines = ran.stdout.splitlines()
    assert len(lines) == 4, ran.stdout
    rates = [float(line.split()[2]) for line in lines[:2]]
    assert all(re.fullmatch(rf"round {n}: [0-9.]+ \S+", lines[n - 1]) for n in (1, 2))
    assert all(rate > 0 for rate in rates)
    assert lines[2].startswith("median of 2 rounds: ") and lines[3].startswith("expected on ")
    assert "warning" not in ran.stderr, ran.stderr
    assert standing(environment) == before


@pytest.mark.full
def test_a_different_setting_of_userland_proxy_is_reported(
    environment: dict[str, str], tmp_path: Path
) -> None:
    script = script_of("published_loopback", tmp_path, userland_proxy=False, service="pong")
    ran = subprocess.run(
        ["sh", str(script)], env=environment, capture_output=True, text=True, timeout=LIMIT_S
    )
    assert ran.returncode == 0, ran.stderr
    assert "this daemon has userland-proxy on, the cell was measured with it off" in ran.stderr


@pytest.mark.full
def test_a_stopped_script_leaves_nothing(environment: dict[str, str], tmp_path: Path) -> None:
    before = standing(environment)
    script = script_of("published_loopback", tmp_path, service="postgres", scale=1, duration_s=600)
    with subprocess.Popen(
        ["sh", str(script)], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stderr is not None
        assert any("round 1 of 2" in line for line in process.stderr)
        process.terminate()
        assert process.wait(LIMIT_S) == 143
    assert standing(environment) == before


def test_a_missing_daemon_is_reported(tmp_path: Path) -> None:
    script = script_of("published_loopback", tmp_path, service="pong")
    environment = os.environ | {"DOCKER_HOST": f"unix://{tmp_path}/none.sock"}
    ran = subprocess.run(
        ["sh", str(script)], env=environment, capture_output=True, text=True, timeout=LIMIT_S
    )
    assert (ran.returncode, ran.stdout) == (1, "")
    assert "the Docker daemon does not answer" in ran.stderr
