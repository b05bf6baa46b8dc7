"""One generated run as rows of the tables, in the text format of COPY."""

from __future__ import annotations

import base64
import hashlib
import json
import random
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from backend.core.plan.model import Cell, PlannedTrial
from backend.core.plan.stored import to_store
from backend.store.ids import ALPHABET, Prefix
from scripts.benchmark.server.documents import HOSTS, ROUNDS, Planned
from scripts.benchmark.server.records import Attempt, check, record

TRIAL: Final = timedelta(seconds=13)
BYTES_OF_TRIAL: Final = 4000
COLUMNS: Final = {
    "run": "id, team_id, experiment_id, host_id, state, plan, environment, note, tags, stored_bytes,"
    " cancel_requested, created_at, started_at, finished_at",
    "trial": "id, run_id, host_id, cell_id, round, position, seq, levels, state, fence, attempts, worker,"
    " failure_code, failure_detail, created_at, started_at, finished_at",
    "attempt": "trial_id, fence, entry, worker, outcome, at",
    "result": "run_id, cell_id, round, trial_id, fence, sha256, metrics, evidence_verdict, payload,"
    " recorded_at",
    "event": "run_id, kind, data, created_at",
}
"""Each table with the columns that are written, in the order in which they are."""
_TO_CROCKFORD: Final = bytes.maketrans(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", ALPHABET.encode())
_RELEASES: Final = (("6.1.0-32", "27.3.1"), ("6.1.0-40", "28.0.4"), ("6.12.9", "28.5.1"))
_RUNS_OF_A_RELEASE: Final = 3334
_IMAGE: Final = "sha256:" + "ab" * 32
_ENVIRONMENT: Final = {
    "os": "Debian GNU/Linux 12",
    "cpu": "EPYC 7xx3",
    "cores": "4",
    "memory": "16 GiB",
    "boot id": "1",
}
WORKER: Final = "worker-1"

Rows = defaultdict[str, list[str]]


@dataclass(frozen=True)
class Made:
    """One run to generate; `number` counts over the database, `turn` over the experiment's runs."""

    planned: Planned
    experiment_id: str
    number: int
    turn: int
    created: datetime


@dataclass(frozen=True)
class _Begun:
    """A run whose trials are being written; `level` is the speed of its host in this run."""

    made: Made
    run_id: str
    host_id: str
    level: float
    versions: dict[str, str]
    incomplete: bool

    @property
    def state(self) -> str:
        return "incomplete" if self.incomplete else "done"


class Writer:
    """Makes the rows of runs; the same seed makes the same database."""

    def __init__(self, seed: int = 1) -> None:
        self._draw = random.Random(seed)
        self._plans: dict[int, tuple[str, dict[str, str], dict[str, Cell]]] = {}

    def new_id(self, prefix: Prefix) -> str:
        """An id with the format of the product's."""
        code = base64.b32encode(self._draw.randbytes(10)).translate(_TO_CROCKFORD).decode()
        return f"{prefix}_{code}"

    def run(self, made: Made, rows: Rows) -> None:
        """Append the rows of one ended run with all of its trials."""
        host_id, host = HOSTS[(made.planned.number + made.turn % 2) % len(HOSTS)]
        kernel, docker = _RELEASES[made.number // _RUNS_OF_A_RELEASE % len(_RELEASES)]
        began = _Begun(
            made=made,
            run_id=self.new_id("run"),
            host_id=host_id,
            level=(0.8 + 0.1 * int(host[-1])) * self._draw.lognormvariate(0, 0.01),
            versions={"kernel": kernel, "docker": docker, "pgbench": "15.20", "image id": _IMAGE},
            incomplete=made.number % 33 == 0,
        )
        plan, levels, cells = self._plan(made.planned)
        _event(rows, began.run_id, "run", {"id": began.run_id, "state": "queued"}, made.created)
        at = made.created
        for trial in made.planned.plan.trials:
            self._trial(rows, began, trial, (cells[trial.cell_id], levels[trial.cell_id]), at)
            at += TRIAL
        _event(rows, began.run_id, "run", {"id": began.run_id, "state": began.state}, at)
        environment = _ENVIRONMENT | {"host": host, "kernel": kernel, "engine docker": docker}
        stored = BYTES_OF_TRIAL * len(made.planned.plan.trials)
        tags = ["nightly"] if made.number % 5 == 0 else []
        rows["run"].append(
            f"{began.run_id}\t{made.planned.team_id}\t{made.experiment_id}\t{host_id}\t{began.state}\t{plan}\t"
            f"{_json(environment)}\t\t{_json(tags)}\t{stored}\tf\t{made.created}\t{made.created}\t{at}\n"
        )

    def _trial(
        self, rows: Rows, begun: _Begun, trial: PlannedTrial, cell: tuple[Cell, str], at: datetime
    ) -> None:
        trial_id, ended = self.new_id("trl"), at + TRIAL
        failed = begun.incomplete and trial.round == ROUNDS and trial.position == 1
        server = f"{begun.run_id}/{trial.cell_id}/{trial.round}"
        attempt = Attempt(trial_id, cell[0], server, at, begun.versions, begun.level)
        data: dict[str, Any] = {"trial_id": trial_id, "cell_id": trial.cell_id, "round": trial.round}
        none = {"metrics": None, "failure_code": None}
        _event(rows, begun.run_id, "trial", data | {"state": "running"} | none, at)
        if failed:
            end: dict[str, Any] = {"state": "failed", "metrics": None, "failure_code": "tool_failed"}
        else:
            metrics = self._result(rows, begun.run_id, trial.round, attempt, ended)
            end = {"state": "done", "metrics": metrics, "failure_code": None}
        _event(rows, begun.run_id, "trial", data | end, ended)
        failure = "tool_failed\texit code 1" if failed else "\\N\t\\N"
        rows["trial"].append(
            f"{trial_id}\t{begun.run_id}\t{begun.host_id}\t{trial.cell_id}\t{trial.round}\t{trial.position}\t"
            f"{trial.seq}\t{cell[1]}\t{end['state']}\t1\t1\t{WORKER}\t{failure}\t{begun.made.created}\t{at}\t{ended}\n"
        )
        outcome = "failed" if failed else "recorded"
        rows["attempt"].append(f"{trial_id}\t1\tclaimed\t{WORKER}\t\\N\t{at}\n")
        rows["attempt"].append(f"{trial_id}\t1\tended\t{WORKER}\t{outcome}\t{ended}\n")

    def _result(
        self, rows: Rows, run_id: str, round_: int, attempt: Attempt, ended: datetime
    ) -> Mapping[str, float]:
        found = record(attempt, self._draw)
        if not rows["result"]:
            check(found)
        metrics: Mapping[str, float] = found["metrics"]
        sha256 = hashlib.sha256(attempt.trial_id.encode()).hexdigest()
        rows["result"].append(
            f"{run_id}\t{attempt.cell.id}\t{round_}\t{attempt.trial_id}\t1\t{sha256}\t"
            f"{_json(metrics)}\tproven\t{_json(found)}\t{ended}\n"
        )
        return metrics

    def _plan(self, planned: Planned) -> tuple[str, dict[str, str], dict[str, Cell]]:
        """The stored plan, the levels of each cell as text, and the cells by id."""
        found = self._plans.get(planned.number)
        if found is None:
            cells = {cell.id: cell for cell in planned.plan.cells}
            levels = {id_: _json(cell.levels) for id_, cell in cells.items()}
            found = self._plans[planned.number] = (_json(to_store(planned.plan)), levels, cells)
        return found


def _event(rows: Rows, run_id: str, kind: str, data: Mapping[str, Any], at: datetime) -> None:
    rows["event"].append(f"{run_id}\t{kind}\t{_json(data)}\t{at}\n")


def _json(value: Any) -> str:
    """JSON as a field of COPY's text format, in which a backslash begins an escape."""
    return json.dumps(value, separators=(",", ":")).replace("\\", "\\\\")
