"""Responses of /trials."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, StrictStr
from pydantic_core import PydanticCustomError

from backend.api.schema import Body, Timestamp, WithTexts
from backend.core.definition.factors import Level
from backend.core.definition.text import unprintable
from backend.core.messages.message import MessageParts, WithMessages
from backend.core.plan.states import TrialState
from backend.core.sample.record import Evidence, EvidenceVerdict, ImportedRecord, TrialQuality, TrialRecord


def _line(value: str) -> str:
    """The text without outer spaces, if it is one line of printable characters."""
    found = unprintable(value)
    if found is not None:
        raise PydanticCustomError("unprintable", "contains {found}; write one line", {"found": found})
    if not value.strip():
        raise PydanticCustomError("empty", "give a reason")
    return value.strip()


class Trial(WithMessages, Body):
    """One cell in one round, run once.

    The cost of a transaction in `metrics` has the current definition, also for older records. `invalid` lists
    the physical bounds that the trial violates, `contaminated` how the host disturbed it, `excluded` why
    somebody excluded it after the run; none of these is in a statistic. The state `spared` means skipped: the
    trial was not run, because its comparison was decided at an interim analysis or the budget was spent.
    """

    id: str
    run_id: str
    cell_id: str
    round: int
    position: int
    seq: int
    state: TrialState
    failure_code: str | None
    failure_detail: str | None
    failure_detail_message: MessageParts | None = None
    attempts: int
    started_at: Timestamp | None
    finished_at: Timestamp | None
    metrics: dict[str, float] | None
    evidence_verdict: EvidenceVerdict | None
    invalid: tuple[str, ...] = ()
    contaminated: tuple[str, ...] = ()
    excluded: str | None = None


class ExclusionStart(Body):
    """Why a trial is excluded: one line, shown wherever the result is, also by links."""

    reason: Annotated[StrictStr, Field(min_length=1, max_length=300), AfterValidator(_line)]


class Exclusion(Body):
    """One entry of the history of a trial: excluded for a reason, or included again."""

    action: Literal["excluded", "included"]
    reason: str | None
    by: str
    at: Timestamp


class ExclusionHistory(Body):
    """Why a trial is excluded, null if it is not, and how that came about, oldest entry first."""

    trial_id: str
    excluded: str | None
    history: tuple[Exclusion, ...]


class TrialList(Body):
    """The trials of a run, in the plan's order."""

    data: tuple[Trial, ...]


class Attempt(Body):
    """One claim of the trial by a worker, and how it ended; `outcome` is null while it runs."""

    fence: int
    worker: str
    outcome: str | None
    started_at: Timestamp
    ended_at: Timestamp | None
    detail: str | None


class TrialDetail(WithTexts, Trial):
    """A trial with its record and the log of its attempts.

    A trial of an imported run has the values of its log in `imported`, and no `record`. `messages` has the id
    and figures of its sentences, by the text.
    """

    run_title: str
    cell_label: str
    cell_levels: dict[str, Level]
    record: TrialRecord | None
    imported: ImportedRecord | None
    history: tuple[Attempt, ...]
    exclusions: tuple[Exclusion, ...] = ()

    def sentences(self) -> Iterable[str | None]:
        """How it ended, its attempts, its evidence, its quality and its notices."""
        yield from (self.failure_detail, *self.invalid, *self.contaminated)
        yield from (attempt.detail for attempt in self.history)
        for record in filter(None, (self.record, self.imported)):
            for notice in record.notices:
                yield from (notice.figures, notice.advice)
        if self.record is not None:
            yield from evidence_texts(self.record.evidence)
            yield from quality_texts(self.record.quality)


def evidence_texts(evidence: Evidence) -> Iterator[str]:
    """The sentence of the evidence, and the words of its signals."""
    yield evidence.sentence
    for signal in evidence.signals:
        yield from (signal.name, signal.expected, signal.observed)


def quality_texts(quality: TrialQuality | None) -> Iterator[str]:
    """What disturbed the trial, in all of its takes."""
    if quality is not None:
        yield from (*quality.invalid, *quality.contaminated, *quality.not_quiet)
        for take in quality.discarded:
            yield from take.reasons
