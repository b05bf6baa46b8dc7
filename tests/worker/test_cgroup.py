"""Cgroups: parsers on captured text, and the client's cgroup on this host."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from worker.host.cgroups import Limits, make_group
from worker.host.reaper import remove_cgroup
from worker.sample import cgroup
from worker.sample.cgroup import (
    ClientGroup,
    CpusetRefused,
    Hierarchy,
    Throttling,
    find_controller,
    find_hierarchy,
    parse_throttling,
    pids_in,
)

PARENT = "plmtest-group"
HYBRID = """30 24 0:26 / /sys/fs/cgroup ro - tmpfs tmpfs ro
31 30 0:27 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw
32 30 0:28 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct
"""


def test_a_controller_is_found_in_the_version_that_has_it() -> None:
    cpu, memory = find_controller("cpu", HYBRID), find_controller("memory", HYBRID)
    assert cpu is not None
    assert memory is not None
    assert (cpu.mount, cpu.version) == (Path("/sys/fs/cgroup/cpu,cpuacct"), 1)
    assert (memory.mount, memory.version) == (Path("/sys/fs/cgroup/unified"), 2)
    assert find_controller("cpu", HYBRID.splitlines()[0]) is None


def test_throttling_in_both_versions() -> None:
    old = "nr_periods 40\nnr_throttled 12\nthrottled_time 900000000\nnr_bursts 0\nburst_time 0\n"
    new = "usage_usec 5\nuser_usec 3\nsystem_usec 2\nnr_periods 40\nnr_throttled 12\nthrottled_usec 900000\n"
    assert parse_throttling(old) == parse_throttling(new) == Throttling(40, 12, 900_000_000)
    assert parse_throttling("usage_usec 5\nuser_usec 3\nsystem_usec 2\n") is None


@pytest.fixture
def parent() -> Iterator[str]:
    if os.geteuid() != 0:
        pytest.skip("control groups can only be made by root")
    yield f"/{PARENT}"
    remove_cgroup(PARENT)


@pytest.fixture
def child() -> Iterator[subprocess.Popen[bytes]]:
    """A process that prints the CPUs it may run on for every line on its input."""
    loop = "while read line; do grep Cpus_allowed_list /proc/self/status; done"
    process = subprocess.Popen(["sh", "-c", loop], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    yield process
    process.kill()
    process.wait()


def _allowed(child: subprocess.Popen[bytes]) -> str:
    assert child.stdin is not None
    assert child.stdout is not None
    child.stdin.write(b"\n")
    child.stdin.flush()
    return child.stdout.readline().decode().split(":")[1].strip()


def test_an_adopted_process_is_counted_and_bound_to_its_cpus(
    parent: str, child: subprocess.Popen[bytes]
) -> None:
    hierarchy = find_hierarchy()
    group = ClientGroup(hierarchy, parent)
    anywhere = _allowed(child)
    group.adopt(child.pid)
    assert pids_in(hierarchy, group.group) == [child.pid]
    assert _allowed(child) == anywhere, "without a cpuset the client runs where it could before"
    before = group.meter.read_ns()
    last = max(int(part) for part in anywhere.replace("-", ",").split(","))
    group.pin(str(last))
    group.adopt(child.pid)
    assert _allowed(child) == str(last)
    assert group.meter.read_ns() > before, "the greps were counted"
    group.close()


def test_cpus_that_the_host_does_not_have_are_refused(parent: str) -> None:
    with pytest.raises(CpusetRefused, match="client_cpuset '4090'"):
        ClientGroup(find_hierarchy(), parent, "4090")


def test_a_group_that_is_gone_has_no_processes() -> None:
    assert pids_in(find_hierarchy(), "/plmtest-never-made") == []


def test_a_missing_controller_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Version 2 gives a group the files of a controller only where all groups above enable it."""
    unified = Hierarchy(tmp_path, 2)
    monkeypatch.setattr(cgroup, "find_controller", lambda _name: unified)
    monkeypatch.setattr(cgroup, "CpuMeter", lambda *_: None)
    with pytest.raises(CpusetRefused) as refused:
        ClientGroup(unified, "/plmtest", "0")
    assert str(refused.value) == (
        f"client_cpuset: the kernel offers no cpuset controller to {tmp_path}/plmtest/client: enable it in "
        "cgroup.subtree_control of the folders above; or leave it empty"
    )


def test_limits_of_a_group_need_their_controllers(tmp_path: Path) -> None:
    mounts = f"1 1 0:1 / {tmp_path} rw - cgroup2 cgroup2 rw"
    with pytest.raises(OSError, match="no memory controller"):
        make_group("plmtest/server", Limits(memory_bytes=1 << 20), mounts)
    assert make_group("plmtest/other", Limits(), mounts) == (tmp_path / "plmtest/other",)
