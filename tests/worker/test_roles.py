"""CPU by role: its arithmetic, and the remainder to the CPU time of this host."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from dataclasses import replace

import pytest

from worker.sample.cgroup import CpuMeter, find_hierarchy, group_of
from worker.sample.counters import HostCpu
from worker.sample.roles import CpuReading, RoleMeters, by_role

HOST = HostCpu(busy=100.0, idle=50.0, steal=1.0, softirq=5.0, context_switches=0)
START = CpuReading(
    client=0, server=0, root=0, proxy={7: 100}, kernel={2: 0}, host=HOST, reverse_proxy=int(1e9)
)
END = CpuReading(
    client=int(1e9),
    server=int(1.5e9),
    root=int(4.2e9),
    proxy={7: 100 + int(0.6e9), 8: int(0.1e9)},
    kernel={2: int(0.2e9)},
    host=HostCpu(busy=103.0, idle=51.2, steal=1.1, softirq=5.4, context_switches=0),
    reverse_proxy=int(1.3e9),
)


@pytest.fixture(autouse=True)
def two_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 2)


def test_the_components_sum_to_the_hosts_cpu_time() -> None:
    cpu = by_role(START, END, 3.0, 1)
    assert cpu.roles == pytest.approx(
        {"client": 1.0, "server": 1.5, "proxy": 1.0, "kernel": 0.2 + 0.5, "other": 0.5}
    )
    assert cpu.untasked == pytest.approx(6.0 - 4.2 - 1.2 - 0.1), "in no task: the kernel's, and told apart"
    assert "0.500 core-seconds in no task" in cpu.sources["kernel"]
    assert cpu.unattributed == pytest.approx(0.0)
    assert cpu.host_busy == pytest.approx(sum(cpu.roles.values()) + cpu.unattributed)
    assert sum(cpu.roles.values()) + cpu.unattributed + cpu.idle + cpu.steal == pytest.approx(cpu.capacity)


def test_too_large_a_sum_gives_a_negative_remainder() -> None:
    """A counter that runs too fast is visible, and not hidden by a limit at zero."""
    cpu = by_role(START, replace(END, root=int(6e9)), 3.0, 1)
    assert cpu.unattributed == pytest.approx(6.0 - 6.0 - 1.2 - 0.1)
    assert cpu.untasked == 0.0


def test_interrupts_count_for_the_kernel_where_no_task_has_them() -> None:
    apart = by_role(replace(START, interrupts=5.0), replace(END, interrupts=5.4), 3.0, 1)
    plain = by_role(START, END, 3.0, 1)
    assert apart.untasked == pytest.approx(plain.untasked - 0.4)
    assert apart.roles == pytest.approx(plain.roles)
    assert "softirq" in apart.sources["kernel"]
    assert "softirq" not in plain.sources["kernel"]


def test_the_remainder_is_small_on_this_host(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beside a busy process the remainder of tasks, idle and stolen time is small and not negative."""
    monkeypatch.undo()
    hierarchy = find_hierarchy()
    own = CpuMeter(hierarchy, group_of(hierarchy, os.getpid()))
    burn = f"import time\nend = time.monotonic() + {1.5}\nwhile time.monotonic() < end: pass"
    child = subprocess.Popen([sys.executable, "-c", burn])
    meters = RoleMeters(hierarchy, own, own, (child.pid,))
    try:
        start, began = meters.read(), time.monotonic()
        child.wait(timeout=60)
        end, seconds = meters.read(), time.monotonic() - began
    finally:
        meters.close()
        own.close()
        child.kill()
    cpu = by_role(start, end, seconds, hierarchy.version)
    tasks = cpu.tasks_total + cpu.idle + cpu.steal
    assert tasks == pytest.approx(cpu.capacity, rel=0.10), "worst seen on a busy host: 4 %"
    assert cpu.tasks_total > 0.5, "the busy process is in the root group"
