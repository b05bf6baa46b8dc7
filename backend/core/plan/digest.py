"""The digest of a plan as it is shown: a start that names it starts that plan or nothing."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict

from backend.core.definition.canonical import digest
from backend.core.definition.experiment import Experiment
from backend.core.plan.model import Plan


def plan_digest(experiment: Experiment, plan: Plan, host: str | None, client_host: str | None = None) -> str:
    """The SHA-256 of what a run of the plan would do, in hexadecimal.

    Covers the document, the hosts, each cell with the reason why it cannot run, the rounds, and how often the
    servers restart; the order of the trials only where the document has a seed, because each run draws its
    own otherwise. The estimates are left out: they change nothing in the run.
    """
    covered = {
        "experiment": digest(experiment),
        "hosts": [host, client_host],
        "cells": [[cell.id, cell.levels, cell.infeasible] for cell in plan.cells],
        "interim_rounds": plan.interim_rounds,
        "restart_every": plan.restart_every,
        "trials": len(plan.trials)
        if experiment.seed is None
        else [[*asdict(trial).values()] for trial in plan.trials],
    }
    text = json.dumps(covered, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()
