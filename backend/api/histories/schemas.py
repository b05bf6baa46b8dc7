"""Responses of /histories."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from backend.api.schema import Body, Line, Timestamp
from backend.core.chart.model.model_base import Difference

HostName = Annotated[str, Field(min_length=1, max_length=64)]


class ShownChange(Body):
    """A change point of a history, and when it was first shown.

    It happened after `after_time` and by `until_time`; `run_id` is the first run after it. `ratio` is after ÷
    before; where a value of the series is zero it is null, and `difference` is after − before. `direction`
    says whether that is better. `seen`: the caller's account marked it as seen.
    """

    id: int
    experiment_id: str
    name: str
    title: Line
    host: str
    cell_id: str
    label: str
    metric: str
    metric_label: str
    basis: Literal["ratios", "values"]
    direction: Literal["better", "worse"]
    ratio: float | None
    difference: Difference | None = None
    p_adjusted: float
    after_time: Timestamp
    until_time: Timestamp
    run_id: str
    shown_at: Timestamp
    seen: bool


class HistorySummary(Body):
    """An experiment on one host with its number of runs that ended.

    With `runs_missing` runs more, a change can be shown; 0: it can. `largest` is the largest change, those
    that were not yet seen first; one from or to zero comes before every ratio.
    """

    experiment_id: str
    name: str
    title: Line
    host: str
    runs: int
    runs_missing: int
    last_run_at: Timestamp
    changes: int
    unseen: int
    largest: ShownChange | None


class HistoryList(Body):
    """The histories of a team: those with unseen changes first, then those with the newest runs."""

    data: tuple[HistorySummary, ...]
    unseen: int
    seen_at: Timestamp | None
