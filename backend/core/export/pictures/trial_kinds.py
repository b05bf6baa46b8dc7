"""The kinds of picture of a trial, and the one that a request names."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from backend.core.errors import Invalid, NotFound
from backend.core.export.colours import ThemeName, theme_named
from backend.core.export.pictures import latency, trial_series
from backend.core.export.pictures.frame import Heading, Spec
from backend.core.messages.message import message
from backend.core.messages.translation import Written
from backend.core.sample.record import ImportedRecord, TrialRecord

Record = TrialRecord | ImportedRecord


@dataclass(frozen=True)
class TrialFacts:
    """A trial as its pictures take it: the run's title, the cell's label, its round, and what it left."""

    title: str
    cell: str
    round: int
    trial_id: str
    record: Record | None


@dataclass(frozen=True)
class _Kind:
    """What is drawn (a message), how (None where the record has nothing of it), what it then lacks."""

    said: str
    draw: Callable[[Record, Heading, ThemeName], Spec | None]
    lacking: str


def _rate(record: Record, heading: Heading, theme: ThemeName) -> Spec | None:
    if not record.per_second:
        return None
    return trial_series.rate(record.per_second, record.metrics, heading, theme)


def _cpu(record: Record, heading: Heading, theme: ThemeName) -> Spec | None:
    if not isinstance(record, TrialRecord) or not record.cpu_series:
        return None
    return trial_series.cpu(record.cpu_series, heading, theme)


def _capacity(record: Record, heading: Heading, theme: ThemeName) -> Spec | None:
    return trial_series.capacity(record.cpu, heading, theme) if isinstance(record, TrialRecord) else None


def _latency(record: Record, heading: Heading, theme: ThemeName) -> Spec | None:
    if not any(count > 0 for _, count in record.histogram):
        return None
    return latency.histogram(record.histogram, heading, theme)


def _percentiles(record: Record, heading: Heading, theme: ThemeName) -> Spec | None:
    if not any(name in record.metrics for name in latency.REPORTED):
        return None
    return latency.percentiles(record.histogram, record.metrics, heading, theme)


_KINDS: Final[dict[str, _Kind]] = {
    "rate": _Kind(
        "pictureTrialRate",
        _rate,
        "its tool reported no rate by the second",
    ),
    "cpu": _Kind("pictureTrialCpu", _cpu, "CPU was not sampled"),
    "capacity": _Kind("pictureTrialCapacity", _capacity, "CPU was not measured"),
    "latency": _Kind(
        "pictureTrialLatency",
        _latency,
        "its tool left no histogram of latencies",
    ),
    "percentiles": _Kind(
        "pictureTrialPercentiles",
        _percentiles,
        "its load had no offered rate, and percentiles of a closed loop hide stalls",
    ),
}
TRIAL_KINDS: Final = tuple(_KINDS)


def trial_spec(trial: TrialFacts, kind: str, theme: str) -> Spec:
    """The picture's specification.

    Raises NotFound where the trial left no record, Invalid naming the parameter that is not possible.
    """
    if kind not in _KINDS:
        raise Invalid.at("/kind", "unknown_kind", f"kind is one of {', '.join(_KINDS)}")
    colours = theme_named(theme)
    record = trial.record
    if record is None:
        raise NotFound("this trial has left no record to draw")
    proof = "imported" if isinstance(record, ImportedRecord) else f"path {_words(record.evidence.verdict)}"
    about = message(_KINDS[kind].said)
    where = message("pictureTrialWhere", round=str(trial.round), cell=trial.cell, about=about)
    taken = message("pictureTrial", trial=trial.trial_id, proof=proof)
    heading = Heading(Written(trial.title), (where, taken))
    drawn = _KINDS[kind].draw(record, heading, colours)
    if drawn is None:
        had = [name for name, each in _KINDS.items() if each.draw(record, heading, colours)]
        detail = f"{_KINDS[kind].lacking}; this trial has pictures of kind {', '.join(had) or 'none'}"
        raise Invalid.at("/kind", "no_picture", detail)
    return drawn


def _words(verdict: str) -> str:
    return verdict.replace("_", " ")
