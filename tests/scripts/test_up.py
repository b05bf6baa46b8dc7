"""What scripts/up refuses before it does anything: one sentence, a non-zero exit, nothing left."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
from pathlib import Path

import pytest

from tests.scripts.shell import ROOT


def up(*arguments: str, var: Path, path: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(ROOT / "scripts/up"), *arguments],
        env={"PATH": f"{path}{os.environ['PATH']}", "PLIMSOLL_VAR_DIR": str(var)},
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )


def refusal(result: subprocess.CompletedProcess[str]) -> str:
    """The one sentence; fails if there is anything else."""
    assert result.returncode != 0
    assert result.stdout == ""
    assert result.stderr.startswith("plimsoll: ") and result.stderr.count("\n") == 1, result.stderr
    return result.stderr.strip()


@pytest.mark.parametrize("port", ["0", "65536", "-1", "http", "", "08420", "1e3"])
def test_refuses_what_is_no_port(port: str, tmp_path: Path) -> None:
    assert "--port needs a number from 1 to 65535" in refusal(up("--port", port, var=tmp_path / "var"))
    assert not (tmp_path / "var").exists()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--prot", "80"), "unknown argument --prot"),
        (("--port",), "--port needs a number"),
        (("--public-url",), "every other option with a value needs one"),
        (("--tls-cert", "/etc/hostname"), "--tls-cert goes with --tls-key FILE"),
        (("--tls-key=/etc/hostname",), "--tls-key goes with --tls-cert FILE"),
        (("--tls-cert=/absent", "--tls-key=/etc/hostname"), "there is no file /absent"),
        (
            ("--tls-cert=/etc/hostname", "--tls-key=/etc/hostname", "--plain-http"),
            "--plain-http and --tls-cert exclude each other",
        ),
        (("--behind-proxy", "192.0.2.1"), "--behind-proxy goes with --public-url"),
        (("--once",), "--once goes with --demo"),
        (("--replace",), "--replace goes with --restore FILE"),
        (("--restore", "/nowhere.tar"), "there is no file /nowhere.tar"),
        (("--listen", "bench.example.org"), "--listen needs an address of this host"),
        (("--listen",), "every other option with a value needs one"),
        (("--listen", ""), "--listen needs an address of this host"),
    ],
)
def test_refuses_arguments_it_does_not_know(
    arguments: tuple[str, ...], sentence: str, tmp_path: Path
) -> None:
    assert sentence in refusal(up(*arguments, var=tmp_path / "var"))
    assert not (tmp_path / "var").exists()


def test_refuses_anyone_but_root(tmp_path: Path) -> None:
    fake = tmp_path / "bin"
    fake.mkdir()
    (fake / "id").write_text("#!/bin/sh\necho 1000\n")
    (fake / "id").chmod(0o755)
    assert "scripts/up must run as root" in refusal(up(var=tmp_path / "var", path=f"{fake}:"))
    assert not (tmp_path / "var").exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="scripts/up answers only root with more than one sentence")
def test_refuses_a_port_in_use(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        sentence = refusal(up("--port", str(port), var=tmp_path / "var"))
    assert f"port {port} on 127.0.0.1 is in use by another program" in sentence
    assert sorted(p.name for p in (tmp_path / "var").iterdir()) == ["lock", "log"]


@pytest.mark.skipif(os.geteuid() != 0, reason="scripts/up answers only root with more than one sentence")
def test_refuses_a_second_instance_of_the_same_var(tmp_path: Path) -> None:
    var = tmp_path / "var"
    var.mkdir()
    holder = subprocess.Popen(
        ["flock", str(var / "lock"), "sh", "-c", "echo; exec sleep 60"],
        stdout=subprocess.PIPE,
        start_new_session=True,
    )
    assert holder.stdout is not None and holder.stdout.readline()
    try:
        assert f"Plimsoll already runs from {var}" in refusal(up("--port", "1", var=var))
    finally:
        os.killpg(holder.pid, signal.SIGTERM)
        holder.wait(10)


def test_help_needs_nothing(tmp_path: Path) -> None:
    result = up("--help", var=tmp_path / "var")
    assert result.returncode == 0
    assert "--demo" in result.stdout and "Ctrl-C" in result.stdout
