"""How quiet the host was over a whole run: trials repeated, contaminated and invalid."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Final

from backend.core.chart.cells.inputs import ChartInput
from backend.core.chart.cells.trials import CellTrials
from backend.core.chart.model.quality_models import ExcludedTrial, ReasonCount, RunQuality
from backend.core.messages.message import joined, key, message, named
from backend.core.sample.notice import Notice
from backend.core.sample.notice_kinds import KINDS

NOISY_SHARE: Final = 0.2
"""The headline states the noise of a run if more than this share of its trials was contaminated each time. At
a fifth, the two cells of a pair have lost a third of their common rounds."""

MAX_EXCLUDED: Final = 100
"""The most excluded trials that a result names."""


def excluded_trials(cells: Mapping[str, CellTrials]) -> tuple[ExcludedTrial, ...]:
    """The first MAX_EXCLUDED trials that were excluded by hand, with their reasons."""
    found = (
        ExcludedTrial(cell_id=trials.cell.id, round=row.round, reason=row.excluded or "")
        for trials in cells.values()
        for row in trials.excluded
    )
    return tuple(islice(found, MAX_EXCLUDED))


def run_quality(cells: Mapping[str, CellTrials]) -> RunQuality:
    """The counts of a run as far as it has come; older records without quiet checks count as quiet."""
    rows = [row for trials in cells.values() for row in trials.done]
    dirty = [row for trials in cells.values() for row in trials.contaminated]
    invalid = sum(len(trials.invalid) for trials in cells.values())
    retakes, retaken = sum(row.retakes for row in rows), sum(row.retakes > 0 for row in rows)
    again = _kinds(reason for row in rows for reason in row.retaken_for)
    stayed = _kinds(reason for row in dirty for reason in row.contaminated)
    return RunQuality(
        trials=len(rows),
        retaken=retaken,
        retakes=retakes,
        retaken_by=again,
        waited_seconds=round(sum(row.waited_seconds for row in rows), 1),
        contaminated=len(dirty),
        contaminated_by=stayed,
        invalid=invalid,
        excluded=sum(len(trials.excluded) for trials in cells.values()),
        noisy=len(dirty) > NOISY_SHARE * len(rows),
        sentence=_sentence(len(rows), retaken, again, len(dirty), stayed, invalid),
    )


def with_noise(headline: str, quality: RunQuality) -> str:
    """The headline, after a warning where the host stayed noisy."""
    if not quality.noisy:
        return headline
    noise = message("stayedNoisy", n=quality.contaminated, of=quality.trials)
    return joined((noise, headline))


def exclusions_sentence(quality: RunQuality) -> str | None:
    """How many trials were excluded by hand; None without one."""
    if not quality.excluded:
        return None
    return message("excludedByHand", count=quality.excluded, of=quality.trials)


def _kinds(reasons: Iterable[str]) -> tuple[ReasonCount, ...]:
    counted = Counter(Notice.from_text(reason).kind for reason in reasons)
    return tuple(ReasonCount(kind=kind, count=n) for kind, n in counted.most_common())


def _sentence(
    total: int,
    retaken: int,
    again: Sequence[ReasonCount],
    dirty: int,
    stayed: Sequence[ReasonCount],
    invalid: int,
) -> str | None:
    parts = []
    if retaken:
        parts.append(message("measuredAgain", count=retaken, of=total, kinds=_listed(again)))
    if dirty:
        parts.append(message("contaminatedEachTime", count=dirty, of=total, kinds=_listed(stayed)))
    if invalid:
        parts.append(message("invalidLeftOut", count=invalid, of=total))
    return message("hostNoise", parts=joined(parts, "semicolon")) if parts else None


def _named(kind: str) -> str:
    return named(key("notice", kind), kind) if kind in KINDS else kind


def _listed(kinds: Sequence[ReasonCount]) -> str:
    return joined((message("timesKind", n=each.count, kind=_named(each.kind)) for each in kinds), "comma")


def make_up_note(data: ChartInput) -> Iterator[str]:
    """How many trials were measured in make-up rounds, where any were."""
    if data.plan.make_up is None:
        return
    after = data.plan.make_up.after_round
    made_up = sum(row.round > after and row.state == "done" for row in data.trials)
    if made_up:
        yield message("madeUp", count=made_up)
