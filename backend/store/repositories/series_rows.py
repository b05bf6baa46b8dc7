"""Reads what records have over time: the tool's rate, CPU by role, and the output of the warm-up."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from pydantic import TypeAdapter
from sqlalchemy import cast, func, select
from sqlalchemy.dialects.postgresql import JSONPATH
from sqlalchemy.orm import Session

from backend.core.chart.cell_series.build_series import RecordedSeries
from backend.core.sample.record import CpuPoint, SecondPoint
from backend.store.models import Result

_WARM_UP: Final = cast('$.commands[*] ? (@.purpose == "warm_up")', JSONPATH)
_RATES: Final = TypeAdapter(tuple[SecondPoint, ...])
_CPU: Final = TypeAdapter(tuple[CpuPoint, ...])


def of_trials(session: Session, trial_ids: Sequence[str]) -> list[RecordedSeries]:
    """The series of these trials' records, in no order; a trial without a record is not there."""
    rows = session.execute(
        select(
            Result.trial_id,
            Result.payload["per_second"].label("per_second"),
            Result.payload["cpu_series"].label("cpu"),
            func.jsonb_path_query_first(Result.payload, _WARM_UP).label("warm_up"),
        ).where(Result.trial_id.in_(trial_ids))
    )
    return [
        RecordedSeries(
            trial_id=row.trial_id,
            per_second=_RATES.validate_python(row.per_second or ()),
            cpu=_CPU.validate_python(row.cpu or ()),
            warm_up=None if row.warm_up is None else (row.warm_up["stdout"], row.warm_up["stderr"]),
        )
        for row in rows
    ]
