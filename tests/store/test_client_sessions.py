"""Client sessions in the database: phases, loss of either side, and hosts that wait for each other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from backend.core.errors import Conflict, NotFound
from backend.core.plan.client_session import PHASES, ClientRequest, ClientSession, Phase, side_of
from backend.core.topology.host_policy import OPEN
from backend.store.repositories import client_sessions, host_settings, hosts, runs, trials
from tests.store.queued_run import QueuedRun, create_run
from tests.store.test_host_settings import closed_at


@dataclass
class Pair:
    """A claimed trial of bench-1 whose run names bench-2 as its client host."""

    queued: QueuedRun
    client: str
    trial: str
    fence: int

    def request(self) -> ClientSession:
        return self.queued.call(
            client_sessions.request, self.queued.host_id, self.trial, self.fence, {"seconds": 5}
        )

    def move(self, phase: Phase | None = None, *, side: str = "", reason: str = "") -> ClientSession:
        host = self.client if (side or side_of(phase or "requested")) == "client" else self.queued.host_id
        document = None if phase is None else {"of": phase}
        return self.queued.call(client_sessions.move, host, self.trial, self.fence, phase, document, reason)

    def silence(self, side: str) -> None:
        self.queued.sql(f"UPDATE client_session SET {side}_seen_at = clock_timestamp() - interval '21 s'")


def name_client(queued: QueuedRun, run_id: str, client: str) -> None:
    queued.sql("UPDATE run SET client_host_id = :client WHERE id = :run", client=client, run=run_id)


@pytest.fixture
def pair(queued: QueuedRun) -> Pair:
    client = queued.call(hosts.announce, "bench-2", {}, {})
    name_client(queued, queued.run_id, client)
    claimed = queued.must_claim()
    assert claimed.client_host == "bench-2"
    return Pair(queued, client, claimed.trial_id, claimed.fence)


def test_every_phase_in_turn(pair: Pair) -> None:
    assert pair.request() == ClientSession("requested", {"seconds": 5})
    waiting = pair.queued.call(client_sessions.next_request, pair.client)
    assert waiting == ClientRequest(pair.trial, pair.fence, {"seconds": 5}, "bench-1")
    for phase in PHASES[1:-1]:
        assert pair.move(phase) == ClientSession(phase, {"of": phase})
        assert pair.move(phase) == ClientSession(phase, {"of": phase}), "once more, the answer was lost"
        other = "server" if side_of(phase) == "client" else "client"
        assert pair.move(side=other) == ClientSession(phase, {"of": phase}), "the other side reads it"
    assert pair.queued.call(client_sessions.next_request, pair.client) is None
    assert pair.move("ended", side="server", reason="done") == ClientSession("ended", {"of": "ended"}, "done")
    assert pair.move("measured").phase == "ended", "nothing follows the end"


def test_no_phase_is_skipped_or_entered_by_the_wrong_side(pair: Pair) -> None:
    pair.request()
    with pytest.raises(Conflict, match="not its next phase"):
        pair.move("ready")
    with pytest.raises(Conflict, match="cannot enter"):
        pair.move("accepted", side="server")
    stranger = pair.queued.call(hosts.announce, "bench-3", {}, {})
    with pytest.raises(NotFound):
        pair.queued.call(client_sessions.move, stranger, pair.trial, pair.fence, "accepted")


def test_only_the_holder_of_a_trial_with_a_client_host_asks(pair: Pair) -> None:
    for host, fence in ((pair.client, pair.fence), (pair.queued.host_id, pair.fence + 1)):
        with pytest.raises(NotFound):
            pair.queued.call(client_sessions.request, host, pair.trial, fence, {})
    pair.queued.sql("UPDATE run SET client_host_id = NULL")
    with pytest.raises(NotFound):
        pair.request()


@pytest.mark.parametrize(("silent", "other"), [("client", "server"), ("server", "client")])
def test_a_silent_side_ends_the_session_for_the_other(pair: Pair, silent: str, other: str) -> None:
    pair.request()
    pair.move("accepted")
    pair.silence(silent)
    ended = pair.move(side=other)
    assert ended.phase == "ended"
    assert "has not been heard of for 20 s" in ended.reason
    assert pair.move(side=silent).phase == "ended"


def test_a_request_of_a_silent_host_is_not_served(pair: Pair) -> None:
    pair.request()
    pair.silence("server")
    assert pair.queued.call(client_sessions.next_request, pair.client) is None


def _ends(queued: QueuedRun, trial: str, fence: int) -> dict[str, Any]:
    return {
        "failed": lambda: queued.call(trials.fail, trial, fence, "timeout", "too slow"),
        "given back": lambda: queued.call(trials.requeue, trial, fence, "engine_lost", "gone", False),
        "cancelled": lambda: (
            queued.call(runs.cancel, queued.run_id),
            queued.call(trials.cancel_running, trial, fence),
        ),
    }


@pytest.mark.parametrize("how", ["failed", "given back", "cancelled"])
def test_the_end_of_the_attempt_ends_the_session(pair: Pair, how: str) -> None:
    pair.request()
    pair.move("accepted")
    _ends(pair.queued, pair.trial, pair.fence)[how]()
    assert pair.move(side="client") == ClientSession("ended", {}, client_sessions.GONE)


def test_a_later_attempt_begins_a_new_session(pair: Pair) -> None:
    pair.request()
    pair.move("accepted")
    pair.queued.expire_leases()
    again = pair.queued.must_claim("w2")
    assert again.trial_id == pair.trial
    later = Pair(pair.queued, pair.client, again.trial_id, again.fence)
    assert later.request().phase == "requested"
    assert pair.move(side="client").phase == "ended", "the client of the earlier attempt stops"
    assert later.move("accepted").phase == "accepted"


def test_of_hosts_that_wait_for_each_other_one_yields(pair: Pair) -> None:
    queued = pair.queued
    back = queued.call(create_run, queued.experiment_id, pair.client)
    name_client(queued, back, queued.host_id)
    theirs = queued.call(trials.claim, pair.client, "w2")
    pair.request()
    queued.call(client_sessions.request, pair.client, theirs.trial_id, theirs.fence, {})
    mine = pair.move(side="server").must_yield
    other = queued.call(client_sessions.move, pair.client, theirs.trial_id, theirs.fence).must_yield
    assert {mine, other} == {True, False}
    assert mine is (pair.client < queued.host_id), "the lesser id goes first"


@pytest.mark.parametrize("gone", ["last_seen_at = clock_timestamp() - interval '61 s'", "drained_at = now()"])
def test_a_run_waits_for_its_client_host(queued: QueuedRun, gone: str) -> None:
    client = queued.call(hosts.announce, "bench-2", {}, {})
    name_client(queued, queued.run_id, client)
    queued.sql(f"UPDATE host SET {gone} WHERE id = :id", id=client)
    assert queued.claim() is None
    queued.sql(
        "UPDATE host SET last_seen_at = clock_timestamp(), drained_at = NULL WHERE id = :id", id=client
    )
    assert queued.claim() is not None


def close(queued: QueuedRun, name: str) -> None:
    """Give a host hours that begin an hour from now."""
    policy = closed_at(queued.call(hosts.find, name).now)
    queued.call(host_settings.set_policy, name, policy)


def test_a_run_waits_for_the_hours_of_its_client_host(queued: QueuedRun) -> None:
    client = queued.call(hosts.announce, "bench-2", {}, {})
    name_client(queued, queued.run_id, client)
    close(queued, "bench-2")
    assert queued.claim() is None
    other = queued.another_run()
    claimed = queued.claim()
    assert claimed is not None and claimed.run_id == other, "runs without that client host go on"
    queued.call(host_settings.set_policy, "bench-2", OPEN)
    claimed = queued.claim()
    assert claimed is not None and claimed.run_id == queued.run_id


def test_a_request_to_a_host_that_has_just_closed_ends(pair: Pair) -> None:
    pair.request()
    close(pair.queued, "bench-2")
    assert pair.queued.call(client_sessions.next_request, pair.client) is None
    assert pair.move(side="server") == ClientSession("ended", {}, client_sessions.NOT_NOW)


def test_a_session_that_was_accepted_goes_on_on_a_drained_host(pair: Pair) -> None:
    pair.request()
    pair.move("accepted")
    pair.queued.sql("UPDATE host SET drained_at = now() WHERE id = :id", id=pair.client)
    assert pair.move("offered").phase == "offered"
    assert pair.move("ready").phase == "ready"


def test_a_deleted_trial_takes_its_session_along(pair: Pair) -> None:
    pair.request()
    pair.queued.sql("DELETE FROM trial WHERE id = :id", id=pair.trial)
    assert pair.queued.sql("SELECT count(*) FROM client_session") == [(0,)]


@pytest.mark.parametrize("side", ["server", "client"])
def test_what_was_said_to_a_worker_that_vanished_does_not_stay(pair: Pair, side: str) -> None:
    """An offer may have a secret; a worker that starts again ends the sessions of the one before it."""
    pair.request()
    pair.move("accepted")
    pair.move("offered")
    host = pair.queued.host_id if side == "server" else pair.client
    pair.queued.call(trials.end_leases, host)
    ((phase, document),) = pair.queued.sql("SELECT phase, document FROM client_session")
    assert (phase, document) == ("ended", {})
    other = "client" if side == "server" else "server"
    assert pair.move(side=other).phase == "ended"


def test_a_request_of_another_host_outlives_the_start_of_the_worker_that_shall_serve_it(pair: Pair) -> None:
    pair.request()
    pair.queued.call(trials.end_leases, pair.client)
    assert pair.queued.call(client_sessions.next_request, pair.client) is not None
