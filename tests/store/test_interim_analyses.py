"""Interim analyses of a queued run: skipped trials, crashes, cancellation."""

from __future__ import annotations

import threading
from dataclasses import asdict, replace
from typing import Any

import pytest

from backend.core.definition.canonical import canonical, digest
from backend.core.definition.submitted import validate_document
from backend.core.plan.build import build_plan
from backend.core.plan.claimed import ClaimedTrial
from backend.core.plan.stored import to_store
from backend.settings import Settings
from backend.store import invariants
from backend.store.models import DEFAULT_TEAM
from backend.store.repositories import events, experiments, hosts, interim_analyses, runs, trial_rows, trials
from backend.store.session import session_scope
from tests.records import trial_record
from tests.store.queued_run import QueuedRun

DOCUMENT: dict[str, Any] = {
    "quality": {"wait_for_quiet_s": 0, "max_other_cores": None, "max_steal": None, "retakes": 0},
    "name": "looking",
    "title": "Looking",
    "factors": {
        "path": ["same_container", "published_loopback", "sibling_container"],
        "duration_s": 10,
        "warm_up_s": 2,
    },
    "baseline": {"path": "same_container"},
    "metrics": ["tps"],
    "rounds": 8,
    "stopping": {"every": 2, "at_most": 12},
}
INTERIM_ROUNDS = (8, 10, 12)
ROUNDS, CELLS = 12, 4
UNDECIDED = (0.8, 1.25)
"""The third path is in turn much slower and much faster than the baseline: no interim analysis decides it."""


def open_run(settings: Settings, **stopping: Any) -> QueuedRun:
    document = validate_document({**DOCUMENT, "stopping": {**DOCUMENT["stopping"], **stopping}})
    fixed = document.model_copy(update={"rounds": ROUNDS, "stopping": None})
    plan = replace(build_plan(fixed, lambda _levels: None), interim_rounds=INTERIM_ROUNDS)
    levels = {cell.id: cell.levels for cell in plan.cells}
    rows = [{**asdict(trial), "levels": levels[trial.cell_id]} for trial in plan.trials]
    kept = to_store(plan)
    with session_scope(settings) as session:
        host_id = hosts.announce(session, "bench-1", {}, {})
        stored, _ = experiments.add(session, DEFAULT_TEAM, canonical(document), digest(document))
        run_id = runs.create(session, stored.id, host_id, kept, rows).id
    return QueuedRun(settings, host_id, run_id, stored.id)


@pytest.fixture
def adaptive(settings: Settings) -> Any:
    """A queued run of four cells over at most twelve rounds; in the end nothing is lost or duplicated."""
    queued = open_run(settings)
    yield queued
    assert queued.call(invariants.violations) == []


def record(queued: QueuedRun, trial: ClaimedTrial, clear: bool = False) -> None:
    factor = {
        "same_container": 1.0,
        "published_loopback": 0.6,
        "sibling_container": 0.6 if clear else UNDECIDED[trial.round % 2],
    }[str(trial.levels["path"])]
    tps = 1e4 * factor * (1 + trial.round / 1e4 + (trial.cell_id == "c1") / 1e5)
    assert queued.call(trials.record, trial.trial_id, trial.fence, trial_record(trial, tps), "a", None)


def record_rounds(queued: QueuedRun, rounds: int, clear: bool = False) -> None:
    """Record every trial of the rounds up to this one, like a worker that is killed before the analysis."""
    while (
        states := queued.sql("SELECT count(*) FROM trial WHERE state = 'queued' AND round <= :r", r=rounds)
    )[0][0]:
        assert states
        record(queued, queued.must_claim(), clear)


def skipped(queued: QueuedRun) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for cell, round_ in queued.sql(
        "SELECT cell_id, round FROM trial WHERE state = 'spared' ORDER BY cell_id, round"
    ):
        found.setdefault(cell, []).append(round_)
    return found


def test_a_decision_skips_the_later_rounds_of_its_cell(adaptive: QueuedRun) -> None:
    record_rounds(adaptive, 8)
    assert skipped(adaptive) == {}, "recording a trial does no analysis"
    assert adaptive.call(interim_analyses.run_due, adaptive.run_id) == 10
    assert skipped(adaptive) == {"c2": [9, 10, 11, 12]}
    progress = adaptive.run()["progress"]
    assert (progress["done"], progress["skipped"], progress["total"]) == (32, 4, 48)
    record_rounds(adaptive, 12)
    run = adaptive.run()
    assert (run["state"], run["progress"]["done"], run["progress"]["eta_s"]) == ("done", 44, None)


def test_the_run_ends_when_every_comparison_is_decided(adaptive: QueuedRun) -> None:
    record_rounds(adaptive, 8, clear=True)
    assert adaptive.call(interim_analyses.run_due, adaptive.run_id) is not None
    run = adaptive.run()
    assert (run["state"], run["progress"]["skipped"], run["finished_at"] is None) == ("done", 16, False)
    assert set(skipped(adaptive)) == {"c1", "c1-aa", "c2", "c3"}
    assert adaptive.claim() is None
    found = adaptive.call(events.after, adaptive.run_id, 0)
    assert [event.data["state"] for event in found[-17:]] == ["spared"] * 16 + ["done"]
    assert found[-1].terminal


def test_an_analysis_that_a_crash_prevented_is_done_by_the_next_claim(adaptive: QueuedRun) -> None:
    record_rounds(adaptive, 8)
    claimed = adaptive.must_claim("another worker")
    assert claimed.round == 9 and claimed.next_interim_round == 10
    assert skipped(adaptive) == {"c2": [9, 10, 11, 12]}


def test_the_next_claim_ends_a_run_that_an_analysis_decides_completely(adaptive: QueuedRun) -> None:
    record_rounds(adaptive, 8, clear=True)
    assert adaptive.claim() is None
    assert adaptive.run()["state"] == "done"


def test_no_later_round_is_claimed_while_a_trial_before_the_analysis_runs(adaptive: QueuedRun) -> None:
    other = adaptive.another_run()
    mine: list[ClaimedTrial] = []
    while (claimed := adaptive.must_claim()).run_id == adaptive.run_id:
        mine.append(claimed)
    assert (claimed.run_id, len(mine), {trial.round for trial in mine}) == (other, 32, set(range(1, 9)))
    assert adaptive.call(interim_analyses.run_due, adaptive.run_id) == 8, "the analysis waits, too"
    for trial in mine:
        record(adaptive, trial)
    assert adaptive.must_claim().round == 9
    assert skipped(adaptive) == {"c2": [9, 10, 11, 12]}


def test_a_lost_trial_is_repeated_before_the_analysis(adaptive: QueuedRun) -> None:
    record_rounds(adaptive, 7)
    held = [adaptive.must_claim() for _ in range(4)]
    for trial in held[1:]:
        record(adaptive, trial)
    assert adaptive.claim() is None
    adaptive.expire_leases()
    again = adaptive.must_claim("w2")
    assert (again.trial_id, again.fence) == (held[0].trial_id, 2)
    record(adaptive, again)
    assert adaptive.must_claim().round == 9


def test_a_failed_trial_does_not_block_the_analysis(adaptive: QueuedRun) -> None:
    record_rounds(adaptive, 7)
    last = [adaptive.must_claim() for _ in range(4)]
    for trial in last[1:]:
        record(adaptive, trial)
    assert adaptive.call(trials.fail, last[0].trial_id, last[0].fence, "tool_failed", "x")
    assert adaptive.call(interim_analyses.run_due, adaptive.run_id) in (8, 10)
    record_rounds(adaptive, 12)
    assert adaptive.run()["state"] == "incomplete"


def test_a_cancel_before_the_analysis_is_final(adaptive: QueuedRun) -> None:
    record_rounds(adaptive, 8)
    assert adaptive.call(runs.cancel, adaptive.run_id).state == "cancelled"
    assert adaptive.call(interim_analyses.run_due, adaptive.run_id) is None
    assert adaptive.claim() is None
    assert (skipped(adaptive), adaptive.run()["progress"]["cancelled"]) == ({}, 16)


def test_a_cancel_after_an_analysis_keeps_the_skipped_trials(adaptive: QueuedRun) -> None:
    record_rounds(adaptive, 8)
    running = adaptive.must_claim()
    adaptive.call(runs.cancel, adaptive.run_id)
    assert adaptive.call(trials.cancel_running, running.trial_id, running.fence)
    run = adaptive.run()
    assert (run["state"], run["progress"]["skipped"], run["progress"]["cancelled"]) == ("cancelled", 4, 12)


def test_concurrent_calls_do_one_analysis(adaptive: QueuedRun) -> None:
    record_rounds(adaptive, 8)
    answers: list[Any] = []
    threads = [
        threading.Thread(
            target=lambda: answers.append(adaptive.call(interim_analyses.run_due, adaptive.run_id))
        )
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert answers == [10] * 4
    found = [event.data["state"] for event in adaptive.call(events.after, adaptive.run_id, 0)]
    assert found.count("spared") == 4


def test_rounds_beyond_the_budget_are_skipped(settings: Settings) -> None:
    """8 rounds of 4 cells are planned to take 6.6 minutes, two more of three cells 1.2."""
    queued = open_run(settings, budget_minutes=7)
    record_rounds(queued, 8)
    assert queued.claim() is None
    run = queued.run()
    assert (run["state"], run["progress"]["done"], run["progress"]["skipped"]) == ("done", 32, 16)
    assert queued.call(invariants.violations) == []


def test_a_budget_that_holds_one_stage_more(settings: Settings) -> None:
    """Ten rounds take 7.8 minutes of trials, and their server starts some seconds each."""
    queued = open_run(settings, budget_minutes=9)
    record_rounds(queued, 10)
    assert queued.claim() is None
    assert queued.run()["progress"]["done"] == 38
    assert skipped(queued) == {"c1": [11, 12], "c1-aa": [11, 12], "c2": [9, 10, 11, 12], "c3": [11, 12]}
    assert queued.call(invariants.violations) == []


def test_skipped_trials_are_not_in_the_expected_time(adaptive: QueuedRun) -> None:
    record_rounds(adaptive, 8)
    adaptive.sql("UPDATE trial SET started_at = finished_at - interval '10 s' WHERE state = 'done'")
    assert adaptive.run()["progress"]["eta_s"] == 160.0
    adaptive.call(interim_analyses.run_due, adaptive.run_id)
    assert adaptive.run()["progress"]["eta_s"] == 120.0


def test_only_queued_trials_are_skipped(adaptive: QueuedRun) -> None:
    claimed = adaptive.must_claim()
    with session_scope(adaptive.settings) as session:
        runs.lock(session, adaptive.run_id)
        pairs = {(claimed.cell_id, claimed.round), ("c1", 12), ("c99", 1)}
        assert interim_analyses.skip_trials(session, adaptive.run_id, pairs) == 1
    assert adaptive.call(trial_rows.get, claimed.trial_id).state == "running"
    assert skipped(adaptive) == {"c1": [12]}


def test_a_run_with_fixed_rounds_has_no_interim_analysis(queued: QueuedRun) -> None:
    assert queued.must_claim().next_interim_round is None
    assert queued.call(interim_analyses.run_due, queued.run_id) is None


def test_a_run_that_cannot_be_analysed_fails_alone(
    adaptive: QueuedRun, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_data: object) -> None:
        raise KeyError("a metric of an older version")

    record_rounds(adaptive, INTERIM_ROUNDS[0])
    other = adaptive.another_run()
    monkeypatch.setattr(interim_analyses, "trials_to_skip", broken)
    assert adaptive.must_claim().run_id == other
    assert adaptive.run()["state"] == "incomplete"
    ((code, detail),) = adaptive.sql(
        "SELECT DISTINCT failure_code, failure_detail FROM trial WHERE run_id = :run AND state = 'failed'",
        run=adaptive.run_id,
    )
    assert (code, detail) == (
        "run_unreadable",
        "the interim analysis after round 8 failed: KeyError('a metric of an older version')",
    )


def test_a_definition_of_an_older_version_blocks_nothing(adaptive: QueuedRun) -> None:
    adaptive.sql("""UPDATE experiment SET definition = definition || '{"of_old": 1, "margin": "wide"}'""")
    record_rounds(adaptive, INTERIM_ROUNDS[0])
    assert adaptive.call(interim_analyses.run_due, adaptive.run_id) == INTERIM_ROUNDS[1]
    assert adaptive.must_claim().run_id == adaptive.run_id
