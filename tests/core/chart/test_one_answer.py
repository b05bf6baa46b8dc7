"""One question has one answer: no two statements about a comparison that leave the system contradict.

Statements are the answer, headline, verdicts of lists and their words, counts, rows of tables and files, tied
for best, cost per hop, thresholds on the same metric, pictures, histories, Compare. Previews of links
have tests/api/test_link_previews.py.
"""

from __future__ import annotations

import csv
import html
import io
import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

import pytest
from hypothesis import given, settings

from backend.cli import show
from backend.client import frames
from backend.client import models as client_models
from backend.core.chart.build import build_chart
from backend.core.chart.cells.effect_size import effect_size
from backend.core.chart.compare_runs.matrix import MatrixQuery, compare_columns
from backend.core.chart.compare_runs.matrix_columns import Column
from backend.core.chart.compare_runs.run_comparison import RunComparisonQuery, compare_runs
from backend.core.chart.history.run_point import run_point
from backend.core.chart.model.answer_model import Answer, Outcome
from backend.core.chart.model.cell_models import Comparison
from backend.core.chart.model.chart_model import ChartModel
from backend.core.chart.run_verdict import RunVerdict, run_verdict
from backend.core.chart.text.answer import OUTCOMES
from backend.core.chart.text.table import compared, markdown_table, text_table
from backend.core.definition.metrics import METRICS
from backend.core.export.csv_wide import csv_wide
from backend.core.export.html import report
from backend.core.export.pictures.joint import joint
from backend.core.messages.message import Message
from backend.core.plan.states import RUN_ENDED
from backend.core.statistics.verdict import is_multiple, multiples, percent, spread
from tests.core.chart.compare_runs.two_runs import made_up_run
from tests.core.chart.made_up_results import Shape, shapes

CLEAR: Final = ("better", "worse")


@dataclass(frozen=True)
class Result:
    """A made-up run and what is said about it."""

    shape: Shape

    @cached_property
    def model(self) -> ChartModel:
        return build_chart(self.shape.run())

    @property
    def answer(self) -> Answer:
        assert self.model.answer is not None
        return self.model.answer

    @cached_property
    def verdict(self) -> RunVerdict:
        """That of lists, of a result that was rendered and read again."""
        return run_verdict(ChartModel.model_validate_json(self.model.model_dump_json()))

    @cached_property
    def comparisons(self) -> Mapping[str, Comparison]:
        """The comparisons of the first metric by cell: the family that answers the question."""
        metric = self.answer.metric
        return {
            cell.id: cell.comparisons[metric]
            for cell in self.model.cells
            if metric in cell.comparisons and not cell.is_duplicate
        }

    def outcome(self, cell_id: str) -> Outcome:
        return OUTCOMES.get(self.comparisons[cell_id].verdict, "no_answer")

    def between(self, one: str, other: str) -> tuple[Comparison, bool] | None:
        """The comparison of two cells, and whether `other` is the compared one."""
        for cell, base, turned in ((one, other, False), (other, one, True)):
            found = self.comparisons.get(cell)
            if found is not None and found.baseline_id == base:
                return found, turned
        return None


def size_of(found: Comparison) -> str:
    """How a sentence prints the change, without its sign."""
    if found.ratio is None:
        return ""
    return multiples(found.ratio)[0] if is_multiple(found.ratio) else percent(found.ratio).lstrip("+−")


def said(sentence: str, *ids: str) -> bool:
    return isinstance(sentence, Message) and sentence.id in ids


Check = Callable[[Result], Iterator[str]]
CHECKS: dict[str, Check] = {}


def statement(check: Check) -> Check:
    CHECKS[check.__name__] = check
    return check


@statement
def answer(result: Result) -> Iterator[str]:
    found, kinds = result.answer, [result.outcome(id_) for id_ in result.comparisons]
    for outcome, n in (
        ("worse", found.worse),
        ("better", found.better),
        ("equal", found.equal),
        ("no_answer", found.no_answer),
    ):
        if kinds.count(outcome) != n:
            yield f"{n} {outcome}, not {kinds.count(outcome)}"
    clear = [id_ for id_ in result.comparisons if result.outcome(id_) in CLEAR]
    if (found.cell_id is not None) != bool(clear):
        yield f"quotes {found.cell_id} of {clear}"
    if found.cell_id is not None:
        quoted = result.comparisons[found.cell_id]
        if found.outcome != result.outcome(found.cell_id):
            yield "its outcome is not that of the quoted comparison"
        if size_of(quoted) not in found.sentence:
            yield f"{found.sentence!r} without {size_of(quoted)}"
        if quoted.interval is not None and spread((quoted.interval.low, quoted.interval.high)) not in (
            found.detail or ""
        ):
            yield f"{found.detail!r} has another interval"
        larger = [effect_size(result.comparisons[id_]) for id_ in clear]
        if effect_size(quoted) < max(larger):
            yield "not the largest"
    elif (found.outcome == "equal") != (bool(kinds) and set(kinds) == {"equal"}):
        yield f"{found.outcome} of {kinds}"


@statement
def headline(result: Result) -> Iterator[str]:
    found, text = result.answer, str(result.model.headline)
    if found.cell_id is not None:
        label = next(c.label for c in result.model.cells if c.id == found.cell_id)
        quoted = result.comparisons[found.cell_id]
        if label not in text:
            yield f"{text!r} does not name {label}"
        if size_of(quoted) not in text:
            yield f"{text!r} without {size_of(quoted)}"
        return
    if "No cell differs" in text and found.outcome != "equal":
        yield f"{text!r} against {found.sentence!r}"
    if result.model.state in RUN_ENDED and found.outcome == "equal" and "No cell differs" not in text:
        yield f"{text!r} against {found.sentence!r}"
    lost = re.search(r"(\d+) of (\d+)(?: comparisons)? are lost", text)
    if not lost and ("Not enough rounds" in text) != ("too few rounds" in found.sentence):
        yield f"{text!r} against {found.sentence!r}"
    lost_of = re.search(r"(\d+) of (\d+) comparisons are lost", found.sentence)
    if lost and lost_of and lost.groups() != lost_of.groups():
        yield f"{text!r} against {found.sentence!r}"
    if bool(lost) and not lost_of:
        yield f"{text!r} against {found.sentence!r}"


@statement
def verdict_of_lists(result: Result) -> Iterator[str]:
    found, listed = result.answer, result.verdict
    if listed.answered != (found.outcome != "no_answer"):
        yield f"answered {listed.answered}, but {found.outcome}: {found.sentence}"
    if (None if listed.largest is None else listed.largest.cell_id) != found.cell_id:
        yield f"largest {listed.largest and listed.largest.cell_id}, quoted {found.cell_id}"
    expected = {
        "worse": ("worse", "mixed"),
        "better": ("better", "mixed"),
        "equal": ("equivalent",),
        "no_answer": ("undecided", "no_comparison", "failed"),
    }
    if listed.kind not in expected[found.outcome]:
        yield f"kind {listed.kind}, but {found.outcome}"
    if listed.answer != found:
        yield "another answer"
    lost_of = re.search(r"(\d+) of (\d+) comparisons are lost", found.sentence)
    if result.model.state not in RUN_ENDED:
        return  # lists have verdicts of ended runs only
    if lost_of and (listed.lost, listed.compared) != tuple(map(int, lost_of.groups())):
        yield f"{listed.lost} of {listed.compared} lost, but {found.sentence}"
    if not lost_of and found.outcome == "no_answer" and listed.lost:
        yield f"{listed.lost} of {listed.compared} lost, but {found.sentence}"


@statement
def counts(result: Result) -> Iterator[str]:
    own, found = result.model.counts, result.answer
    if (own.better, own.worse, own.equivalent, own.undecided) != (
        found.better,
        found.worse,
        found.equal,
        found.no_answer,
    ):
        yield f"{own} against {found.better} {found.worse} {found.equal} {found.no_answer}"


@statement
def words_of_searches(result: Result) -> Iterator[str]:
    terms, found = result.verdict.terms(), result.answer
    for word, n in (
        ("better", found.better),
        ("worse", found.worse),
        ("equal", found.equal),
        ("no-answer", found.no_answer),
    ):
        if (word in terms) != bool(n):
            yield f"{terms} of {found}"


@statement
def tied_for_best(result: Result) -> Iterator[str]:
    for group in result.model.best:
        for id_ in (*group.tied, *group.out):
            pair = result.between(id_, group.baseline_id)
            if pair is None:
                continue
            if result.outcome(id_) == "worse" and id_ in group.tied:
                yield f"{id_} is worse than {group.baseline_id} and tied for best: {group}"
            if result.outcome(id_) == "better" and group.baseline_id in group.tied:
                yield f"{id_} is better than {group.baseline_id}, which is tied for best: {group}"
            if id_ in group.out and group.leader_id == group.baseline_id and result.outcome(id_) != "worse":
                yield f"{id_} is beaten by {group.baseline_id}, but {result.outcome(id_)}: {group} {pair}"
        kinds = {
            result.outcome(id_) for id_ in (*group.tied, *group.out) if result.between(id_, group.baseline_id)
        }
        if group.baseline_id in group.out and "better" not in kinds:
            yield f"no cell is better than {group.baseline_id}: {group}"


@statement
def cost_per_hop(result: Result) -> Iterator[str]:
    for ladder in result.model.ladders:
        for step in ladder.rungs:
            pair = result.between(step.cell_id, step.from_id)
            if pair is None or step.throughput is None or result.answer.metric not in ("tps",):
                continue
            found, turned = pair
            ends = step.throughput.interval
            outcome = result.outcome(step.from_id if turned else step.cell_id)
            if turned:
                outcome = {"better": "worse", "worse": "better"}.get(outcome, outcome)
            if ends is not None and (ends.low > 0 or ends.high < 0):
                sign = "better" if ends.low > 0 else "worse"
                if found.verdict not in ("different_within_margin",) and outcome != sign:
                    yield f"{step.throughput} {sign} against {outcome}: {found}"
            if found.ratio is not None:
                ratio = 1 / found.ratio if turned else found.ratio
                if abs(step.throughput.estimate - 100 * (ratio - 1)) > 1e-3 * max(1, abs(100 * ratio)):
                    yield f"{step.throughput} against {found}"
            if found.interval is not None and ends is not None:
                low, high = found.interval.low, found.interval.high
                low, high = (1 / high, 1 / low) if turned else (low, high)
                if abs(ends.low - 100 * (low - 1)) > 1e-3 * max(1, abs(100 * low)) or abs(
                    ends.high - 100 * (high - 1)
                ) > 1e-3 * max(1, abs(100 * high)):
                    yield f"interval {step.throughput} against {found}"


@statement
def thresholds(result: Result) -> Iterator[str]:
    better = METRICS[result.answer.metric].better
    for rule in result.model.gate.rules if result.model.gate else ():
        for cell in rule.cells:
            found = result.comparisons[cell.cell_id]
            if cell.value is not None and found.ratio is not None and cell.value != found.ratio:
                yield f"{cell.value} against {found.ratio}"
            if cell.outcome == "not_enough_evidence" or found.verdict == "different_within_margin":
                continue
            above = (">=" in rule.threshold) == (cell.outcome == "pass")
            claimed = "better" if above == (better == "higher") else "worse"
            if result.outcome(cell.cell_id) not in (claimed, "equal"):
                yield f"{rule.threshold} {cell.sentence} against {found.sentence}"


@statement
def table_and_files(result: Result) -> Iterator[str]:
    model, metric = result.model, result.answer.metric
    whole, marked = text_table(model), markdown_table(model).replace("\\", "")
    page = html.unescape(report(model, ()))
    rows = {row["cell"]: row for row in csv.DictReader(io.StringIO(csv_wide(model)))}
    client = client_models.ChartModel.model_validate_json(model.model_dump_json())
    framed = {row["cell"]: row for row in frames.result_rows(client) if row["metric"] == metric}
    for id_, found in result.comparisons.items():
        cell = next(c for c in model.cells if c.id == id_)
        if cell.state in ("measured", "partial"):
            if not all(found.sentence in text for text in (whole, marked, page)):
                yield f"terminal: {found.sentence}"
            ratio = compared(found.ratio, found.interval, found.difference)
            if not all(ratio in text for text in (whole, marked, page)):
                yield f"terminal: {ratio}"
        if rows[id_][f"{metric}_verdict"] != found.verdict or framed[id_]["verdict"] != found.verdict:
            yield f"CSV: {rows[id_]}"
        if framed[id_]["ratio"] != found.ratio:
            yield f"frame: {framed[id_]}"
        if found.ratio is not None and found.verdict in CLEAR and size_of(found) not in found.sentence:
            yield f"{found.sentence} with the ratio {found.ratio}"
    if not all(str(model.headline) in text for text in (whole, marked, page)):
        yield "another headline"


@statement
def pictures(result: Result) -> Iterator[str]:
    model = result.model
    text = " ".join(" ".join(joint(model, result.answer.metric, "light")["title"]["text"]).split())
    if text != " ".join(result.answer.sentence.split()):
        yield f"picture {text}"
    drawn = json.dumps(joint(model, result.answer.metric, "light"), ensure_ascii=False)
    for id_, found in result.comparisons.items():
        if found.ratio is not None and result.outcome(id_) in CLEAR and percent(found.ratio) not in drawn:
            yield f"picture without {percent(found.ratio)}"


@statement
def lists_of_the_terminal(result: Result) -> Iterator[str]:
    run = {"id": "run_1", "created_at": "2026-11-20T10:00", "host": "h", "state": "done", "title": "t"}
    text = show.library({"data": [run | {"verdict": result.verdict.model_dump(mode="json")}], "total": 1})
    found = result.answer
    if f"+{found.better} -{found.worse} ?{found.no_answer} " not in text:
        yield f"{text} of {found}"


@statement
def histories(result: Result) -> Iterator[str]:
    for cell in run_point(result.model).cells:
        found, own = result.comparisons.get(cell.id), cell.ratios.get(result.answer.metric)
        if found is not None and (own and (own.value, own.interval)) != (
            found.ratio and (found.ratio, found.interval)
        ):
            yield f"{own} against {found}"


@statement
def sides_of_compare(result: Result) -> Iterator[str]:
    """Two runs side by side: each cell with its ratio to its own run's baseline."""
    data = replace(result.shape.run(), environment={"host": "h"})
    a, b = (made_up_run(replace(data, run_id=id_), started_at="2026-11-20T10:00:00.000Z") for id_ in "ab")
    metric = result.answer.metric
    tables = compare_runs(a, b, RunComparisonQuery(metric=metric, basis="values", override=True)).tables
    rows = [row for table in tables for row in table.rows]
    sides = [(side.cell_id, side.ratio, side.ratio_interval) for row in rows if (side := row.b)]
    columns = [Column(run, None, ()) for run in (a, b)]
    matrix = compare_columns(columns, MatrixQuery(metric=metric, basis="values"))
    entries = [entry for row in matrix.rows for entry in row.entries if entry]
    sides += [(entry.cell_id, entry.own_ratio, entry.own_ratio_interval) for entry in entries]
    for id_, ratio, interval in sides:
        found = result.comparisons.get(id_)
        if found is not None and (ratio, interval) != (found.ratio, found.interval):
            yield f"{ratio} {interval} against {found}"


@settings(max_examples=100)
@given(shape=shapes())
@pytest.mark.parametrize("name", CHECKS)
def test_no_statement_contradicts_another(name: str, shape: Shape) -> None:
    assert [*CHECKS[name](Result(shape))] == []
