"""A run as a report for paper: the question, what was found and left out, where it can be checked.

The same sections as the HTML file (`html`), always light, with A4 pages that are numbered.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from backend.core.chart.cells.inputs import ChartInput, TrialRow
from backend.core.chart.model.chart_model import ChartModel
from backend.core.definition.metrics import METRICS
from backend.core.export.html import Figure, page, results
from backend.core.export.html_parts import facts, paragraph, section, table
from backend.core.messages.message import joined, key, message, named
from backend.core.messages.translation import Written
from backend.core.plan.labels import factor_label, level_label
from backend.core.plan.states import Origin
from backend.core.sample.environment import HOST

MOST_EXCLUSIONS: Final = 200
"""Trials that are listed with their reasons; the number of the others is stated."""


@dataclass(frozen=True)
class RunFacts:
    """What the figures do not say: the run's address on this server, and the times of its start and end."""

    address: str
    started_at: datetime | None = None
    finished_at: datetime | None = None


def printed_report(
    model: ChartModel, data: ChartInput, figures: Sequence[Figure], about: RunFacts, json_sha256: str
) -> str:
    """The file. `json_sha256` is the hexadecimal SHA-256 of the run's JSON export."""
    parts = [
        _question(model, data),
        section("Where it can be checked", facts(_checkable(model, about, json_sha256))),
        _left_out(model, data),
        *results(model, figures),
    ]
    footer = message("reportPrintedFrom", run=model.run_id, seed=str(model.seed))
    return page(model, parts, footer, dark=False)


def _question(model: ChartModel, data: ChartInput) -> str:
    levels: dict[str, list[str]] = {}
    for cell in model.cells:
        for name, level in cell.levels.items():
            word = level_label(name, level)
            if word not in levels.setdefault(name, []):
                levels[name].append(word)
    varied = {factor_label(name): joined(words, "comma") for name, words in levels.items() if len(words) > 1}
    baselines = dict.fromkeys(cell.label for cell in model.cells if cell.is_baseline)
    metrics = (named(key("metric", name), METRICS[name].label) for name in data.experiment.metrics)
    return section(
        "Question",
        paragraph(
            message(
                "reportQuestionOf",
                title=Written(data.experiment.title),
                n=str(len(model.cells)),
                baseline=joined(baselines, "semicolon"),
                metrics=joined(metrics, "comma"),
                margin=f"{100 * model.margin:.3g}",
            )
        ),
        facts(varied),
    )


def _checkable(model: ChartModel, about: RunFacts, json_sha256: str) -> dict[str, str]:
    host = model.environment.get(HOST)
    return {
        "Address": Written(about.address),
        "Run": model.run_id,
        "SHA-256 of its JSON export": json_sha256,
        "Measured": message("reportFromTo", start=_time(about.started_at), end=_time(about.finished_at)),
        "Host": message("reportNotRecorded") if host is None else Written(host),
    }


def _time(at: datetime | None) -> str:
    return message("reportNotRecorded") if at is None else f"{at.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC"


def _left_out(model: ChartModel, data: ChartInput) -> str:
    """The trials that are in no statistic, each with its reason."""
    labels = {cell.id: cell.label for cell in model.cells}
    rows = [
        ((labels.get(row.cell_id, row.cell_id), str(row.round), reason), "")
        for row in data.trials
        for reason in _reasons(row, data.origin)
    ]
    if not rows:
        return section("Trials left out", paragraph("None: every trial that ended is in the statistics."))
    more = len(rows) - MOST_EXCLUSIONS
    return section(
        "Trials left out",
        table(
            message("reportReasons", n=str(len(rows))),
            ("cell", "round", "reason"),
            ("<", ">", "<"),
            rows[:MOST_EXCLUSIONS],
        ),
        paragraph(message("reportMoreReasons", n=str(more))) if more > 0 else "",
    )


def _reasons(row: TrialRow, origin: Origin) -> Iterator[str]:
    if row.state == "failed":
        reason = row.failure_detail or row.failure_code or message("reportNoReason")
        yield message("reportFailed", reason=reason)
    if row.excluded is not None:
        yield message("reportExcludedByHand", reason=Written(row.excluded))
    if origin == "measured" and row.evidence in ("contradicted", "not_proven"):
        yield f"path {row.evidence.replace('_', ' ')}"
    yield from (message("reportNotValid", reason=one) for one in row.invalid)
    yield from (message("reportDisturbed", reason=one) for one in row.contaminated)
