"""Requests and responses of /run-groups."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StrictStr

from backend.api.runs.schemas import CurrentTrial, RunProgress
from backend.api.schema import Body, Line, Timestamp
from backend.core.plan.states import RunState

HostName = Annotated[StrictStr, Field(min_length=1, max_length=64)]


class RunGroupStart(Body):
    """The hosts of a new group: either their names, or a label that all of them have.

    `client_host` is another host, which runs the clients of `published_remote`, `host_network_remote` and
    `overlay` of every run, one after the other.
    """

    hosts: tuple[HostName, ...] | None = None
    host_label: HostName | None = None
    # Left out of the request's hash: an idempotency key of before the field had a hash without it.
    client_host: HostName | None = Field(default=None, exclude_if=lambda name: name is None)


class GroupMember(Body):
    """One host of a group with its run; `run_id` and what belongs to it are null where the run was deleted.

    `infeasible_cells` are the cells that this host cannot run; they stay in its plan, with the reason.
    """

    host: str
    run_id: str | None
    state: Literal[RunState, "deleted"]
    started_at: Timestamp | None
    finished_at: Timestamp | None
    cancel_requested: bool
    progress: RunProgress | None
    current: CurrentTrial | None
    infeasible_cells: int


class RunGroup(Body):
    """One experiment on several hosts: a run on each, with rounds and a baseline of its own.

    `members` are in the order of the request, or by name if a label chose them. Each run has its own seed,
    drawn from the group's `seed` and the host's name. The runs are independent: each host measures as soon as
    it can. `client_host` is the host that runs the clients of their remote paths.
    """

    id: str
    experiment_id: str
    name: str
    title: Line
    host_label: str | None
    state: RunState
    seed: int
    created_at: Timestamp
    finished_at: Timestamp | None
    members: tuple[GroupMember, ...]
    client_host: str | None = None


class RunGroupList(Body):
    """One page of groups, newest first."""

    data: tuple[RunGroup, ...]
    next_cursor: str | None
