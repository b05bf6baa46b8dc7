"""A run that spends its rounds where they decide: looks, spared trials, and what a crash leaves of them."""

from __future__ import annotations

import threading
from dataclasses import asdict, replace
from typing import Any

import pytest

from backend.core.definition.canonical import canonical, digest
from backend.core.definition.submitted import validate_document
from backend.core.plan.build import build_plan
from backend.core.plan.stored import to_store
from backend.settings import Settings
from backend.store import invariants
from backend.store.repositories import events, experiments, hosts, interim_analyses, runs, trial_rows, trials
from backend.store.repositories.trials import ClaimedTrial
from backend.store.session import session_scope
from tests.records import trial_record
from tests.store.book import Book

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
LOOKS = (8, 10, 12)
ROUNDS, CELLS = 12, 4
UNCLEAR = (0.8, 1.25)
"""The third path is now much slower, now much faster than the baseline: no look decides it."""


def open_run(settings: Settings, **stopping: Any) -> Book:
    asked = validate_document({**DOCUMENT, "stopping": {**DOCUMENT["stopping"], **stopping}})
    fixed = asked.model_copy(update={"rounds": ROUNDS, "stopping": None})
    plan = replace(build_plan(fixed, lambda _levels: None), interim_rounds=LOOKS)
    levels = {cell.id: cell.levels for cell in plan.cells}
    rows = [{**asdict(trial), "levels": levels[trial.cell_id]} for trial in plan.trials]
    kept = to_store(plan)
    with session_scope(settings) as session:
        host_id = hosts.announce(session, "bench-1", {}, {})
        stored, _ = experiments.add(session, canonical(asked), digest(asked))
        run_id = runs.create(session, stored.id, host_id, kept, rows).id
    return Book(settings, host_id, run_id, stored.id)


@pytest.fixture
def looking(settings: Settings) -> Any:
    """A queued run of four cells over at most twelve rounds; in the end nothing is lost or duplicated."""
    book = open_run(settings)
    yield book
    assert book.call(invariants.violations) == []


def record(book: Book, trial: ClaimedTrial, clear: bool = False) -> None:
    factor = {
        "same_container": 1.0,
        "published_loopback": 0.6,
        "sibling_container": 0.6 if clear else UNCLEAR[trial.round % 2],
    }[str(trial.levels["path"])]
    tps = 1e4 * factor * (1 + trial.round / 1e4 + (trial.cell_id == "c1") / 1e5)
    assert book.call(trials.record, trial.trial_id, trial.fence, trial_record(trial, tps), "a", None)


def carry_out(book: Book, rounds: int, clear: bool = False) -> None:
    """Record every trial of the rounds up to this one, as a worker that is killed right after would."""
    while (states := book.sql("SELECT count(*) FROM trial WHERE state = 'queued' AND round <= :r", r=rounds))[
        0
    ][0]:
        assert states
        record(book, book.must_claim(), clear)


def spared(book: Book) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for cell, round_ in book.sql(
        "SELECT cell_id, round FROM trial WHERE state = 'spared' ORDER BY cell_id, round"
    ):
        found.setdefault(cell, []).append(round_)
    return found


def test_a_decision_spares_the_later_rounds_of_its_cell(looking: Book) -> None:
    carry_out(looking, 8)
    assert spared(looking) == {}, "the look is not part of a record"
    assert looking.call(interim_analyses.run_due, looking.run_id) == 10
    assert spared(looking) == {"c2": [9, 10, 11, 12]}
    progress = looking.run()["progress"]
    assert (progress["done"], progress["skipped"], progress["total"]) == (32, 4, 48)
    carry_out(looking, 12)
    run = looking.run()
    assert (run["state"], run["progress"]["done"], run["progress"]["eta_s"]) == ("done", 44, None)


def test_when_everything_is_decided_the_run_ends(looking: Book) -> None:
    carry_out(looking, 8, clear=True)
    assert looking.call(interim_analyses.run_due, looking.run_id) is not None
    run = looking.run()
    assert (run["state"], run["progress"]["skipped"], run["finished_at"] is None) == ("done", 16, False)
    assert set(spared(looking)) == {"c1", "c1-aa", "c2", "c3"}
    assert looking.claim() is None
    told = looking.call(events.after, looking.run_id, 0)
    assert [event.data["state"] for event in told[-17:]] == ["spared"] * 16 + ["done"]
    assert told[-1].terminal


def test_a_look_that_a_crash_prevented_is_taken_by_the_next_claim(looking: Book) -> None:
    carry_out(looking, 8)
    claimed = looking.must_claim("another worker")
    assert claimed.round == 9 and claimed.next_interim_round == 10
    assert spared(looking) == {"c2": [9, 10, 11, 12]}


def test_the_next_claim_ends_a_run_that_a_look_decides_wholly(looking: Book) -> None:
    carry_out(looking, 8, clear=True)
    assert looking.claim() is None
    assert looking.run()["state"] == "done"


def test_no_claim_goes_beyond_a_look_whose_last_trial_is_still_running(looking: Book) -> None:
    other = looking.another_run()
    mine: list[ClaimedTrial] = []
    while (claimed := looking.must_claim()).run_id == looking.run_id:
        mine.append(claimed)
    assert (claimed.run_id, len(mine), {trial.round for trial in mine}) == (other, 32, set(range(1, 9)))
    assert looking.call(interim_analyses.run_due, looking.run_id) == 8, "the look waits too"
    for trial in mine:
        record(looking, trial)
    assert looking.must_claim().round == 9
    assert spared(looking) == {"c2": [9, 10, 11, 12]}


def test_a_lost_trial_before_a_look_is_run_again_before_it(looking: Book) -> None:
    carry_out(looking, 7)
    held = [looking.must_claim() for _ in range(4)]
    for trial in held[1:]:
        record(looking, trial)
    assert looking.claim() is None
    looking.expire_leases()
    again = looking.must_claim("w2")
    assert (again.trial_id, again.fence) == (held[0].trial_id, 2)
    record(looking, again)
    assert looking.must_claim().round == 9


def test_a_trial_that_fails_for_good_does_not_hold_the_look_up(looking: Book) -> None:
    carry_out(looking, 7)
    last = [looking.must_claim() for _ in range(4)]
    for trial in last[1:]:
        record(looking, trial)
    assert looking.call(trials.fail, last[0].trial_id, last[0].fence, "tool_failed", "x")
    assert looking.call(interim_analyses.run_due, looking.run_id) in (8, 10)
    carry_out(looking, 12)
    assert looking.run()["state"] == "incomplete"


def test_a_cancel_between_the_last_record_and_the_look_is_final(looking: Book) -> None:
    carry_out(looking, 8)
    assert looking.call(runs.cancel, looking.run_id).state == "cancelled"
    assert looking.call(interim_analyses.run_due, looking.run_id) is None
    assert looking.claim() is None
    assert (spared(looking), looking.run()["progress"]["cancelled"]) == ({}, 16)


def test_a_cancel_after_a_look_leaves_what_was_spared(looking: Book) -> None:
    carry_out(looking, 8)
    running = looking.must_claim()
    looking.call(runs.cancel, looking.run_id)
    assert looking.call(trials.cancel_running, running.trial_id, running.fence)
    run = looking.run()
    assert (run["state"], run["progress"]["skipped"], run["progress"]["cancelled"]) == ("cancelled", 4, 12)


def test_a_look_is_taken_once_whoever_asks(looking: Book) -> None:
    carry_out(looking, 8)
    answers: list[Any] = []
    threads = [
        threading.Thread(
            target=lambda: answers.append(looking.call(interim_analyses.run_due, looking.run_id))
        )
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert answers == [10] * 4
    told = [event.data["state"] for event in looking.call(events.after, looking.run_id, 0)]
    assert told.count("spared") == 4


def test_the_budget_spares_what_would_not_fit(settings: Settings) -> None:
    """8 rounds of 4 cells are planned to take 6.6 minutes, two more of three cells 1.2."""
    book = open_run(settings, budget_minutes=7)
    carry_out(book, 8)
    assert book.claim() is None
    run = book.run()
    assert (run["state"], run["progress"]["done"], run["progress"]["skipped"]) == ("done", 32, 16)
    assert book.call(invariants.violations) == []


def test_a_budget_that_holds_one_stage_more(settings: Settings) -> None:
    """Ten rounds take 7.8 minutes of trials, and their server starts some seconds each."""
    book = open_run(settings, budget_minutes=9)
    carry_out(book, 10)
    assert book.claim() is None
    assert book.run()["progress"]["done"] == 38
    assert spared(book) == {"c1": [11, 12], "c1-aa": [11, 12], "c2": [9, 10, 11, 12], "c3": [11, 12]}
    assert book.call(invariants.violations) == []


def test_what_is_spared_is_not_waited_for(looking: Book) -> None:
    carry_out(looking, 8)
    looking.sql("UPDATE trial SET started_at = finished_at - interval '10 s' WHERE state = 'done'")
    assert looking.run()["progress"]["eta_s"] == 160.0
    looking.call(interim_analyses.run_due, looking.run_id)
    assert looking.run()["progress"]["eta_s"] == 120.0


def test_sparing_leaves_alone_what_is_no_longer_queued(looking: Book) -> None:
    claimed = looking.must_claim()
    with session_scope(looking.settings) as session:
        runs.lock(session, looking.run_id)
        pairs = {(claimed.cell_id, claimed.round), ("c1", 12), ("c99", 1)}
        assert interim_analyses.skip_trials(session, looking.run_id, pairs) == 1
    assert looking.call(trial_rows.get, claimed.trial_id).state == "running"
    assert spared(looking) == {"c1": [12]}


def test_a_run_with_fixed_rounds_has_no_looks(book: Book) -> None:
    assert book.must_claim().next_interim_round is None
    assert book.call(interim_analyses.run_due, book.run_id) is None


def test_a_run_that_cannot_be_evaluated_fails_alone(looking: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_data: object) -> None:
        raise KeyError("a metric of an older version")

    carry_out(looking, LOOKS[0])
    other = looking.another_run()
    monkeypatch.setattr(interim_analyses, "trials_to_skip", broken)
    assert looking.must_claim().run_id == other
    assert looking.run()["state"] == "incomplete"
    ((code, detail),) = looking.sql(
        "SELECT DISTINCT failure_code, failure_detail FROM trial WHERE run_id = :run AND state = 'failed'",
        run=looking.run_id,
    )
    assert (code, detail) == (
        "run_unreadable",
        "the interim analysis after round 8 failed: KeyError('a metric of an older version')",
    )


def test_a_definition_of_an_older_version_blocks_nothing(looking: Book) -> None:
    looking.sql("""UPDATE experiment SET definition = definition || '{"of_old": 1, "margin": "wide"}'""")
    carry_out(looking, LOOKS[0])
    assert looking.call(interim_analyses.run_due, looking.run_id) == LOOKS[1]
    assert looking.must_claim().run_id == looking.run_id
