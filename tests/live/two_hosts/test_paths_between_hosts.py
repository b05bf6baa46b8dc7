"""A trial on two hosts: two workers' parts, each with a Docker daemon in a network namespace of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from backend.core.topology.two_hosts import TWO_HOST_PATHS
from backend.settings import Settings
from tests.live.conftest import levels_of
from tests.live.kinds import full_unless
from tests.live.two_hosts.pair import (
    CLIENT,
    SERVER,
    TwoHosts,
    check_both_ends,
    measured,
    proven,
)
from tests.store.queued_run import QueuedRun


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(path, marks=full_unless(path == "published_remote"))
        for path in TWO_HOST_PATHS
        if path != "overlay"
    ],
)
def test_the_path_between_two_hosts_is_proven_from_both_ends(
    path: str, two_hosts: TwoHosts, queued: QueuedRun, worker_settings: Settings, tmp_path: Path
) -> None:
    record, seen = proven(path, two_hosts, queued, worker_settings, tmp_path)
    assert set(seen["peer address"].observed.split(" × ")[:1]) == {CLIENT}
    check_both_ends(record, seen)


@pytest.mark.full
def test_a_firewall_between_the_hosts_is_found_before_the_load(
    two_hosts: TwoHosts, queued: QueuedRun, worker_settings: Settings, tmp_path: Path
) -> None:
    levels = levels_of("host_network_remote", True, service="pong", engine="host", duration_s=1)
    rule = ("-t", "raw", "PREROUTING", "-s", CLIENT, "-p", "tcp", "-j", "DROP")
    two_hosts.in_server_namespace("iptables", *rule[:2], "-I", *rule[2:])
    try:
        assert measured(two_hosts, queued, worker_settings, tmp_path, levels) == ("failed", "failed")
    finally:
        two_hosts.in_server_namespace("iptables", *rule[:2], "-D", *rule[2:])
    ((code, detail),) = queued.sql("SELECT failure_code, failure_detail FROM trial WHERE state = 'failed'")
    assert code == "no_reply"
    assert SERVER in detail
    assert CLIENT in detail
