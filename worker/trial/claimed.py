"""Checks a claimed trial before anything is built from it.

The database is filled by a process with fewer rights than this one. Ids become names of files, and levels
become command lines and settings of containers.
"""

from __future__ import annotations

from typing import Final

from backend.core.definition.cell_levels import cell_problem
from backend.core.plan.claimed import ClaimedTrial
from backend.core.topology import host_policy
from backend.core.topology.feasible import infeasible
from backend.core.topology.host_policy import HostPolicy
from backend.core.topology.two_hosts import CLIENT_HOST
from backend.store.ids import is_id

CODE: Final = "invalid_levels"
"""The stable code of a trial that no worker runs."""
POLICY_CODE: Final = "host_policy"
"""The stable code of a trial that this host's policy forbids."""


def refusal(trial: ClaimedTrial) -> str | None:
    """Why nothing may be built from this trial, or None."""
    if not is_trial_id(trial.trial_id) or not is_run_id(trial.run_id):
        return f"{trial.trial_id[:60]!r} of {trial.run_id[:60]!r} is not an id"
    return why_not(trial.levels, trial.client_host)


def is_trial_id(text: str) -> bool:
    """Whether a text has the format of a trial's id."""
    return is_id("trl", text)


def is_run_id(text: str) -> bool:
    """Whether a text has the format of a run's id."""
    return is_id("run", text)


def why_not(levels: object, client_host: str | None = None) -> str | None:
    """Why no host can run a cell with these levels, or None; `client_host` is the run's, by name."""
    if (problem := cell_problem(levels)) is not None:
        return f"{problem.pointer or '/'}: {problem.detail}"
    assert isinstance(levels, dict)
    known = {} if client_host is None else {CLIENT_HOST: {"name": client_host}}
    obstacle = infeasible(levels, known)
    return None if obstacle is None else f"/{obstacle.factor}: {obstacle.detail}"


def forbidden(trial: ClaimedTrial, policy: HostPolicy) -> str | None:
    """Why this host's policy forbids a trial, or None; also for a trial that `refusal` names."""
    if refusal(trial) is not None:
        return None
    obstacle = host_policy.forbidden(trial.levels, policy)
    if obstacle is None and trial.client_host is not None:
        obstacle = host_policy.not_partners(trial.levels, policy, trial.client_host)
    return None if obstacle is None else f"/{obstacle.factor}: {obstacle.detail}"
