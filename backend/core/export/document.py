"""A run as one JSON document: the exact inputs of its result, and the result."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, Final

from pydantic import TypeAdapter, ValidationError

from backend.core.chart.cells.inputs import ChartInput
from backend.core.chart.model.chart_model import ChartModel
from backend.core.definition.metrics import METRICS
from backend.core.errors import Invalid, Problem
from backend.core.export.csv_long import positions
from backend.core.export.methods import METHODS
from backend.core.plan.states import RUN_ENDED

SCHEMA: Final = "plimsoll.run/v1"
_INPUT: TypeAdapter[ChartInput] = TypeAdapter(ChartInput)
_ABOUT_THE_RUN = ("run_id", "experiment_id", "state", "origin", "cores")


def document(data: ChartInput, model: ChartModel) -> dict[str, Any]:
    """The document, in JSON types only.

    `definition`, `plan`, `trials`, `hops` and `environment` are the inputs and what was recorded,
    with every digit; `result` is the ChartModel, which follows from them (`read_document`). A trial's metric
    that is not finite is null, because JSON has no such number; an invalid or excluded trial has its reason
    and no figures. Of each trial the raw output is at `/api/v1/trials/<trial_id>`.
    """
    written: dict[str, Any] = _INPUT.dump_python(data, mode="json")
    known = {row.trial_id: position for row, position in positions(data)}
    return {
        "schema": SCHEMA,
        "provisional": data.state not in RUN_ENDED,
        **{name: written.pop(name) for name in _ABOUT_THE_RUN},
        "definition": written.pop("experiment"),
        "plan": written.pop("plan"),
        "trials": [row | {"position": known[row["trial_id"]]} for row in written.pop("trials")],
        **written,
        "metrics": [asdict(metric) for metric in METRICS.values()],
        "methods": [asdict(method) for method in METHODS],
        "result": model.model_dump(mode="json"),
    }


def read_document(found: Mapping[str, Any]) -> ChartInput:
    """The inputs of the result, read from a document. Raises Invalid naming the field."""
    if found.get("schema") != SCHEMA:
        raise Invalid.at("/schema", "unknown_schema", f"this reads documents of the schema {SCHEMA} only")
    fields = {name: value for name, value in found.items() if name in ChartInput.__dataclass_fields__}
    trials = [
        {n: _numbers(v) if n == "metrics" else v for n, v in row.items() if n != "position"}
        for row in found.get("trials", ())
    ]
    fields |= {"experiment": found.get("definition"), "trials": trials}
    try:
        return _INPUT.validate_python(fields)
    except ValidationError as error:
        raise Invalid(
            tuple(
                Problem(
                    "/" + "/".join("definition" if part == "experiment" else str(part) for part in e["loc"]),
                    "invalid",
                    e["msg"],
                )
                for e in error.errors()
            )
        ) from error


def _numbers(metrics: Any) -> Any:
    """The metrics with NaN for null: no statistic uses such a value, but the result warns of it."""
    if not isinstance(metrics, Mapping):
        return metrics
    return {name: math.nan if value is None else value for name, value in metrics.items()}
