"""Reads a run as a ChartInput, for results of the API and for interim analyses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from sqlalchemy.orm import Session

from backend.core.chart.cells.inputs import ChartInput, TrialCpu, TrialProcess, TrialRow
from backend.core.chart.cells.validity import checked
from backend.core.chart.text.sentences import LINK_FACTS
from backend.core.definition import stored as definitions
from backend.core.definition.experiment import Experiment
from backend.core.definition.factors import Level
from backend.core.definition.text import printable
from backend.core.plan import stored as plans
from backend.core.plan.extension import extended
from backend.core.sample.environment import CORES
from backend.core.sample.notice import Notice
from backend.core.topology.paths import hops_of
from backend.store.repositories import result_rows
from backend.store.repositories.result_rows import StoredRun


def read_chart_input(session: Session, run_id: str) -> ChartInput:
    """The input of the result of a run in any state. Raises NotFound."""
    return _input(run_id, result_rows.read(session, run_id))


def read_figures(session: Session, run_id: str) -> ChartInput:
    """The same with only the metrics and what decides whether a trial is valid, as interim analyses need it.

    Raises NotFound.
    """
    return _input(run_id, result_rows.read(session, run_id, result_rows.FIGURES))


def read_compared(session: Session, run_id: str) -> ChartInput:
    """The same with the notices of trials, which say whether their settings are those of their cells.

    Raises NotFound.
    """
    return _input(run_id, result_rows.read(session, run_id, (*result_rows.FIGURES, "notices")))


def read_cell(session: Session, run_id: str, cell_id: str) -> ChartInput:
    """The same with only the trials of one cell. Raises NotFound for an unknown run."""
    return _input(run_id, result_rows.read(session, run_id, result_rows.FIGURES, cell_id))


def _input(run_id: str, stored: StoredRun) -> ChartInput:
    plan = plans.from_store(stored.plan)
    environment = stored.environment or {}
    experiment = definitions.from_store(stored.definition)
    levels = {cell.id: cell.levels for cell in plan.cells}
    if experiment.seed is None:
        experiment = experiment.model_copy(update={"seed": plan.seed})
    if plan.extension is not None:
        experiment = extended(experiment, plan.extension.rounds, plan.seed)
    return ChartInput(
        run_id=run_id,
        experiment_id=stored.experiment_id,
        state=stored.state,
        experiment=_as_imported(experiment, stored) if stored.origin == "imported" else experiment,
        plan=plan,
        trials=[trial_row(row, levels.get(row["cell_id"], {})) for row in stored.trials],
        environment={printable(key): _shown(value) for key, value in environment.items()},
        cores=_cores(environment),
        hops={cell.id: hops_of(cell.levels) for cell in plan.cells},
        origin=stored.origin,
    )


def _as_imported(experiment: Experiment, stored: StoredRun) -> Experiment:
    """The experiment with only the metrics and rounds that the imported logs have."""
    available = {name for row in stored.trials for name in row["metrics"]}
    metrics = tuple(metric for metric in experiment.metrics if metric in available)
    rounds = len({row["round"] for row in stored.trials})
    return experiment.model_copy(update={"metrics": metrics, "rounds": rounds, "stopping": None})


def trial_row(row: Mapping[str, Any], levels: Mapping[str, Level]) -> TrialRow:
    """One trial with the parts of its record that `row` has, checked for physical bounds."""
    return checked(_row(row), levels)


def _row(row: Mapping[str, Any]) -> TrialRow:
    cpu = row.get("cpu")
    return TrialRow(
        trial_id=row["id"],
        cell_id=row["cell_id"],
        round=row["round"],
        state=row["state"],
        failure_code=row["failure_code"],
        failure_detail=None if row["failure_detail"] is None else printable(row["failure_detail"]),
        metrics=row["metrics"],
        transactions=row.get("transactions"),
        cpu=None if cpu is None else _cpu(cpu, row["window"]["seconds"]),
        evidence=row["evidence_verdict"],
        notices=tuple(_notices(row)),
        processes=tuple(
            TrialProcess(p["role"], p["name"], p["thread"] is not None, p["seconds"])
            for p in row.get("processes") or ()
        ),
        facts={k: v for k, v in (row.get("facts") or {}).items() if k.startswith(LINK_FACTS)},
        versions=row.get("versions") or {},
        server=row.get("server"),
        excluded=row.get("excluded"),
        **_quality(row.get("quality") or {}),
    )


def _notices(row: Mapping[str, Any]) -> Iterator[Notice]:
    """The notices of a record; of one from before it kept them as values, read from their text."""
    if row.get("notices") is None:
        yield from (Notice.from_text(printable(text)) for text in row.get("warnings") or ())
        return
    for stored in row["notices"]:
        yield Notice(*(printable(stored[name]) for name in ("kind", "figures", "advice")))


def _quality(found: Mapping[str, Any]) -> dict[str, Any]:
    """The quality part of a record; older records have none."""
    discarded = found.get("discarded") or ()
    return {
        "invalid": tuple(found.get("invalid") or ()),
        "contaminated": tuple(found.get("contaminated") or ()),
        "retakes": len(discarded),
        "retaken_for": tuple(reason for take in discarded for reason in take["reasons"]),
        "waited_seconds": found.get("waited_seconds") or 0.0,
    }


def _cpu(cpu: dict[str, Any], seconds: float) -> TrialCpu:
    return TrialCpu(cpu["roles"], cpu["unattributed"], seconds, cpu.get("idle"), cpu.get("steal"))


def _shown(value: Any) -> str:
    return printable(value if isinstance(value, str) else str(value))


def _cores(environment: dict[str, Any]) -> int | None:
    try:
        return int(environment[CORES])
    except (KeyError, TypeError, ValueError):
        return None
