"""The JSON text of an imported log is that of its record, without what PostgreSQL does not store."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from backend.core.sample.record import ImportedRecord, SecondPoint
from backend.store.repositories.imports import document_of
from backend.store.repositories.trial_sql import storable

numbers = st.floats(-1e18, 1e18) | st.sampled_from([0.0, -0.0, 1e-7, 1e22, 17.0])
points = st.builds(
    SecondPoint, t=numbers, rate=numbers, latency_ms=numbers | st.none(), latency_stddev_ms=st.none()
)
printed = st.text(alphabet=st.sampled_from('a"\\u0/\n\x00\x1f\ud800\udfffé漢😀'), max_size=20)


@given(st.lists(points, max_size=3), printed, printed, st.dictionaries(st.sampled_from("ab"), printed))
def test_the_document_is_the_storable_record(
    series: list[SecondPoint], stdout: str, stderr: str, facts: dict[str, str]
) -> None:
    record = ImportedRecord.model_construct(
        trial_id="trl_1",
        tool="pgbench",
        metrics={"tps": 17.25},
        latency_measured=False,
        transactions=17,
        failed_transactions=0,
        per_second=tuple(series),
        versions={},
        facts=facts,
        stdout=stdout,
        stderr=stderr,
    )
    text = document_of(record)
    assert json.loads(text) == storable(record.model_dump(mode="json"))
    assert "\\u0000" not in text.replace("\\\\", "")
