"""Pairs of like trials: whose they are, which count, and how far back they are looked for."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import update
from sqlalchemy.orm import Session

from backend.core.definition.canonical import canonical, digest
from backend.core.definition.quality import Quality
from backend.core.definition.submitted import validate_document
from backend.settings import Settings
from backend.store.models import DEFAULT_TEAM, Run
from backend.store.repositories import aa_pairs, experiments, host_noise, hosts, runs, server_starts, trials
from backend.store.repositories.aa_pairs import NEWEST_RUNS, AaPairs
from backend.store.session import session_scope
from tests.records import trial_record
from tests.statements import statements
from tests.store.queued_run import DOCUMENT, QueuedRun

LOAD = ("pgbench", "postgres")


def start(session: Session, queued: QueuedRun, host_id: str, load: tuple[str, str], rounds: int) -> str:
    """A queued run of one baseline and its A/A duplicate."""
    levels = {"path": "same_container", "userland_proxy": True, "tool": load[0], "service": load[1]}
    plan = {
        "cells": [{"id": "c1", "label": "c1"}, {"id": "c1-aa", "label": "c1 (A/A)"}],
        "estimate": {"trials": 2 * rounds, "seconds": 1.0, "window_seconds": 1.0, "deployments": 1},
        "varied": [],
        "warnings": [],
    }
    rows = [
        {"cell_id": cell, "round": round_, "position": position, "seq": 2 * round_ - 2 + position,
         "levels": levels}
        for round_ in range(1, rounds + 1)
        for position, cell in ((1, "c1"), (2, "c1-aa"))
    ]  # fmt: skip
    run_id = runs.create(session, queued.experiment_id, host_id, plan, rows).id
    return run_id


class Pairs:
    """Runs of A/A pairs beside the queued's own run, which is cancelled first."""

    def __init__(self, queued: QueuedRun) -> None:
        self.queued = queued
        queued.call(runs.cancel, queued.run_id)

    def measure(
        self, *values: tuple[float, float], load: tuple[str, str] = LOAD, host: str = "", **record: Any
    ) -> str:
        """One ended run with these values of (baseline, duplicate), a round each; its id."""
        host_id = host or self.queued.host_id
        run_id: str = self.queued.call(start, self.queued, host_id, load, len(values))
        for value in (one for pair in values for one in pair):
            claimed = self.queued.call(trials.claim, host_id, "w1")
            payload = trial_record(claimed, tps=value, **record)
            self.queued.call(trials.record, claimed.trial_id, claimed.fence, payload, claimed.trial_id, None)
        return run_id

    def limit_noise(self, run_id: str, **limits: float | None) -> None:
        """Give a run an experiment of its own with these limits of noise."""
        document = DOCUMENT | {"name": "relaxed", "quality": limits}

        def change(session: Session) -> None:
            experiment = validate_document(document)
            stored, _ = experiments.add(session, DEFAULT_TEAM, canonical(experiment), digest(experiment))
            session.execute(update(Run).where(Run.id == run_id).values(experiment_id=stored.id))

        self.queued.call(change)

    def newest(self, metric: str = "tps", loads: tuple[tuple[str, str], ...] = (LOAD,)) -> AaPairs:
        found: AaPairs = self.queued.call(aa_pairs.newest, self.queued.host_id, metric, loads)
        return found


@pytest.fixture
def pairs(queued: QueuedRun) -> Pairs:
    """No pairs yet."""
    return Pairs(queued)


def test_pairs_are_of_the_same_round_newest_run_first(pairs: Pairs) -> None:
    assert pairs.newest() == AaPairs((), 0)
    pairs.measure((100.0, 101.0), (102.0, 99.0))
    pairs.measure((200.0, 201.0))
    assert pairs.newest() == AaPairs(((200.0, 201.0), (100.0, 101.0), (102.0, 99.0)), 2)


def test_only_the_same_load_host_and_metric_count(pairs: Pairs, settings: Settings) -> None:
    with session_scope(settings) as session:
        other = hosts.announce(session, "bench-2", {}, {})
    pairs.measure((100.0, 101.0), load=("wrk", "pong"))
    pairs.measure((300.0, 301.0), host=other)
    assert pairs.newest() == AaPairs((), 0)
    assert pairs.newest(loads=(LOAD, ("wrk", "pong"))).values == ((100.0, 101.0),)
    assert pairs.newest(loads=()) == AaPairs((), 0)
    assert pairs.newest("rps", loads=(("wrk", "pong"),)) == AaPairs((), 0)


def test_a_pair_needs_two_proven_paths_and_values_above_nought(pairs: Pairs) -> None:
    pairs.measure((100.0, 101.0), verdict="not_proven")
    assert pairs.newest() == AaPairs((), 0)
    pairs.measure((100.0, 101.0))
    pairs.queued.sql("UPDATE result SET metrics = jsonb_set(metrics, '{tps}', '0') WHERE cell_id = 'c1-aa'")
    assert pairs.newest() == AaPairs((), 0)
    pairs.queued.sql("UPDATE result SET metrics = metrics - 'tps' WHERE cell_id = 'c1'")
    assert pairs.newest() == AaPairs((), 0)


def test_a_run_under_way_does_not_count_and_old_ones_are_left(pairs: Pairs) -> None:
    for number in range(NEWEST_RUNS + 2):
        pairs.measure((100.0 + number, 101.0))
    pairs.queued.call(start, pairs.queued, pairs.queued.host_id, LOAD, 1)
    found = pairs.newest()
    assert found.runs == NEWEST_RUNS
    assert [base for base, _ in found.values] == [106.0, 105.0, 104.0, 103.0, 102.0]


def test_contaminated_and_invalid_trials_do_not_count(pairs: Pairs) -> None:
    pairs.measure((100.0, 101.0))
    for part in ("contaminated", "invalid"):
        quality = f'{{"{part}": ["steal: 9.0% of the CPU, limit 5%"]}}'
        statement = "UPDATE result SET payload = payload || jsonb_build_object('quality', CAST(:q AS jsonb))"
        pairs.queued.sql(f"{statement} WHERE cell_id = 'c1-aa'", q=quality)
        assert pairs.newest() == AaPairs((), 0)
    pairs.queued.sql("UPDATE result SET payload = payload - 'quality'")
    assert len(pairs.newest().values) == 1, "a record of before the quiet gate counts"


@pytest.mark.parametrize("search", [aa_pairs.newest, server_starts.newest])
def test_records_are_read_of_named_runs_only(pairs: Pairs, search: Callable[..., Any]) -> None:
    """With the runs in a subquery, PostgreSQL reads every record of the database."""
    pairs.measure((100.0, 101.0))
    pairs.queued.sql("UPDATE run SET plan = plan || '{\"restart_every\": 1}'")
    with statements() as sent:
        pairs.queued.call(search, pairs.queued.host_id, "tps", (LOAD,))
    reading = [statement for statement in sent if "payload" in statement]
    assert reading and all(re.search(r"result\w*\.run_id IN \(%", statement) for statement in reading)


@pytest.mark.parametrize(
    "limits",
    [{"max_other_cores": None}, {"max_other_cores": 2.0}, {"max_steal": None}, {"max_steal": 0.5}],
)
def test_a_run_under_wider_limits_says_nothing_about_plans_under_the_default_ones(
    pairs: Pairs, limits: dict[str, float | None]
) -> None:
    pairs.measure((100.0, 101.0))
    noisy = pairs.measure((100.0, 140.0))
    pairs.limit_noise(noisy, **limits)
    assert pairs.newest() == AaPairs(((100.0, 101.0),), 1)
    wide = Quality(**limits)  # type: ignore[arg-type]
    found = pairs.queued.call(aa_pairs.newest, pairs.queued.host_id, "tps", (LOAD,), wide)
    assert found == AaPairs(((100.0, 140.0), (100.0, 101.0)), 2)


def test_a_run_under_narrower_limits_counts(pairs: Pairs) -> None:
    pairs.limit_noise(pairs.measure((100.0, 101.0)), max_other_cores=0.1, max_steal=0.01)
    pairs.limit_noise(pairs.measure((102.0, 101.0)), retakes=5)
    assert pairs.newest().runs == 2


def test_the_noise_of_a_host_is_that_under_the_default_limits(pairs: Pairs) -> None:
    pairs.measure((100.0, 101.0))
    noisy = pairs.measure((100.0, 140.0))
    pairs.limit_noise(noisy, max_other_cores=None)
    (load,) = pairs.queued.call(host_noise.pairs, pairs.queued.host_id)
    assert [(pair.baseline, pair.duplicate) for pair in load.pairs] == [(100.0, 101.0)]
