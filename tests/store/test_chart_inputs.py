"""What is read from the database for a result: few statements, and only the parts that a chart needs."""

from __future__ import annotations

import json
import random

import pytest
from pydantic_core import from_json

from backend.core.sample.record import TrialRecord
from backend.store.repositories import result_rows, trials
from tests.records import trial_record
from tests.statements import statements
from tests.store.queued_run import QueuedRun


@pytest.mark.parametrize("parts", [result_rows.FIGURES, result_rows.PARTS])
def test_a_record_is_read_once_and_without_its_raw_output(queued: QueuedRun, parts: tuple[str, ...]) -> None:
    claimed = queued.must_claim()
    record = trial_record(claimed)
    queued.call(trials.record, claimed.trial_id, claimed.fence, record, "f", None)
    with statements() as sent:
        stored = queued.call(result_rows.read, queued.run_id, parts)
    assert sum(statement.count("payload") for statement in sent) == 1
    row = next(row for row in stored.trials if row["id"] == claimed.trial_id)
    assert {part: row[part] for part in parts} == {part: record.get(part) for part in parts}
    assert not row.keys() & (TrialRecord.model_fields.keys() - {*parts, "metrics"})


def test_a_trial_without_a_record_has_no_parts(queued: QueuedRun) -> None:
    stored = queued.call(result_rows.read, queued.run_id)
    assert {row[part] for row in stored.trials for part in result_rows.PARTS} == {None}


def test_a_result_needs_the_same_few_statements_however_many_trials_it_has(queued: QueuedRun) -> None:
    with statements() as first:
        queued.call(result_rows.read, queued.run_id)
    claimed = queued.must_claim()
    queued.call(trials.record, claimed.trial_id, claimed.fence, trial_record(claimed), "f", None)
    with statements() as second:
        queued.call(result_rows.read, queued.run_id)
    assert first == second
    assert len(second) <= 4


def test_json_of_the_database_is_read_as_by_the_standard_library() -> None:
    draw = random.Random(1)
    numbers = [draw.uniform(-1, 1) * 10.0 ** draw.randint(-300, 300) for _ in range(2000)]
    texts = [json.dumps(numbers), *map(repr, numbers), "-0.0", "1e400", "9" * 300, "0.1000000000000000055511"]
    for text in (*texts, '{"a": [null, true, "\\u20ac"], "b": {}}'):
        assert repr(from_json(text.encode())) == repr(json.loads(text))
