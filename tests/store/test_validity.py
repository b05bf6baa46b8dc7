"""Stored records are judged by their physical bounds when they are read, however old they are."""

from __future__ import annotations

import pytest

from backend.core.chart.cells.inputs import TrialRow
from backend.core.sample.notice import Notice
from backend.core.sample.record import TrialRecord
from backend.store.repositories import result_rows, trial_rows, trials
from backend.store.repositories.chart_inputs import trial_row
from tests.records import trial_record
from tests.store.queued_run import QueuedRun

ROLES = {"client": 1.0, "server": 1.6, "proxy": 0.3, "kernel": 0.03, "other": 0.1}


@pytest.fixture
def stolen(queued: QueuedRun) -> str:
    """A record as it was stored when busy time was capacity less idle and steal: −50.8 µs a transaction."""
    claimed = queued.must_claim()
    record = trial_record(claimed)
    record["metrics"] |= {"cpu_us_per_txn": -50.8, "cpu_cores": -0.18}
    record["window"]["seconds"] = 3.65
    record["cpu"] |= {
        "roles": ROLES, "tasks_total": 3.03, "host_busy": -0.64, "unattributed": -3.67, "idle": 2.27,
        "steal": 5.66, "capacity": 7.29,
    }  # fmt: skip
    del record["quality"], record["cpu"]["overlap"]
    TrialRecord.model_validate(record)
    queued.call(trials.record, claimed.trial_id, claimed.fence, record, "f", None)
    return claimed.trial_id


def rows(queued: QueuedRun, parts: tuple[str, ...]) -> dict[str, TrialRow]:
    stored = queued.call(result_rows.read, queued.run_id, parts)
    return {row["id"]: trial_row(row, {"duration_s": 3}) for row in stored.trials}


@pytest.mark.parametrize("parts", [result_rows.FIGURES, result_rows.PARTS])
def test_an_old_record_of_a_stolen_window_is_invalid(
    queued: QueuedRun, stolen: str, parts: tuple[str, ...]
) -> None:
    row = rows(queued, parts)[stolen]
    assert (row.state, row.metrics, row.cpu) == ("done", None, None)
    assert row.invalid[0] == "CPU per transaction (client, server, proxy and kernel) is negative: −50.8 µs"
    assert row.invalid[-1].endswith("the host had 7.29: its counters disagree")


def test_its_page_has_the_raw_record_and_the_reason(queued: QueuedRun, stolen: str) -> None:
    row = queued.call(trial_rows.get, stolen)
    assert (row.state, row.metrics, len(row.invalid)) == ("done", None, 3)
    assert queued.call(trial_rows.record, stolen)["cpu"]["host_busy"] == -0.64
    assert [each.invalid for each in queued.call(trial_rows.of_run, queued.run_id, None)][1:] == [()] * 3


def test_an_old_record_that_is_valid_has_the_cost_of_today(queued: QueuedRun) -> None:
    claimed = queued.must_claim()
    record = trial_record(claimed, tps=1000.0)
    record["window"]["seconds"] = 3.0
    del record["quality"]
    queued.call(trials.record, claimed.trial_id, claimed.fence, record, "f", None)
    row = queued.call(trial_rows.get, claimed.trial_id)
    assert row.metrics["cpu_us_per_txn"] == pytest.approx((2.5 + 4.0 + 1.5 + 0.5) * 1e6 / 10_000)
    assert row.metrics["other_cpu_cores"] == pytest.approx(0.25 / 3, abs=1e-6)
    assert rows(queued, result_rows.FIGURES)[claimed.trial_id].metrics == row.metrics


def test_notices_are_read_from_records_of_values_and_of_text() -> None:
    row = dict.fromkeys(
        ("id", "cell_id", "state", "failure_code", "failure_detail", "metrics", "evidence_verdict")
    )
    text = {"round": 1, "warnings": ["steal: 1.2 %; use a quieter machine"]}
    value = {"notices": [{"kind": "steal", "figures": "1.2 %", "advice": "use a quieter machine"}]}
    expected = (Notice("steal", "1.2 %", "use a quieter machine"),)
    assert [trial_row(row | extra, {}).notices for extra in (text, text | value)] == [expected, expected]
    assert trial_row(row | {"round": 1}, {}).notices == ()
