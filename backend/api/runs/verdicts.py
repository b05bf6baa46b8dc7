"""Keeps the verdicts of ended runs, which lists of runs show without computing a result."""

from __future__ import annotations

import logging

from backend.core.chart.model.chart_model import ChartModel
from backend.core.chart.run_verdict import RunVerdict, run_verdict
from backend.settings import Settings
from backend.store.repositories import run_entries
from backend.store.session import session_scope

logger = logging.getLogger(__name__)


def next_due(settings: Settings) -> str | None:
    """The newest ended run without a current verdict."""
    with session_scope(settings) as session:
        return run_entries.next_due(session)


def keep(settings: Settings, run_id: str, chart: bytes | None) -> None:
    """Keep the verdict of a rendered result; None where it cannot be computed."""
    verdict = _verdict(run_id, chart)
    body = None if verdict is None else verdict.model_dump_json()
    with session_scope(settings) as session:
        run_entries.keep_verdict(session, run_id, body, () if verdict is None else verdict.terms())


def _verdict(run_id: str, chart: bytes | None) -> RunVerdict | None:
    if chart is None:
        return None
    try:
        return run_verdict(ChartModel.model_validate_json(chart))
    except Exception:
        # One run must not hold up the verdicts and messages of all others.
        logger.exception("run %s has no verdict", run_id)
        return None
