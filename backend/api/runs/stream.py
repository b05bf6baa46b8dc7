"""The route of /runs/{id}/events: stored events by id, live ones as they come."""

from __future__ import annotations

import logging
import re
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Depends, Header, Query, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.sse import EventSourceResponse, ServerSentEvent

from backend.api.request import Config
from backend.api.runs import service
from backend.api.runs.feeds import Feeds
from backend.core.errors import Unavailable
from backend.settings import Settings
from backend.store.repositories.events import BATCH, StoredEvent

logger = logging.getLogger(__name__)
router = APIRouter(tags=["runs"])

EVENT_ID = re.compile(r"[0-9]{1,18}")


@dataclass(frozen=True)
class Start:
    """Where a stream begins: the run exists, and events after `after` are wanted."""

    run_id: str
    after: int


def _start(
    settings: Config,
    run_id: str,
    last_event_id: Annotated[str | None, Header(max_length=20)] = None,
    after: Annotated[int, Query(ge=0, lt=10**18)] = 0,
) -> Start:
    service.get(settings, run_id)
    known = last_event_id is not None and EVENT_ID.fullmatch(last_event_id) is not None
    return Start(run_id, int(last_event_id or 0) if known else after)


def _feeds(request: Request) -> Feeds:
    feeds: Feeds = request.app.state.feeds
    return feeds


@router.get("/runs/{run_id}/events", operation_id="streamRun", response_class=EventSourceResponse)
async def stream_run(
    settings: Config, feeds: Annotated[Feeds, Depends(_feeds)], start: Annotated[Start, Depends(_start)]
) -> AsyncIterator[ServerSentEvent]:
    """Follow a run: `run` and `trial` events with ids, `live` ones without.

    `after`, the `last_event_id` of a run that was read, leaves out what that answer already shows;
    Last-Event-ID, which a browser sends when it resumes, wins over it. The stream ends after the run event
    with a terminal state.
    """
    after = start.after
    if await _ended_before(settings, start):
        return
    async with feeds.listen(start.run_id) as listener:
        while True:
            samples, events = await listener.heard()
            for sample in samples:
                yield sample
            while events:
                found = await _look(settings, start.run_id, after)
                for event in found:
                    after = event.id
                    yield ServerSentEvent(event=event.kind, id=str(event.id), data=event.data)
                    if event.terminal:
                        return
                events = len(found) == BATCH


async def _ended_before(settings: Settings, start: Start) -> bool:
    """Whether the run's last event lies at or before the one that the client has already seen."""
    last: StoredEvent | None = await run_in_threadpool(service.last_event, settings, start.run_id)
    return last is not None and last.terminal and last.id <= start.after


async def _look(settings: Settings, run_id: str, after: int) -> list[StoredEvent]:
    """The next stored events; none while the database does not answer, the stream stays open then."""
    try:
        return await run_in_threadpool(service.events_after, settings, run_id, after)
    except Unavailable as error:
        logger.warning("stream of %s: %s", run_id, error)
        return []
