"""Reads the runs of a history; the point of an ended run is computed once and kept."""

from __future__ import annotations

import gzip
from collections.abc import Collection

from sqlalchemy.orm import Session

from backend.api.schema import rfc3339
from backend.core.chart.build import build_chart
from backend.core.chart.history.build_history import DatedPoint, HistoryInput, OtherHistory
from backend.core.chart.history.history_model import HostHistory
from backend.core.chart.history.run_point import RunPoint, run_point
from backend.core.chart.model.chart_model import ChartModel
from backend.program_revision import program_revision
from backend.settings import Settings
from backend.store.repositories import derived
from backend.store.repositories.chart_inputs import read_chart_input
from backend.store.repositories.derived import RunDocument
from backend.store.repositories.histories import HistoryRuns
from backend.store.session import session_scope


def read_history(settings: Settings, found: HistoryRuns) -> HistoryInput:
    """Everything that a history is built from. Runs that were deleted meanwhile are left out."""
    points = _points(settings, [run_id for run_id, _ in found.runs] + [one.newest for one in found.others])
    return HistoryInput(
        experiment_id=found.experiment_id,
        host=found.host.name,
        hosts=tuple(HostHistory(host=one.name, runs=one.runs) for one in found.hosts),
        runs_total=found.host.runs,
        runs=[DatedPoint(rfc3339(at), points[run_id]) for run_id, at in found.runs if run_id in points],
        others=[
            OtherHistory(one.experiment_id, one.runs, points[one.newest])
            for one in found.others
            if one.newest in points
        ],
    )


def _points(settings: Settings, run_ids: Collection[str]) -> dict[str, RunPoint]:
    with session_scope(settings) as session:
        documents = derived.find_all(session, run_ids, "history", program_revision())
    found = {}
    for document in documents:
        if document.body is not None:
            found[document.run_id] = RunPoint.model_validate_json(document.body)
            continue
        with session_scope(settings) as session:  # one short transaction for each run
            point = run_point(_chart(session, document))
            derived.keep(session, document.run_id, "history", document.made, point.model_dump_json().encode())
        found[document.run_id] = point
    return found


def _chart(session: Session, document: RunDocument) -> ChartModel:
    kept = derived.find(session, document.run_id, "result", document.made)
    if kept is not None:
        return ChartModel.model_validate_json(gzip.decompress(kept))
    return build_chart(read_chart_input(session, document.run_id))
