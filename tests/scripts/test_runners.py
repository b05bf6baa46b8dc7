"""Runs of tests and checks: their closing lines, also of those that run beside others."""

from __future__ import annotations

import os
import signal
from pathlib import Path

from tests.scripts.shell import run, start
from tests.scripts.waiting import eventually

PARTS = ("progress", "runners")


def test_a_failed_run_does_not_stop_the_next_and_fails_the_whole(tmp_path: Path) -> None:
    body = """runner one sh -c 'echo "=== 1 failed in 1s ==="; exit 3'
        runner two echo '=== 2 passed in 1s ==='
        conclude all"""
    result = run(PARTS, body, tmp_path)
    assert result.returncode == 1
    one, two, last = result.stdout.splitlines()[-3:]
    assert one.startswith("one         exit 3") and one.endswith("=== 1 failed in 1s ===")
    assert two.startswith("two         ok") and two.endswith("=== 2 passed in 1s ===")
    assert last == "all: failed: one"


def test_a_run_beside_another_prints_its_output_when_it_is_awaited(tmp_path: Path) -> None:
    """Each waits for the other: one after the other, they would never end."""
    body = f"""meet() {{ printf 'touch %s; until [ -e %s ]; do sleep 0.01; done; echo %s ends' "$@"; }}
        beside slow sh -c "$(meet {tmp_path}/begun {tmp_path}/met slow)"
        runner quick sh -c "$(meet {tmp_path}/met {tmp_path}/begun quick)"
        await_beside slow absent
        conclude all"""
    result = run(PARTS, body, tmp_path)
    assert result.returncode == 0, result.stderr
    lines = [line for line in result.stdout.splitlines() if "ends" in line and "sh -c" not in line]
    assert lines[:2] == ["quick ends", "slow ends"]
    assert [line.split()[:2] for line in lines[2:]] == [["quick", "ok"], ["slow", "ok"]]


def test_a_failure_beside_another_fails_the_whole(tmp_path: Path) -> None:
    result = run(
        PARTS, "beside bad sh -c 'exit 7'; runner good true; await_beside bad; conclude all", tmp_path
    )
    assert result.returncode == 1
    assert result.stdout.splitlines()[-1] == "all: failed: bad"


def test_a_run_that_nobody_awaited_is_not_called_passed(tmp_path: Path) -> None:
    result = run(PARTS, "beside bad sh -c 'exit 7'; runner good true; conclude all", tmp_path)
    assert result.returncode == 1
    assert result.stdout.splitlines()[-1] == "all: failed: bad"


def test_ctrl_c_ends_a_run_beside_another(tmp_path: Path) -> None:
    body = f"""beside long sh -c 'trap "echo message >{tmp_path}/message; exit 1" INT
        : >{tmp_path}/runs
        while :; do sleep 0.05; done'
        runner other sh -c 'while :; do sleep 0.05; done'"""
    child = start(PARTS, body, tmp_path)
    assert eventually((tmp_path / "runs").exists)
    # A terminal sends it to the foreground's whole group.
    os.killpg(child.pid, signal.SIGINT)
    child.communicate(timeout=20)
    assert child.returncode == 130
    assert (tmp_path / "message").read_text() == "message\n"
