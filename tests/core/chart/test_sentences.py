"""Every sentence of a result, of a comparison and of a group has an id, so that the page can translate it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from pydantic import BaseModel

from backend.core.chart.across_hosts.build_hosts import build_hosts_result
from backend.core.chart.across_hosts.host_runs import HostRun
from backend.core.chart.build import build_chart
from backend.core.chart.compare_runs.matrix import MatrixQuery, compare_columns
from backend.core.chart.compare_runs.matrix_columns import Column
from backend.core.chart.compare_runs.run_comparison import RunComparisonQuery, compare_runs
from backend.core.messages.message import parts_of
from tests.core.chart.across_hosts.host_groups import ENVIRONMENT, group, host_run
from tests.core.chart.compare_runs.test_compared_cells import IMPORTED, OTHER, PLAIN, RESTARTED
from tests.core.chart.compare_runs.two_runs import one
from tests.core.chart.runs import failed

SENTENCES = frozenset(("sentence", "headline", "remark", "trust", "missing"))
LISTS = frozenset(("reasons", "notices", "warnings"))
ELSEWHERE = one("run_c", host="bench-2", environment={**ENVIRONMENT, "cpu": "another", "kernel": "6.2"})


def without_id(found: object) -> Iterator[str]:
    """The sentences without the id from which the page makes its own."""
    if isinstance(found, Mapping):
        for name, value in found.items():
            beside = "message" if name == "sentence" else f"{name}_message"
            if name in SENTENCES and isinstance(value, str) and value and not found.get(beside):
                yield f"{name}: {value}"
            elif name in LISTS and f"{name[:-1]}_messages" in found:
                messages = found[f"{name[:-1]}_messages"]
                yield from (text for text, parts in zip(value, messages, strict=True) if not parts)
            else:
                yield from without_id(value)
    elif isinstance(found, list | tuple):
        for value in found:
            yield from without_id(value)


def comparisons() -> Iterator[Any]:
    runs = (OTHER, RESTARTED, IMPORTED, ELSEWHERE)
    for other in runs:
        for basis in ("values", "ratios"):
            for override in (False, True):
                yield compare_runs(PLAIN, other, RunComparisonQuery(basis=basis, override=override))  # type: ignore[arg-type]
    columns = [Column(run) for run in (PLAIN, OTHER, ELSEWHERE)]
    yield from (compare_columns(columns, MatrixQuery(override=override)) for override in (False, True))


def groups() -> Iterator[Any]:
    other = host_run("b", environment={**ENVIRONMENT, "cpu": "another"}, state="running")
    yield build_hosts_result(group(host_run("a"), other))
    yield build_hosts_result(group(host_run("a"), host_run("b", change=lambda r, _c: failed(r))))


def test_a_deleted_run_says_so_by_id() -> None:
    assert parts_of(HostRun("gone", None, "deleted", None, None).missing("c1"))


def results() -> Iterator[Any]:
    yield from (build_chart(run.data) for run in (PLAIN, OTHER, RESTARTED))


@pytest.mark.parametrize("models", [comparisons, groups, results])
def test_every_sentence_has_an_id(models: Any) -> None:
    found: list[BaseModel] = list(models())
    assert found
    assert sorted({text for model in found for text in without_id(model.model_dump())}) == []


def test_a_sentence_without_an_id_is_found() -> None:
    found = {"rows": [{"sentence": "a b", "message": None}], "reasons": ["c"], "reason_messages": [None]}
    assert list(without_id(found)) == ["sentence: a b", "c"]
