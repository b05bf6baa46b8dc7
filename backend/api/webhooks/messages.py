"""The bodies of messages: `type`, `timestamp` and `data`, as Standard Webhooks recommends."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final
from urllib.parse import urlencode

from backend.api.schema import rfc3339
from backend.store.repositories.history_changes import ShownChange
from backend.store.repositories.run_view import RunView

TYPES: Final = {"done": "run.completed", "incomplete": "run.incomplete", "cancelled": "run.cancelled"}
"""The type of the message by the run's state."""
THRESHOLD_FAILED: Final = "run.threshold_failed"
CHANGE_SHOWN: Final = "history.change_shown"
MOST_CHANGES: Final = 20
"""Changes in one message: the largest."""


@dataclass(frozen=True)
class Body:
    """A message before it has an id."""

    type: str
    body: str


def run_messages(run: RunView, chart: dict[str, Any], base_url: str) -> list[Body]:
    """The messages about an ended run: its end, and whether a threshold is not met.

    `chart` is the run's ChartModel. Messages say which run, how it ended and what it found; the figures are
    in the result.
    """
    gate = chart["gate"]
    outcome = None if gate is None else gate["outcome"]
    data = {
        "run_id": run.id,
        "experiment_id": run.experiment_id,
        "name": run.name,
        "title": run.title,
        "state": run.state,
        "headline": chart["headline"],
        "threshold_outcome": outcome,
        "url": f"{base_url}/runs/{run.id}",
    }
    ended = run.finished_at or datetime.now(UTC)
    found = [_body(TYPES[run.state], ended, data)]
    if outcome == "fail":
        failed = [rule["threshold"] for rule in gate["rules"] if rule["outcome"] == "fail"]
        found.append(_body(THRESHOLD_FAILED, ended, data | {"thresholds": failed}))
    return found


def change_message(changes: Sequence[ShownChange], base_url: str) -> Body:
    """The message about the changes that one history shows for the first time, at least one.

    An update of the engine moves many cells at once: they are one message with the first MOST_CHANGES.
    """
    first = changes[0]
    data = {
        "experiment_id": first.experiment_id,
        "name": first.name,
        "title": first.title,
        "host": first.host,
        "changes_total": len(changes),
        "changes": [_change(change) for change in changes[:MOST_CHANGES]],
        "url": f"{base_url}/experiments/{first.experiment_id}/history?{urlencode({'host': first.host})}",
    }
    return _body(CHANGE_SHOWN, max(change.shown_at for change in changes), data)


def _change(change: ShownChange) -> dict[str, Any]:
    return {
        "cell_id": change.cell_id,
        "label": change.label,
        "metric": change.metric,
        "basis": change.basis,
        "direction": change.direction,
        "ratio": change.ratio,
        "difference": change.difference,
        "p_adjusted": change.p_adjusted,
        "after_time": rfc3339(change.after_time),
        "until_time": rfc3339(change.until_time),
        "run_id": change.run_id,
    }


def test_message(webhook_id: str) -> Body:
    """A message that says nothing but that messages arrive."""
    return _body("webhook.test", datetime.now(UTC), {"webhook_id": webhook_id})


def _body(type_: str, at: datetime, data: dict[str, Any]) -> Body:
    body = {"type": type_, "timestamp": rfc3339(at), "data": data}
    return Body(type_, json.dumps(body, ensure_ascii=False, separators=(",", ":")))
