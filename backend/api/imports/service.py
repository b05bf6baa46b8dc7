"""Imports logs as a finished run: everything is parsed before anything is stored."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy.orm import Session

from backend.api.idempotency import Answer, answer_once, fingerprint
from backend.api.imports.schemas import ImportStart
from backend.api.quotas import service as quotas
from backend.api.runs.schemas import Run
from backend.core.definition.canonical import canonical, digest
from backend.core.definition.experiment import Experiment
from backend.core.definition.metrics import METRICS, RATES
from backend.core.definition.submitted import validate_document
from backend.core.errors import Invalid, Problem, Refused
from backend.core.plan.build import build_plan
from backend.core.plan.model import Estimate, Plan
from backend.core.plan.stored import to_store
from backend.core.sample.environment import HOST
from backend.core.sample.imported import Log, ReadLog, read_logs
from backend.settings import Settings
from backend.store.repositories import experiments, hosts, imports
from backend.store.session import transaction

WITHOUT_LOG = "no log of this cell was imported"
WITHOUT_EVIDENCE = "Imported from logs: no path is proven, and CPU was not measured."


def store(
    settings: Settings, team_id: str, start: ImportStart, key: str | None = None, author_id: str | None = None
) -> Answer:
    """Store the logs as a team's run, once per key.

    Raises QuotaExceeded, and Invalid with every problem or for a key that was used for another request;
    nothing is stored then.
    """
    try:
        experiment = validate_document(start.experiment)
        plan = _plan(experiment)
    except Refused as error:
        raise Invalid(tuple(_in_body(problem) for problem in error.problems)) from error
    if not start.logs:
        raise Invalid.at("/logs", "empty", "give at least one log")
    logs = [Log(log.levels, log.round, log.stdout, log.stderr) for log in start.logs]
    read = read_logs(plan.cells, logs, allow_identical=start.allow_identical)
    _refuse_without_metric(experiment, read)

    def work(session: Session) -> Answer:
        def create_run() -> Run:
            quotas.reserve(session, settings, team_id)
            stored, _ = experiments.add(session, team_id, canonical(experiment), digest(experiment))
            host_id = hosts.imported_host(session, start.host)
            stored_plan = _stored_plan(plan, read)
            # Exports take the host's name from the environment; a name in `start.environment` has precedence.
            environment = {HOST: start.host, **start.environment}
            view = imports.add(session, stored.id, host_id, stored_plan, environment, read, author_id)
            return Run.model_validate(view)

        # A digest of megabytes that nothing is compared with would be a fifth of the import's time.
        identity = "" if key is None else fingerprint("imports", start)
        return answer_once(session, team_id, key, identity, create_run)

    return transaction(settings, work)


def _in_body(problem: Problem) -> Problem:
    """A problem of the document, with its pointer into the body."""
    return replace(problem, pointer=f"/experiment{problem.pointer}")


def _plan(experiment: Experiment) -> Plan:
    """The plan of an imported run: every cell is feasible, and there are no A/A duplicates."""
    one_round = experiment.model_copy(update={"rounds": 1, "stopping": None})
    plan = build_plan(one_round, lambda _levels: None)
    cells = tuple(cell for cell in plan.cells if not cell.is_duplicate)
    return replace(
        plan, cells=cells, trials=(), warnings=(WITHOUT_EVIDENCE,), interim_rounds=(), make_up=None
    )


def _refuse_without_metric(experiment: Experiment, read: Sequence[ReadLog]) -> None:
    tools = sorted({log.result.tool for log in read})
    if not any(set(METRICS[m].tools) & set(tools) and m in _metrics_of(read) for m in experiment.metrics):
        rates = ", ".join(dict.fromkeys(RATES[tool] for tool in tools))
        detail = f"no log has any of these metrics; choose one that the tools print, for example {rates}"
        raise Invalid.at("/experiment/metrics", "metric_does_not_fit", detail)


def _metrics_of(read: Sequence[ReadLog]) -> set[str]:
    return {name for log in read for name in log.result.metrics}


def _stored_plan(plan: Plan, read: Sequence[ReadLog]) -> dict[str, Any]:
    """The plan to store; cells without a log are infeasible for that reason."""
    imported = {log.cell.id for log in read}
    cells = tuple(
        cell if cell.id in imported else replace(cell, infeasible=WITHOUT_LOG) for cell in plan.cells
    )
    return to_store(replace(plan, cells=cells, estimate=Estimate(len(read), 0.0, 0.0, 0)))
