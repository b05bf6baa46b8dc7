"""The latest answers of experiments on a host: found by an index, whatever the number of runs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from backend.store.models import DEFAULT_TEAM
from backend.store.repositories import latest_answers
from tests.store.queued_run import QueuedRun

pytestmark = pytest.mark.new_database  # its many rows would slow down others

RUNS = 10_000


@pytest.fixture
def many(queued: QueuedRun) -> QueuedRun:
    """Ended runs of the experiment, one a minute, and a disturbed one as the newest."""
    queued.sql(
        """
        INSERT INTO run (id, team_id, experiment_id, host_id, state, plan,
                         created_at, started_at, finished_at)
        SELECT 'run_' || lpad(n::text, 16, '0'), r.team_id, r.experiment_id, r.host_id, 'done', r.plan,
               at, at, at
          FROM run r, generate_series(1, :runs) n, LATERAL (SELECT now() - interval '1 min' * n AS at) times
         WHERE r.id = :run_id
        """,
        runs=RUNS,
        run_id=queued.run_id,
    )
    queued.sql(
        """
        INSERT INTO run_entry (run_id, team_id, created_at, searchable, terms, verdict)
        SELECT id, team_id, created_at, '', '{}',
               jsonb_build_object('kind', CASE WHEN right(id, 4)::int % 100 = 40 THEN 'worse'
                                               ELSE 'undecided' END)
          FROM run WHERE finished_at IS NOT NULL
        """
    )
    queued.sql("ANALYZE run")
    queued.sql("ANALYZE run_entry")
    return queued


def digest_of(queued: QueuedRun) -> str:
    ((digest,),) = queued.sql("SELECT digest FROM experiment WHERE id = :id", id=queued.experiment_id)
    return str(digest)


def nodes(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield plan
    for below in plan.get("Plans", ()):
        yield from nodes(below)


def test_the_newest_run_with_an_answer_is_found_behind_those_without(many: QueuedRun) -> None:
    question = frozenset((digest_of(many), "another"))
    ask = (DEFAULT_TEAM, many.host_id, [question, frozenset(("unknown",))])
    found, unknown = many.call(latest_answers.latest, *ask)
    assert found.answer == f"run_{40:016}" and found.without_answer == f"run_{1:016}"
    assert found.active == many.run_id
    assert unknown == latest_answers.Latest()


@pytest.mark.parametrize(("equal", "answers"), [(3, True), (2, False)])
def test_of_an_earlier_release_only_a_run_with_every_comparison_is_equal(
    queued: QueuedRun, equal: int, answers: bool
) -> None:
    queued.sql("UPDATE run SET state = 'done', started_at = now(), finished_at = now()")
    verdict = {"kind": "equivalent", "compared": 3, "counts": {"equivalent": equal}}
    queued.sql("UPDATE run_entry SET verdict = CAST(:verdict AS jsonb)", verdict=json.dumps(verdict))
    question = frozenset((digest_of(queued),))
    (found,) = queued.call(latest_answers.latest, DEFAULT_TEAM, queued.host_id, [question])
    assert (found.answer == queued.run_id, found.without_answer == queued.run_id) == (answers, not answers)


def test_the_query_reads_few_of_many_runs(many: QueuedRun) -> None:
    values = {"team_id": DEFAULT_TEAM, "host_id": many.host_id, "digests": [digest_of(many)]}
    ((explained,),) = many.sql(f"EXPLAIN (ANALYZE, FORMAT JSON) {latest_answers.LATEST}", **values)
    of_runs = [
        node for node in nodes(explained[0]["Plan"]) if node.get("Relation Name") in ("run", "run_entry")
    ]
    assert of_runs and all("Index" in node["Node Type"] for node in of_runs), of_runs
    read = sum(node["Actual Rows"] * node["Actual Loops"] for node in of_runs)
    assert read < 4 * latest_answers.CONSIDERED
    assert explained[0]["Execution Time"] < 200
