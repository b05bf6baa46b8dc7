"""Readers of the kernel's counters: parsers on captured text, clocks on real processes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from worker.host.processes import cpu_ns, cpu_ns_of_all, kernel_threads
from worker.sample.cgroup import find_hierarchy, group_of
from worker.sample.counters import (
    TICK_S,
    parse_devices,
    parse_dnat,
    parse_esp,
    parse_named,
    parse_proc_stat,
)
from worker.sample.vxlan import VxlanReading, parse_vxlan, read_vxlan

DEVICES = """Inter-|   Receive                                      |  Transmit
 face |bytes packets errs drop fifo frame compressed multicast|bytes packets errs drop fifo colls carrier
    lo:    1200      10 0 0 0 0 0 0     1200      10 0 0 0 0 0 0
  plm0: 5000000   40000 0 0 0 0 0 0  7000000   41000 0 0 0 0 0 0
"""
OVERLAY = (
    DEVICES
    + """vxlan0: 3000 20 0 0 0 0 0 0 4000 30 0 0 0 0 0 0
vxlan1:500 5 0 0 0 0 0 0 0 0 0 0 0 0 0 0
   br0: 9000 90 0 0 0 0 0 0 9000 90 0 0 0 0 0 0
"""
)
RULES = """*nat
:PREROUTING ACCEPT [0:0]
[12:720] -A DOCKER ! -i plm0 -p tcp -m tcp --dport 5432 -j DNAT --to-destination 198.18.64.2:5432
[3:180] -A DOCKER ! -i plm0 -p tcp -m tcp --dport 8080 -j DNAT --to-destination 198.18.64.3:80
[0:0] -A DOCKER -i plm0 -j RETURN
COMMIT
"""


def test_devices_give_bytes_received_and_sent() -> None:
    assert parse_devices(DEVICES) == {"lo": (1200, 1200), "plm0": (5_000_000, 7_000_000)}


def test_vxlan_devices_are_summed_in_both_directions() -> None:
    assert parse_vxlan(OVERLAY) == VxlanReading(bytes=7500, packets=55)
    assert parse_vxlan(DEVICES) == VxlanReading(0, 0)


def test_an_overlay_that_is_not_there_is_not_read(tmp_path: Path) -> None:
    assert read_vxlan(None) is None
    assert read_vxlan(tmp_path / "gone") is None


def test_dnat_counts_the_connections_of_one_port() -> None:
    assert parse_dnat(RULES, 5432) == 12
    assert parse_dnat(RULES, 9999) == 0


def test_esp_counts_the_bytes_of_every_association() -> None:
    states = (
        "src 198.18.1.3 dst 198.18.1.4\n\tproto esp spi 0x1(1) reqid 1(0x1) mode transport\n"
        "\tlifetime current:\n\t  1200(bytes), 10(packets)\n"
        "src 198.18.1.4 dst 198.18.1.3\n\tlifetime current:\n\t  800(bytes), 9(packets)\n"
    )
    assert parse_esp(states) == 2000
    assert parse_esp("") == 0


def test_named_pairs_of_lines() -> None:
    text = "Tcp: RtoAlgorithm RetransSegs\nTcp: 1 17\nUdp: InDatagrams\nUdp: 4\n"
    assert parse_named(text) == {"TcpRtoAlgorithm": 1, "TcpRetransSegs": 17, "UdpInDatagrams": 4}


def test_proc_stat_in_seconds() -> None:
    text = "cpu  100 20 30 400 50 6 7 8 0 0\ncpu0 1 2 3\nctxt 12345\nbtime 1\n"
    cpu = parse_proc_stat(text)
    assert cpu.busy == pytest.approx((100 + 20 + 30 + 6 + 7) * TICK_S)
    assert cpu.idle == pytest.approx(450 * TICK_S)
    assert (cpu.steal, cpu.context_switches) == (8 * TICK_S, 12345)


def test_a_process_clock_counts_threads_that_have_ended() -> None:
    """The CPU time of an ended thread stays on the clock of its process."""
    burn = (
        "import threading, time\n"
        "def burn():\n"
        "    end = time.thread_time() + 0.2\n"
        "    while time.thread_time() < end: pass\n"
        "t = threading.Thread(target=burn); t.start(); t.join()\n"
        "print('burnt', flush=True); input()\n"
    )
    child = subprocess.Popen([sys.executable, "-c", burn], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    try:
        assert child.stdout is not None
        assert child.stdout.readline() == b"burnt\n"
        used = cpu_ns(child.pid)
        assert used is not None
        assert used > 200_000_000
    finally:
        child.kill()
        child.wait()
    assert cpu_ns(child.pid) is None
    assert cpu_ns_of_all([child.pid, os.getpid()]).keys() == {os.getpid()}


def test_kernel_threads_are_found_without_this_process() -> None:
    found = kernel_threads()
    assert 2 in found
    assert os.getpid() not in found


def test_the_cgroup_of_this_process_is_found() -> None:
    hierarchy = find_hierarchy()
    assert hierarchy.usage_file(group_of(hierarchy, os.getpid())).exists()
