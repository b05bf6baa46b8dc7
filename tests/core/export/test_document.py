"""The JSON export: enough to compute the result again, by itself."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from backend.core.chart.build import build_chart
from backend.core.chart.cells.inputs import ChartInput
from backend.core.errors import Invalid
from backend.core.export.document import document, read_document
from tests.core.chart.runs import made_up, study_experiment
from tests.core.export.runs import hostile_run

STOPPING = {"rounds": 6, "stopping": {"every": 2, "at_most": 10}}


def sent(data: ChartInput) -> dict[str, Any]:
    """The document as another program gets it."""
    text = json.dumps(document(data, build_chart(data, complete=True)), allow_nan=False)
    found: dict[str, Any] = json.loads(text)
    return found


RUNS = {
    "plain": made_up(),
    "spoiled": hostile_run(),
    "open": hostile_run("running"),
    "looking": made_up(study_experiment(**STOPPING)),
}


@pytest.mark.parametrize("data", RUNS.values(), ids=RUNS)
def test_the_result_is_computed_again_from_the_document_alone(data: ChartInput) -> None:
    found = sent(data)
    again = build_chart(read_document(found), complete=True)
    assert again == build_chart(data, complete=True)
    assert again.model_dump(mode="json") == found["result"]


def test_trials_are_exact_and_in_order() -> None:
    data = hostile_run()
    found = sent(data)
    assert [row["trial_id"] for row in found["trials"]] == [row.trial_id for row in data.trials]
    assert [row["metrics"] for row in found["trials"]] == [
        None if row.metrics is None else dict(row.metrics) for row in data.trials
    ]
    assert [(t.round, t.position) for t in data.plan.trials] == [
        (row["round"], row["position"]) for row in found["trials"]
    ]
    assert found["provisional"] is False and sent(hostile_run("running"))["provisional"] is True
    assert found["definition"] == json.loads(data.experiment.model_dump_json())
    assert found["environment"]["host"] == "bench-a" and found["methods"] and found["schema"]


@pytest.mark.parametrize("value", [float("inf"), float("-inf"), float("nan")])
def test_what_is_not_finite_is_null_and_warned_of_again(value: float) -> None:
    data = hostile_run()
    rows = [
        row if row.metrics is None else replace(row, metrics=dict(row.metrics) | {"tps": value})
        for row in data.trials
    ]
    spoiled = replace(data, trials=tuple(rows))
    found = sent(spoiled)
    assert {row["metrics"]["tps"] for row in found["trials"] if row["metrics"]} == {None}
    model = build_chart(spoiled, complete=True)
    assert any("no usable value" in warning for warning in model.warnings)
    assert build_chart(read_document(found), complete=True) == model


@pytest.mark.parametrize(
    ("change", "pointer"),
    [
        ({"schema": "other/v9"}, "/schema"),
        ({"state": 7}, "/state"),
        ({"definition": {"name": "x"}}, "/definition/title"),
    ],
)
def test_a_wrong_document_is_refused_with_its_field(change: dict[str, Any], pointer: str) -> None:
    with pytest.raises(Invalid) as refused:
        read_document(sent(made_up(study_experiment(rounds=2))) | change)
    assert pointer in [problem.pointer for problem in refused.value.problems]
