"""Notices as text and back, and records of before they were values."""

from __future__ import annotations

import pytest

from backend.core.sample.imported import Log, read_logs
from backend.core.sample.notice import Notice
from backend.core.sample.record import ImportedRecord
from tests.core.sample.test_imported import WRK, cell

NOTICES = {
    "steal: 1.2 % of the CPU; use a quieter machine": Notice(
        "steal", "1.2 % of the CPU", "use a quieter machine"
    ),
    "connections: wrk opened 9 of 10": Notice("connections", "wrk opened 9 of 10"),
    "client thread saturated": Notice("client thread saturated"),
}


@pytest.mark.parametrize("text", NOTICES)
def test_a_notice_and_its_text_are_the_same(text: str) -> None:
    assert Notice.from_text(text) == NOTICES[text]
    assert str(NOTICES[text]) == text


def record() -> ImportedRecord:
    (read,) = read_logs([cell("c1", tool="wrk", clients=5, threads=1)], [Log({}, 1, WRK)])
    return read.record("trl_1")


def test_a_record_keeps_its_notices_as_values_and_as_text() -> None:
    stored = record().model_dump(mode="json")
    assert stored["notices"][-1]["kind"] == "other load than the cell's"
    assert stored["warnings"] == [str(notice) for notice in record().notices]
    assert ImportedRecord.model_validate(stored) == record()


def test_a_record_of_text_only_is_read_as_the_same_notices() -> None:
    stored = record().model_dump(mode="json")
    del stored["notices"]
    assert ImportedRecord.model_validate(stored) == record()
