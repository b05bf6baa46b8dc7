"""A run's result: rows of the store to ChartInput, and its answer with a strong ETag once it is final."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from fastapi import Response, status
from pydantic import TypeAdapter

from backend.core.chart.build import build_chart
from backend.core.chart.inputs import ChartInput, TrialCpu, TrialProcess, TrialRow
from backend.core.chart.model import ChartModel
from backend.core.chart.sentences import LINK_FACTS
from backend.core.definition.load import experiment_from
from backend.core.plan.model import Plan
from backend.core.topology.paths import hops_of
from backend.settings import Settings
from backend.store.repositories import result_rows
from backend.store.session import session_scope
from backend.store.states import RUN_ENDED

PLAN: TypeAdapter[Plan] = TypeAdapter(Plan)


@dataclass(frozen=True)
class Rendered:
    """A result as it is sent."""

    body: bytes
    etag: str


def answer(settings: Settings, run_id: str, if_none_match: str | None) -> Response:
    """The result of a run; with a strong ETag, and 304 for it, once the run has ended."""
    with session_scope(settings) as session:
        state = result_rows.state(session, run_id)
    if state not in RUN_ENDED:
        body = chart(settings, run_id).model_dump_json().encode()
        return Response(body, media_type="application/json", headers={"Cache-Control": "no-store"})
    rendered = _final(settings, run_id)
    headers = {"ETag": rendered.etag, "Cache-Control": "private, no-cache"}
    if _matches(if_none_match, rendered.etag):
        return Response(status_code=status.HTTP_304_NOT_MODIFIED, headers=headers)
    return Response(rendered.body, media_type="application/json", headers=headers)


@lru_cache(maxsize=32)
def final_chart(settings: Settings, run_id: str) -> ChartModel:
    """The ChartModel of an ended run: nothing can change it any more."""
    return chart(settings, run_id)


@lru_cache(maxsize=32)
def _final(settings: Settings, run_id: str) -> Rendered:
    """The result of an ended run as it is sent."""
    body = chart(settings, run_id).model_dump_json().encode()
    return Rendered(body, f'"{hashlib.sha256(body).hexdigest()[:32]}"')


def _matches(if_none_match: str | None, etag: str) -> bool:
    given = [tag.strip().removeprefix("W/") for tag in (if_none_match or "").split(",")]
    return etag in given or "*" in given


def chart(settings: Settings, run_id: str) -> ChartModel:
    """The ChartModel of a run in any state. Raises NotFound."""
    with session_scope(settings) as session:
        stored = result_rows.read(session, run_id)
    plan = PLAN.validate_python({**stored.plan, "trials": ()})
    environment = stored.environment or {}
    return build_chart(
        ChartInput(
            run_id=run_id,
            experiment_id=stored.experiment_id,
            state=stored.state,
            experiment=experiment_from(stored.definition),
            plan=plan,
            trials=[_row(row) for row in stored.trials],
            environment={key: _shown(value) for key, value in environment.items()},
            cores=_cores(environment),
            hops={cell.id: hops_of(cell.levels) for cell in plan.cells},
        )
    )


def _row(row: dict[str, Any]) -> TrialRow:
    """One trial with what the chart needs of its record."""
    cpu = row["cpu"]
    return TrialRow(
        trial_id=row["id"],
        cell_id=row["cell_id"],
        round=row["round"],
        state=row["state"],
        failure_code=row["failure_code"],
        failure_detail=row["failure_detail"],
        metrics=row["metrics"],
        transactions=row["transactions"],
        cpu=None if cpu is None else _cpu(cpu, row["window"]["seconds"]),
        evidence=row["evidence_verdict"],
        warnings=tuple(row["warnings"] or ()),
        processes=tuple(
            TrialProcess(p["role"], p["name"], p["thread"] is not None, p["seconds"])
            for p in row["processes"] or ()
        ),
        facts={k: v for k, v in (row["facts"] or {}).items() if k.startswith(LINK_FACTS)},
    )


def _cpu(cpu: dict[str, Any], seconds: float) -> TrialCpu:
    return TrialCpu(cpu["roles"], cpu["unattributed"], seconds, cpu.get("idle"), cpu.get("steal"))


def _shown(value: Any) -> str:
    return value if isinstance(value, str) else str(value)


def _cores(environment: dict[str, Any]) -> int | None:
    try:
        return int(environment["cores"])
    except (KeyError, TypeError, ValueError):
        return None
