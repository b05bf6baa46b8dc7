"""Imported logs as the result that they give: read, and judged by the statistics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from backend.core.chart.build import build_chart
from backend.core.chart.cells.inputs import ChartInput, TrialRow
from backend.core.chart.model.cell_models import Comparison
from backend.core.chart.model.chart_model import ChartModel
from backend.core.definition.submitted import validate_document
from backend.core.plan.build import build_plan
from backend.core.sample.imported import Log, read_logs

LOGS = Path(__file__).parents[1] / "fixtures" / "logs"
PATHS = ("container_address", "published_loopback")


def text(name: str) -> str:
    """One log of tests/fixtures/logs, as bytes that are read as UTF-8."""
    return (LOGS / name).read_bytes().decode("utf-8", errors="replace")


def pair(
    folder: str, base: str, other: str, *, allow_identical: bool = False, **experiment: Any
) -> ChartModel:
    """The result of the logs `base`* of the first path and `other`* of the second, one a round."""
    logs = {
        path: [text(f"{folder}/{file.name}") for file in sorted((LOGS / folder).glob(f"{begin}*.log"))]
        for path, begin in zip(PATHS, (base, other), strict=True)
    }
    return imported(logs, allow_identical=allow_identical, **experiment)


def imported(
    logs: Mapping[str, Sequence[str]], *, allow_identical: bool = False, **experiment: Any
) -> ChartModel:
    """The result of the logs of each path, one a round."""
    document = {
        "api_version": "plimsoll/v1",
        "name": "logs",
        "title": "Logs",
        "baseline": {"path": PATHS[0]},
        "rounds": max(map(len, logs.values())),
        **experiment,
        "factors": {"path": list(PATHS), **experiment.get("factors", {})},
    }
    checked = validate_document(document)
    plan = build_plan(checked.model_copy(update={"rounds": 1, "stopping": None}), lambda _levels: None)
    cells = tuple(cell for cell in plan.cells if not cell.is_duplicate)
    given = [
        Log({"path": path}, round_, stdout)
        for path, stdouts in logs.items()
        for round_, stdout in enumerate(stdouts, start=1)
    ]
    rows = []
    for number, one in enumerate(read_logs(cells, given, allow_identical=allow_identical)):
        record = one.record(f"trl_{number}")
        rows.append(
            TrialRow(
                trial_id=record.trial_id,
                cell_id=one.cell.id,
                round=one.log.round,
                state="done",
                metrics=record.metrics,
                transactions=record.transactions,
                notices=record.notices,
                versions=record.versions,
            )
        )
    return build_chart(
        ChartInput(
            run_id="run_1",
            experiment_id="exp_1",
            state="done",
            experiment=checked,
            plan=replace(plan, cells=cells, trials=(), interim_rounds=()),
            trials=rows,
            origin="imported",
        )
    )


def comparison(model: ChartModel, metric: str) -> Comparison:
    """The second path against the first."""
    return next(cell for cell in model.cells if cell.levels["path"] == PATHS[1]).comparisons[metric]
