"""How quiet the host was over a whole run: trials repeated, contaminated and invalid."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from backend.core.chart.cells.trials import CellTrials
from backend.core.chart.model.quality_models import ReasonCount, RunQuality

NOISY_SHARE: Final = 0.2
"""A run of whose recorded trials more than this stayed contaminated says so in its headline: at a fifth, the
two cells of a pair have lost a third of their common rounds."""


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
        noisy=len(dirty) > NOISY_SHARE * len(rows),
        sentence=_sentence(len(rows), retaken, again, len(dirty), stayed, invalid),
    )


def with_noise(headline: str, quality: RunQuality) -> str:
    """The headline, after a warning where the host stayed noisy."""
    if not quality.noisy:
        return headline
    return (
        f"This host stayed noisy: {quality.contaminated} of {quality.trials} trials stayed contaminated and "
        f"are left out. {headline}"
    )


def _kinds(reasons: Iterable[str]) -> tuple[ReasonCount, ...]:
    counted = Counter(reason.partition(":")[0] for reason in reasons)
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
        parts.append(f"{retaken} of {total} trials were taken again ({_listed(again)})")
    if dirty:
        lost = f"{dirty} of {total} trials stayed contaminated and are left out with their pairs"
        parts.append(f"{lost} ({_listed(stayed)})")
    if invalid:
        parts.append(f"{invalid} of {total} trials are invalid and left out with their pairs")
    return f"Noise of the host: {'; '.join(parts)}." if parts else None


def _listed(kinds: Sequence[ReasonCount]) -> str:
    return ", ".join(f"{each.kind} {each.count}" for each in kinds)
