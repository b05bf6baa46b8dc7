"""The figures of the compared runs: those of an ended run are kept in the database."""

from __future__ import annotations

from sqlalchemy.orm import Session

from backend.api.schema import rfc3339
from backend.core.chart.cells.inputs import ChartInput
from backend.core.chart.compare_runs.compared_cells import RunFigures, figures_of, from_json, to_json
from backend.core.chart.compare_runs.run_comparison import ComparedRun
from backend.core.errors import NotFound
from backend.program_revision import program_revision
from backend.store.repositories import derived
from backend.store.repositories.chart_inputs import read_compared
from backend.store.repositories.derived import Made, RunDocument


def compared_runs(session: Session, ended: dict[str, bool], metric: str | None) -> dict[str, ComparedRun]:
    """These runs by id, with the values of their experiments' metrics and of a further one.

    `ended` says of each run whether it has ended: its figures are then kept. Raises NotFound.
    """
    documents = {one.run_id: one for one in derived.find_all(session, ended, "figures", program_revision())}
    found = {}
    for run_id, has_ended in ended.items():
        if run_id not in documents:
            raise NotFound("there is no such run")
        document = documents[run_id]
        started_at = None if document.started_at is None else rfc3339(document.started_at)
        figures = _figures(session, document, has_ended, metric)
        found[run_id] = ComparedRun(figures, document.host, started_at)
    return found


def keep_figures(session: Session, made: Made, data: ChartInput) -> None:
    """Keep the figures of an ended run, which was read as it was `made` or later."""
    derived.keep(session, data.run_id, "figures", made, to_json(figures_of(data)))


def _figures(session: Session, document: RunDocument, ended: bool, metric: str | None) -> RunFigures:
    if ended and document.body is not None:
        figures = from_json(document.body)
        if metric is None or metric in figures.metrics:
            return figures
    data = read_compared(session, document.run_id)
    if ended and document.body is None:
        keep_figures(session, document.made, data)
    return figures_of(data, metric)
