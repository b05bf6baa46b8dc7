"""The programs of the real image, run from its unpacked root file system as the user of the containers."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from worker.engine.names import InstallPaths
from worker.engine.protocol import USER
from worker.host.ledger import Ledger
from worker.images.bootstrap import ImageArchive, ensure_image, relay_program, root_file_system

PATH = "/usr/lib/postgresql/15/bin:/usr/local/bin:/usr/bin:/usr/sbin"
LIMIT_S = 60
WRK = "wrk -c4 -t2 -d1 -s /usr/local/share/plimsoll/report.lua"
AWAIT = "await() { for _ in $(seq 100); do curl -sf -o /dev/null $1 && return; sleep 0.05; done; exit 9; }"
"""A server is ready when it replies; bounded."""


@pytest.fixture(scope="module")
def image(install: InstallPaths) -> ImageArchive:
    """The built image's archive."""
    ledger = Ledger(install.var / "ledger.jsonl")
    return ensure_image(install, ledger, print)


@pytest.fixture(scope="module")
def root(image: ImageArchive) -> Path:
    """The image's root file system."""
    return root_file_system(image)


def inside(root: Path, script: str, **environment: str) -> str:
    """Run a script in the image with its own loopback, processes and tmpfs, which end with it."""
    scratch = " && ".join(
        f"mount -t tmpfs -o uid={USER},gid={USER},mode=0777 scratch {root}{place}"
        for place in ("/tmp", "/data", "/sockets", "/dev/shm")
    )
    entered = f'chroot --userspec={USER}:{USER} --groups={USER} {root} sh -euc "$0"'
    prepared = ("sh", "-euc", f"{scratch} && ip link set lo up && {entered}", f"{AWAIT}\n{script}")
    done = subprocess.run(
        ["unshare", "--net", "--mount", "--pid", "--fork", "--kill-child", *prepared],
        env={"PATH": f"{PATH}:/sbin", "LANG": "C.UTF-8", "PGDATA": "/data/pg", **environment},
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def reported(output: str) -> dict[str, Any]:
    """The output of report.lua: one line of JSON without NaN."""
    [line] = [line for line in output.splitlines() if line.startswith("PLIMSOLL ")]
    found: dict[str, Any] = json.loads(line.removeprefix("PLIMSOLL "), parse_constant=pytest.fail)
    return found


@pytest.mark.full
def test_pong_prints_its_go_version(root: Path) -> None:
    assert inside(root, "pong -version").startswith("pong go1.")


@pytest.mark.full
def test_pong_takes_gomaxprocs_from_the_environment_and_answers_only_ping(root: Path) -> None:
    script = """
        pong -listen 127.0.0.1:8080 2>/tmp/said & await http://127.0.0.1:8080/ping
        cat /tmp/said; curl -s http://127.0.0.1:8080/ping; echo
        curl -s -o /dev/null -w '%{http_code}\\n' http://127.0.0.1:8080/other"""
    said, pong, other = inside(root, script, GOMAXPROCS="3").splitlines()
    assert "GOMAXPROCS=3" in said and "NumCPU=" in said and "go1." in said
    assert (pong, other) == ("pong", "404")


@pytest.mark.full
def test_wrk_reports_in_one_line_that_agrees_with_its_own_text(root: Path) -> None:
    script = f"""
        pong -listen 127.0.0.1:8080 2>/dev/null & await http://127.0.0.1:8080/ping
        {WRK} http://127.0.0.1:8080/ping"""
    output = inside(root, script)
    found = reported(output)
    assert f"  {found['requests']} requests in " in output
    latency, histogram = found["latency_us"], found["histogram"]
    assert histogram[0][0] >= latency["min"] and histogram[-1][0] <= latency["max"]
    assert sum(count for _, count in histogram) >= found["requests"]
    assert latency["min"] <= latency["p50"] <= latency["p90"] <= latency["p999"] <= latency["max"]
    assert found["errors"] == {"connect": 0, "read": 0, "write": 0, "status": 0, "timeout": 0}


@pytest.mark.full
def test_wrk_reports_no_latency_without_replies(root: Path) -> None:
    script = f"""
        socat TCP4-LISTEN:8080,bind=127.0.0.1,fork,reuseaddr SYSTEM:'sleep 30' &
        for _ in $(seq 100); do grep -q ":1F90 00000000:0000 0A" /proc/net/tcp && break; sleep 0.05; done
        {WRK} --timeout 1 http://127.0.0.1:8080/ping"""
    found = reported(inside(root, script))
    assert (found["requests"], found["latency_us"], found["histogram"]) == (0, None, [])


@pytest.mark.full
@pytest.mark.parametrize(
    ("front", "text"),
    [
        (
            "nginx",
            "load_module /usr/lib/nginx/modules/ngx_stream_module.so; daemon off; pid /tmp/nginx.pid;"
            " events {} stream { server { listen 127.0.0.1:8081; proxy_pass 127.0.0.1:8080; } }",
        ),
        (
            "nginx",
            "daemon off; pid /tmp/nginx.pid; events {} http { access_log off; server {"
            " listen 127.0.0.1:8081; location / { proxy_pass http://unix:/sockets/app.sock; } } }",
        ),
        (
            "haproxy",
            "defaults\n mode tcp\n timeout connect 5s\n timeout client 9s\n timeout server 9s\n"
            "listen front\n bind 127.0.0.1:8081\n server app 127.0.0.1:8080",
        ),
    ],
    ids=["nginx stream", "nginx http to a Unix socket", "haproxy tcp"],
)
def test_a_reverse_proxy_relays(root: Path, front: str, text: str) -> None:
    script = f"""
        pong -listen 127.0.0.1:8080 & pong -listen unix:/sockets/app.sock &
        serve-front {front} '{text}' & await http://127.0.0.1:8081/ping
        curl -s http://127.0.0.1:8081/ping"""
    assert inside(root, script) == "pong"


@pytest.mark.full
@pytest.mark.parametrize(
    ("bind", "ask"),
    [
        ("127.0.0.1:8000", "http://127.0.0.1:8000/"),
        ("unix:/sockets/app.sock", "--unix-socket /sockets/app.sock http://localhost/"),
    ],
)
def test_flask_replies(root: Path, bind: str, ask: str) -> None:
    script = f"serve-flask {bind} 1 & await '{ask}'; curl -s {ask}; ls -l /sockets"
    greeting = inside(root, script)
    assert greeting.startswith("Hello there!")
    assert "unix" not in bind or "srwxrwxrwx" in greeting


@pytest.mark.full
def test_postgres_opens_a_second_socket_directory_on_request(root: Path) -> None:
    script = """
        serve-postgres >/dev/null 2>&1 &
        for _ in $(seq 200); do
            psql -h /tmp -U bench -Atc 'select 1' postgres 2>/dev/null && break; sleep 0.05
        done
        psql -h "${SOCKETS:-/tmp}" -U bench -Atc 'show unix_socket_directories' postgres"""
    assert inside(root, script) == "1\n/tmp\n"
    assert inside(root, script, SOCKETS="/sockets") == "1\n/tmp,/sockets\n"


@pytest.mark.full
def test_iperf3_and_ab_measure(root: Path) -> None:
    script = """
        iperf3 -s -B 127.0.0.1 >/dev/null & pong -listen 127.0.0.1:8080 & await http://127.0.0.1:8080/ping
        ab -q -n 100 -c 2 http://127.0.0.1:8080/ping | grep Complete
        for _ in $(seq 100); do grep -q ":1451 00000000:0000 0A" /proc/net/tcp && break; sleep 0.05; done
        iperf3 -c 127.0.0.1 -t 1 --connect-timeout 1000 | grep receiver"""
    complete, receiver = inside(root, script).splitlines()
    assert complete.split() == ["Complete", "requests:", "100"]
    assert "bits/sec" in receiver


def test_the_relay_needs_nothing_of_the_image(image: ImageArchive, tmp_path: Path) -> None:
    shutil.copy(relay_program(image), tmp_path / "relay")
    done = subprocess.run(
        ["chroot", str(tmp_path), "/relay", "-proto", "udp"], capture_output=True, text=True, timeout=LIMIT_S
    )
    assert (done.returncode, done.stderr) == (1, "epoll-relay: relays tcp only, not udp\n")


def test_no_compiler_and_no_service_is_in_the_image(root: Path) -> None:
    programs = {path.name for place in ("usr/bin", "usr/local/bin") for path in (root / place).iterdir()}
    assert {"wrk", "ab", "iperf3", "socat", "curl", "gunicorn", "pong", "epoll-relay"} <= programs
    assert not programs & {"gcc", "go", "cc", "make"}
    assert not list((root / "etc/systemd/system").glob("*.wants/*"))
