"""The answer of a result: one sentence that quotes the comparisons of the result and agrees with them."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.core.chart.build import build_chart
from backend.core.chart.cells.inputs import ChartInput, TrialRow
from backend.core.chart.model.answer_model import Answer
from backend.core.chart.model.chart_model import ChartModel
from backend.core.chart.run_verdict import run_verdict
from backend.core.chart.text.answer import OUTCOMES
from backend.core.definition.presets import presets
from backend.core.messages.message import Message
from backend.core.plan.model import Cell
from tests.core.chart.runs import as_measured, failed, is_cell, made_up, study_experiment

MOST_WORDS = 20
ON_OFF: dict[str, Any] = {"baseline": {"userland_proxy": False}}


def with_proxy(data: ChartInput) -> ChartInput:
    """The run with docker-proxy among the hops of the published port."""
    hops = {
        cell.id: ("loopback", "docker-proxy", "bridge")
        for cell in data.plan.cells
        if (cell.levels["path"], cell.levels["userland_proxy"]) == ("published_loopback", True)
    }
    return replace(data, hops={**data.hops, **hops})


def answer_of(model: ChartModel) -> Answer:
    assert model.answer is not None
    return model.answer


def test_the_cost_of_docker_proxy_is_named() -> None:
    found = answer_of(build_chart(with_proxy(made_up(study_experiment(**ON_OFF)))))
    assert found.sentence.startswith("docker-proxy costs 34")
    assert found.sentence.endswith(" % of the throughput on Published port on 127.0.0.1")
    assert (found.question, found.factor, found.outcome) == ("each", "userland_proxy", "worse")
    assert found.detail is not None
    assert found.detail.endswith("10 rounds; 2 worse, 1 equal")


def test_no_program_is_named_that_the_path_does_not_have() -> None:
    found = answer_of(build_chart(made_up(study_experiment(**ON_OFF))))
    assert "docker-proxy" not in found.sentence
    assert " slower than " in found.sentence


def test_cells_that_differ_in_more_are_named_both() -> None:
    found = answer_of(build_chart(with_proxy(made_up())))
    assert (found.question, found.factor) == ("baseline", None)
    assert found.sentence.startswith("Published port on 127.0.0.1 is 38")
    assert found.sentence.endswith(" % slower than Same container (userland-proxy on)")


def _lose(row: TrialRow, cell: Cell) -> TrialRow:
    return failed(row) if is_cell(cell, "published_loopback", True) else row


@pytest.mark.parametrize(
    ("changes", "run", "sentence"),
    [
        ({"rounds": 2}, {}, "No answer: too few rounds for a difference in transactions per second"),
        (
            {"factors": {"path": ["same_container"], "userland_proxy": [True, False]}},
            {"noise": 0.001},
            "transactions per second: equal within 5 %",
        ),
        ({}, {"change": _lose, "noise": 0.4}, "No answer: 1 of 3 comparisons are lost"),
        ({}, {"state": "running"}, "docker-proxy costs"),
        ({}, {"change": lambda row, _: failed(row)}, "No answer: every trial failed"),
        (
            {"factors": {"path": "same_container"}, "baseline": {"path": "same_container"}},
            {},
            "Nothing is compared: 20 of 20 trials are done",
        ),
    ],
)
def test_why_there_is_no_answer(changes: dict[str, Any], run: dict[str, Any], sentence: str) -> None:
    experiment = study_experiment(**ON_OFF | changes)
    found = answer_of(build_chart(with_proxy(made_up(experiment, **run))))
    assert found.sentence.startswith(sentence)
    assert isinstance(found.sentence, Message)
    assert (found.cell_id is None) == (found.outcome in ("equal", "no_answer"))


@pytest.mark.parametrize("preset", presets(), ids=lambda preset: preset.name)
def test_no_answer_has_more_than_twenty_words(preset: Any) -> None:
    found = answer_of(build_chart(made_up(preset.experiment, noise=0.05)))
    assert len(found.sentence.split()) <= MOST_WORDS


@given(seed=st.integers(0, 10_000), noise=st.floats(0, 0.3), rounds=st.integers(1, 12), asks=st.booleans())
def test_no_two_statements_of_a_result_disagree(seed: int, noise: float, rounds: int, asks: bool) -> None:
    experiment = study_experiment(rounds=rounds, seed=seed, **(ON_OFF if asks else {}))
    model = build_chart(with_proxy(made_up(experiment, as_measured, noise=noise)))
    found, verdict, metric = answer_of(model), run_verdict(model), experiment.metrics[0]
    outcomes = Counter(
        OUTCOMES.get(cell.comparisons[metric].verdict, "no_answer")
        for cell in model.cells
        if metric in cell.comparisons and not cell.is_duplicate
    )
    counted = (found.worse, found.better, found.equal, found.no_answer)
    assert counted == tuple(outcomes[kind] for kind in ("worse", "better", "equal", "no_answer"))
    assert counted == (
        model.counts.worse,
        model.counts.better,
        model.counts.equivalent,
        model.counts.undecided,
    )
    assert (found.outcome in ("worse", "better")) == (verdict.kind in ("worse", "better", "mixed"))
    assert (found.outcome == "equal") == (verdict.kind == "equivalent")
    assert found.cell_id == (verdict.largest.cell_id if verdict.largest else None)
    quoted = next((cell for cell in model.cells if cell.id == found.cell_id), None)
    if quoted is not None:
        assert OUTCOMES[quoted.comparisons[metric].verdict] == found.outcome
