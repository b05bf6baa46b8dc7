"""Readers of the kernel's counters: parsers on captured text, clocks on real processes."""

from __future__ import annotations

import os
import socket
import subprocess
import sys

import pytest

from worker.measure.cgroup import find_hierarchy, group_of
from worker.measure.counters import (
    TICK_S,
    parse_devices,
    parse_dnat,
    parse_named,
    parse_peers,
    parse_proc_stat,
    read_host_cpu,
)
from worker.measure.process_clock import cpu_ns, cpu_ns_of_all, kernel_threads, sockets_of
from worker.measure.roles import Reading, by_role

DEVICES = """Inter-|   Receive                                      |  Transmit
 face |bytes packets errs drop fifo frame compressed multicast|bytes packets errs drop fifo colls carrier
    lo:    1200      10 0 0 0 0 0 0     1200      10 0 0 0 0 0 0
  plm0: 5000000   40000 0 0 0 0 0 0  7000000   41000 0 0 0 0 0 0
"""
RULES = """*nat
:PREROUTING ACCEPT [0:0]
[12:720] -A DOCKER ! -i plm0 -p tcp -m tcp --dport 5432 -j DNAT --to-destination 198.18.64.2:5432
[3:180] -A DOCKER ! -i plm0 -p tcp -m tcp --dport 8080 -j DNAT --to-destination 198.18.64.3:80
[0:0] -A DOCKER -i plm0 -j RETURN
COMMIT
"""
TCP = """  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 00000000:1538 00000000:0000 0A 00000000:00000000 00:00000000 00000000 10001        0 1 1 0 100 0 0 10 0
   1: 024012C6:1538 014012C6:D2F4 01 00000000:00000000 00:00000000 00000000 10001        0 2 1 0 20 4 30 10 -1
   2: 024012C6:1538 014012C6:D2F6 01 00000000:00000000 00:00000000 00000000 10001        0 3 1 0 20 4 30 10 -1
   3: 024012C6:1538 014012C6:D2F8 06 00000000:00000000 00:00000000 00000000 10001        0 4 1 0 20 4 30 10 -1
   4: 024012C6:0050 014012C6:D2FA 01 00000000:00000000 00:00000000 00000000 10001        0 5 1 0 20 4 30 10 -1
"""


def test_devices_give_bytes_received_and_sent() -> None:
    assert parse_devices(DEVICES) == {"lo": (1200, 1200), "plm0": (5_000_000, 7_000_000)}


def test_peers_are_counted_by_address_and_only_established_ones_on_the_port() -> None:
    assert parse_peers(TCP, 5432) == {"198.18.64.1": 2}


def test_dnat_counts_the_connections_of_one_port() -> None:
    assert parse_dnat(RULES, 5432) == 12
    assert parse_dnat(RULES, 9999) == 0


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
    """What one thread burns is on the process's clock after the thread is gone."""
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


def test_kernel_threads_are_found_and_are_not_us() -> None:
    found = kernel_threads()
    assert 2 in found
    assert os.getpid() not in found


def test_sockets_are_counted() -> None:
    left, right = socket.socketpair()
    with left, right:
        assert sockets_of([os.getpid()]) >= 2


def test_our_own_group_is_known() -> None:
    hierarchy = find_hierarchy()
    assert hierarchy.usage_file(group_of(hierarchy, os.getpid())).exists()


def test_roles_and_remainder_sum_to_the_busy_host() -> None:
    host = read_host_cpu()
    start = Reading(client=0, server=0, root=0, proxy={7: 100}, kernel={2: 0}, host=host)
    later = type(host)(host.busy + 4.0, host.idle + 2.0, host.steal, host.softirq, host.context_switches)
    end = Reading(
        client=int(1e9),
        server=int(1.5e9),
        root=int(3.9e9),
        proxy={7: 100 + int(0.6e9), 8: int(0.1e9)},
        kernel={2: int(0.2e9)},
        host=later,
    )
    cpu = by_role(start, end, 3.0, 1)
    assert cpu.roles == pytest.approx(
        {"client": 1.0, "server": 1.5, "proxy": 0.7, "kernel": 0.2, "other": 0.5}
    )
    assert cpu.host_busy == pytest.approx(4.0, abs=0.001)
    assert sum(cpu.roles.values()) + cpu.unattributed == pytest.approx(cpu.host_busy, abs=1e-3)
