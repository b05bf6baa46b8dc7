"""Stored events as server-sent events, and the newest ones of a run in memory."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from fastapi.sse import format_sse_event
from pydantic import ValidationError

from backend.api.runs.schemas import Run
from backend.store.repositories.events import StoredEvent

KEPT: Final = 500
"""Events of a run in memory: a stream that is farther behind reads the database."""


@dataclass(frozen=True)
class EncodedEvent:
    """One stored event as the bytes of a stream; `terminal`: the run ended with it."""

    id: int
    data: bytes
    terminal: bool


def encoded(event: StoredEvent) -> EncodedEvent:
    """A stored event, encoded."""
    data = _run_json(event.data) if event.kind == "run" else json.dumps(event.data)
    return EncodedEvent(
        event.id, format_sse_event(data_str=data, event=event.kind, id=str(event.id)), event.terminal
    )


class NewestEvents:
    """The events of a run after the id `base`, as far as they have been read; none of them is missing.

    The ids of one run's events are committed in their order, so an earlier one never appears later.
    """

    def __init__(self, base: int) -> None:
        self._base = base
        self._events: list[EncodedEvent] = []

    @property
    def last_id(self) -> int:
        """The id of the newest event that was read."""
        return self._events[-1].id if self._events else self._base

    def add(self, found: Iterable[StoredEvent]) -> None:
        """Add the next events, and forget the oldest where there are too many."""
        self._events += map(encoded, found)
        if surplus := self._events[:-KEPT]:
            self._base = surplus[-1].id
            self._events = self._events[-KEPT:]

    def after(self, event_id: int) -> list[EncodedEvent] | None:
        """The events after this id; None if earlier ones of them are no longer here."""
        if event_id < self._base:
            return None
        return [event for event in self._events if event.id > event_id]


def _run_json(data: dict[str, Any]) -> str:
    """The data of a `run` event as a Run; as stored if an older version wrote it and it does not fit."""
    try:
        return Run.model_validate(data).model_dump_json(exclude_unset=True)
    except ValidationError:
        return json.dumps(data)
