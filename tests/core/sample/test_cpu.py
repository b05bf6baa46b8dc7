"""CPU by role: nothing is taken off the work, and no reading of a counter gives an impossible figure."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.core.sample.bounds import CAPACITY_TOLERANCE, SUM_TOLERANCE, Figures, violations
from backend.core.sample.cpu import CpuDelta, cpu_by_role
from backend.core.sample.metrics import metrics
from backend.core.sample.record import CpuByRole
from backend.core.sample.result import ToolResult

SOURCES = dict.fromkeys(("client", "server", "proxy", "other"), "test")


def figures_of(cpu: CpuByRole, **more: float) -> Figures:
    return Figures(
        roles=dict(cpu.roles), idle=cpu.idle, steal=cpu.steal, unattributed=cpu.unattributed,
        **more,
    )  # fmt: skip


def test_the_rest_is_the_kernels_and_everything_adds_up() -> None:
    delta = CpuDelta(client=1.0, server=1.5, proxy=1.0, threads=0.2, tasks=4.2, idle=1.2, steal=0.1)
    cpu = cpu_by_role(delta, 6.0, SOURCES)
    assert cpu.roles == pytest.approx(
        {"client": 1.0, "server": 1.5, "proxy": 1.0, "kernel": 0.7, "other": 0.5}
    )
    assert (cpu.untasked, cpu.overlap, cpu.unattributed) == pytest.approx((0.5, 0.0, 0.0))
    assert cpu.host_busy == pytest.approx(4.7)
    assert "0.500 core-seconds in no task" in cpu.sources["kernel"]
    assert violations(figures_of(cpu)) == ()


@pytest.mark.parametrize(("interrupts", "named"), [(None, False), (0.0, True), (0.25, True)])
def test_the_source_of_the_kernels_time_names_interrupts_that_are_counted(
    interrupts: float | None, named: bool
) -> None:
    delta = CpuDelta(1.0, 1.5, 1.0, 0.2, 4.2, 1.2, 0.1, interrupts)
    source = cpu_by_role(delta, 6.0, SOURCES).sources["kernel"]
    assert ("irq and softirq of /proc/stat" in source) is named


def test_a_surplus_is_told_and_never_taken_off_the_work() -> None:
    delta = CpuDelta(client=1.0, server=1.5, proxy=0.3, threads=0.1, tasks=3.03, idle=2.27, steal=2.2)
    cpu = cpu_by_role(delta, 7.29, SOURCES)
    assert cpu.host_busy == pytest.approx(3.03)
    assert cpu.overlap == pytest.approx(3.03 + 2.27 + 2.2 - 7.29)
    assert cpu.unattributed == -cpu.overlap
    assert cpu.untasked == 0.0
    assert violations(figures_of(cpu)) == (), "within the tolerance of two sources"


def test_where_the_counters_disagree_widely_the_trial_is_invalid() -> None:
    delta = CpuDelta(client=1.0, server=1.5, proxy=0.3, threads=0.1, tasks=3.03, idle=2.27, steal=5.66)
    (reason,) = violations(figures_of(cpu_by_role(delta, 7.29, SOURCES)))
    assert reason == (
        "tasks, idle time and steal are 10.96 core-seconds together, and the host had 7.29: "
        "its counters disagree"
    )


@pytest.mark.parametrize(
    "name", ["client", "server", "proxy", "threads", "tasks", "idle", "steal", "interrupts"]
)
def test_a_counter_that_runs_backwards_is_named(name: str) -> None:
    usual = {
        "client": 1.0,
        "server": 1.0,
        "proxy": 0.0,
        "threads": 0.1,
        "tasks": 2.1,
        "idle": 1.9,
        "steal": 0.0,
    }
    assert CpuDelta(**usual).backwards() == ()
    assert CpuDelta(**{**usual, name: -0.02}).backwards() == (), "iowait goes back by some ticks"
    (reason,) = CpuDelta(**{**usual, name: -1.5}).backwards()
    assert reason == f"the counter of {name} ran backwards by 1.500 core-seconds"


HOSTILE = st.one_of(
    st.floats(-5, 50),
    st.sampled_from([0.0, -0.0, -1e-9, 2.0**64 / 1e9, -(2.0**64) / 1e9, 1e12, -1e12]),
)


@st.composite
def cpu_deltas(draw: st.DrawFn) -> CpuDelta:
    interrupts = draw(st.one_of(st.none(), HOSTILE))
    return CpuDelta(*(draw(HOSTILE) for _ in range(7)), interrupts)


@given(
    delta=cpu_deltas(),
    seconds=st.one_of(st.just(0.0), st.floats(-1, 100), st.just(1e9)),
    cores=st.integers(1, 512),
    operations=st.integers(0, 10**9),
)
def test_every_reading_is_within_bounds_or_invalid(
    delta: CpuDelta, seconds: float, cores: int, operations: int
) -> None:
    cpu = cpu_by_role(delta, cores * seconds, SOURCES)
    result = ToolResult("pgbench", None, operations, 0, 1, True, {"tps": float(operations)})
    found = metrics(result, cpu, seconds, {}, {})
    figures = (
        *cpu.roles.values(),
        *found.values(),
        cpu.host_busy,
        cpu.idle,
        cpu.steal,
        cpu.overlap,
        cpu.capacity,
    )
    assert all(math.isfinite(value) and value >= 0 for value in figures)
    assert (
        cpu.host_busy
        >= sum(max(0.0, t) for t in (delta.client, delta.server, delta.proxy)) * (1 - 1e-9) - 1e-5
    )
    judged = Figures(
        metrics=found, roles=dict(cpu.roles), idle=cpu.idle, steal=cpu.steal, unattributed=cpu.unattributed,
        window_s=seconds, duration_s=seconds,
    )  # fmt: skip
    if not delta.backwards() and not violations(judged):
        capacity = cores * seconds
        assert seconds > 0
        assert operations > 0
        assert (
            max(*cpu.roles.values(), cpu.host_busy, cpu.idle, cpu.steal)
            <= (1 + CAPACITY_TOLERANCE) * capacity + 0.01
        )
        assert cpu.host_busy + cpu.idle + cpu.steal <= (1 + SUM_TOLERANCE) * capacity + 0.01
