"""A host that is drained, or outside its hours, claims nothing; its queue and its policy."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from backend.core.errors import NotFound
from backend.core.topology.host_policy import HostPolicy
from backend.store.models import DEFAULT_TEAM
from backend.store.repositories import host_queue, host_settings, hosts, runs, trials
from tests.accounts import add_account
from tests.records import trial_record
from tests.store.queued_run import QueuedRun

HOST = "bench-1"


def closed_at(now: datetime) -> HostPolicy:
    """Hours that begin an hour from now, in UTC."""
    begin, end = now + timedelta(hours=1), now + timedelta(hours=2)
    window = {"days": [f"{begin:%a}".lower()], "opens": f"{begin:%H:%M}", "closes": f"{end:%H:%M}"}
    return HostPolicy.model_validate({"hours": {"time_zone": "UTC", "windows": [window]}})


def test_a_drained_host_claims_nothing_and_its_running_trial_ends_by_itself(queued: QueuedRun) -> None:
    first = queued.must_claim()
    ada = add_account(queued.settings)
    queued.call(host_settings.drain, HOST, ada)
    assert queued.claim() is None
    assert queued.call(trials.heartbeat, first.trial_id, first.fence) == "ok"
    record = trial_record(first)
    assert queued.call(trials.record, first.trial_id, first.fence, record, "sha", None) == "recorded"
    assert queued.claim() is None and queued.run()["progress"]["done"] == 1
    queued.call(host_settings.resume, HOST)
    assert queued.must_claim().cell_id == "c2"


def test_the_first_of_two_who_drain_a_host_is_kept(queued: QueuedRun) -> None:
    ada, bob = (add_account(queued.settings, name=name) for name in ("Ada", "Bob"))
    queued.call(host_settings.drain, HOST, ada)
    drained_at = queued.call(hosts.find, HOST).drained_at
    queued.call(host_settings.drain, HOST, bob)
    found = queued.call(hosts.find, HOST)
    assert (found.drained_by, found.drained_at) == ("Ada", drained_at)
    queued.call(host_settings.resume, HOST)
    queued.call(host_settings.resume, HOST)
    found = queued.call(hosts.find, HOST)
    assert (found.drained_by, found.drained_at) == (None, None)


def test_a_cancelled_run_ends_on_a_drained_host_whose_worker_is_gone(queued: QueuedRun) -> None:
    queued.must_claim()
    queued.call(host_settings.drain, HOST, add_account(queued.settings))
    queued.call(runs.cancel, queued.run_id)
    queued.expire_leases()
    assert queued.claim() is None
    assert queued.run()["state"] == "cancelled"


def test_outside_its_hours_a_host_claims_nothing(queued: QueuedRun) -> None:
    now = queued.sql("SELECT clock_timestamp()")[0][0]
    queued.call(host_settings.set_policy, HOST, closed_at(now))
    assert queued.claim() is None
    opens = queued.call(hosts.find, HOST).opens_at
    assert opens is not None and timedelta(minutes=58) < opens - now <= timedelta(hours=1)
    queued.call(host_settings.set_policy, HOST, HostPolicy())
    assert queued.must_claim().cell_id == "c1"


def test_a_policy_is_stored_whole_and_read_back(queued: QueuedRun) -> None:
    assert queued.call(host_settings.policy_of, queued.host_id) == HostPolicy()
    policy = HostPolicy.model_validate(
        {"engines": ["on"], "programs": [], "longest_trial_s": 60, "host_network": False}
    )
    queued.call(host_settings.set_policy, HOST, policy)
    queued.call(hosts.announce, HOST, {}, {})  # a worker that starts again changes none of it
    assert queued.call(host_settings.policy_of, queued.host_id) == policy
    queued.call(host_settings.set_labels, HOST, ["metal", "arm", "metal"])
    assert queued.call(hosts.find, HOST).labels == ["arm", "metal"]
    for change in (
        lambda s: host_settings.resume(s, "nobody"),
        lambda s: host_settings.policy_of(s, "hst_0"),
    ):
        with pytest.raises(NotFound):
            queued.call(change)


def test_the_queue_names_only_runs_of_the_given_teams(queued: QueuedRun) -> None:
    assert queued.call(host_queue.current_trial, queued.host_id) is None
    claimed = queued.must_claim()
    mine = queued.call(host_queue.queue_of, queued.host_id, [DEFAULT_TEAM])
    assert [(run.id, run.queued_trials, run.running_trials) for run in mine.runs] == [(queued.run_id, 3, 1)]
    others = queued.call(host_queue.queue_of, queued.host_id, [])
    assert (others.runs, others.other_runs, others.queued_trials, others.running_trials) == ((), 1, 3, 1)
    current = queued.call(host_queue.current_trial, queued.host_id)
    assert (current.trial_id, current.label, current.round) == (claimed.trial_id, "same container", 1)
    queued.expire_leases()
    assert queued.call(host_queue.current_trial, queued.host_id) is None


def test_open_levels_are_counted_by_run(queued: QueuedRun) -> None:
    queued.must_claim()
    found = queued.call(host_settings.open_levels, HOST)
    assert {(one.run_id, one.levels["path"], one.trials) for one in found} == {
        (queued.run_id, "same_container", 2),
        (queued.run_id, "published_loopback", 2),
    }
