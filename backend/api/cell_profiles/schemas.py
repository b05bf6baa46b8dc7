"""Responses about CPU profiles of cells."""

from __future__ import annotations

from typing import Literal

from backend.api.schema import Body, Line, Timestamp
from backend.core.messages.message import MessageParts, WithMessages
from backend.core.sample.profile import CellProfile


class ProfileReason(WithMessages, Body):
    """Why no profile was taken: a stable code, and a sentence with the remedy where there is one.

    `detail_message` is the sentence's id and figures, for pages in another language.
    """

    code: str
    detail: Line
    detail_message: MessageParts | None = None


class CellProfileState(Body):
    """The CPU profile of a cell, taken in an extra trial that is in no statistic, with its state.

    `state`: "not_requested" (the experiment has no `profile: true`), "waiting" (the run, or the profiles of
    other cells, come first), "running", "taken", or "not_taken" with the `reason`. `frames` of the profile
    form a tree: each has the index of its caller, and a caller comes first.
    """

    run_id: str
    cell_id: str
    state: Literal["not_requested", "waiting", "running", "taken", "not_taken"]
    reason: ProfileReason | None
    ended_at: Timestamp | None
    profile: CellProfile | None
