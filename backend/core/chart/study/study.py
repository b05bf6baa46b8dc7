"""The published study of a run in its ChartModel, with its claims and how the run departs from it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from backend.core.chart.cells.run_cells import Cells
from backend.core.chart.model.quality_models import DuplicateCheck, Study
from backend.core.chart.study.claims import NO_CELL, judge_claims
from backend.core.chart.study.published import departures
from backend.core.definition.studies.model import PublishedStudy
from backend.core.messages.message import message


def study_of(study: PublishedStudy, cells: Cells, checks: Sequence[DuplicateCheck], analyses: int) -> Study:
    """The study with its claims, those that this run has the cells for first."""
    claims = judge_claims(study, cells, checks, analyses)
    return Study(
        name=study.name,
        title=study.title,
        author=study.author,
        year=study.year,
        citation=study.citation,
        environment=study.environment,
        claims=tuple(sorted(claims, key=lambda claim: claim.detail.startswith(NO_CELL))),
    )


def departure_notes(study: PublishedStudy | None, cells: Cells) -> Iterator[str]:
    """A sentence on the settings of the study that this run does not have."""
    missing = departures(study, cells) if study else ()
    if missing:
        yield message("studyDeparts", settings=", ".join(missing))
