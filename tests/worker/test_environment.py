"""Kernel settings are read when a run begins and at each trial, without a restart of the worker."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.store.queued_run import QueuedRun
from tests.worker.test_upgraded_docker import Worker, docker, testbed, warnings, worker
from worker.host import environment

__all__ = ["docker", "testbed", "worker"]

RMEM = "sysctl net.ipv4.tcp_rmem"
OLD, NEW = "4096 131072 6291456", "4096 262144 33554432"
SYSCTL_FILE = "proc/sys/net/ipv4/tcp_rmem"
GOVERNOR_FILE = "sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"


def put(root: Path, name: str, text: str) -> None:
    file = root / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


@pytest.fixture
def host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the files of /proc and /sys that the environment is read from."""
    root = tmp_path / "host"
    put(root, SYSCTL_FILE, OLD.replace(" ", "\t") + "\n")
    put(root, "proc/sys/net/core/somaxconn", "4096\n")
    put(root, "proc/sys/kernel/random/boot_id", "b5c7\n")
    put(root, GOVERNOR_FILE, "powersave\n")
    put(root, "etc/os-release", 'NAME="Debian"\nPRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\n')
    put(root, "proc/cpuinfo", "processor\t: 0\nmodel name\t: Xeon\n")
    monkeypatch.setattr(environment, "ROOT", root)
    return root


def test_the_environment_has_the_settings_of_the_files(host: Path) -> None:
    found = environment.host_environment()
    assert found[RMEM] == OLD
    assert (found["sysctl net.core.somaxconn"], found["boot id"]) == ("4096", "b5c7")
    assert (found["os"], found["cpu"]) == ("Debian GNU/Linux 12 (bookworm)", "Xeon")
    assert found["sysctl net.bridge.bridge-nf-call-iptables"] == found["clocksource"] == "unknown"


def test_what_can_change_is_read_anew(host: Path) -> None:
    before = environment.changing_environment()
    put(host, SYSCTL_FILE, NEW)
    put(host, GOVERNOR_FILE, "performance")
    put(host, "etc/os-release", 'PRETTY_NAME="Debian GNU/Linux 13 (trixie)"')
    after = environment.changing_environment()
    assert {name: value for name, value in after.items() if before[name] != value} == {
        RMEM: NEW,
        "cpu governor": "performance",
        "os": "Debian GNU/Linux 13 (trixie)",
    }
    assert environment.host_environment().items() >= after.items()


def rmem_of(queued: QueuedRun) -> str:
    found = "SELECT environment ->> :name FROM run WHERE id = :run"
    return str(queued.sql(found, name=RMEM, run=queued.run_id)[0][0])


def test_a_sysctl_between_two_runs(host: Path, worker: Worker) -> None:
    first = worker.run()
    put(host, SYSCTL_FILE, NEW)
    second = worker.run()
    assert (rmem_of(first), rmem_of(second)) == (OLD, NEW)
    stored = second.sql("SELECT environment ->> :name FROM host WHERE id = :id", name=RMEM, id=worker.host_id)
    assert stored == [(NEW,)], "the page of the host has it too"
    assert RMEM not in warnings(worker.owner, first) + warnings(worker.owner, second)


def test_a_sysctl_between_two_trials(host: Path, worker: Worker) -> None:
    worker.before = lambda number: put(host, SYSCTL_FILE, NEW) if number == 3 else None
    queued = worker.run()
    assert rmem_of(queued) == OLD, "what the run began with"
    warned = warnings(worker.owner, queued)
    assert f"{RMEM} changed during the run ({OLD}, then {NEW})" in warned
