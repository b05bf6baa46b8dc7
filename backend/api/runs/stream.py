"""The route of /runs/{id}/events: stored events with ids, live ones without."""

from __future__ import annotations

import asyncio
import json
import logging
import re
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Annotated, Any, Final

from fastapi import APIRouter, Depends, Header, Query, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import StreamingResponse
from fastapi.sse import KEEPALIVE_COMMENT, format_sse_event

from backend.api.access.guard import Caller, GuardedRoute
from backend.api.access.open_request import OpenRequestAccess
from backend.api.quotas import service as quotas
from backend.api.quotas.open_streams import OpenStreams
from backend.api.request import Config
from backend.api.runs import service
from backend.api.runs.encoded_events import EncodedEvent, encoded
from backend.api.runs.subscriptions import RunSubscriptions, Subscriber
from backend.core.errors import Unavailable
from backend.core.messages.message import messages_of
from backend.settings import Settings
from backend.store.repositories.events import BATCH, StoredEvent

logger = logging.getLogger(__name__)
router = APIRouter(route_class=GuardedRoute)

EVENT_ID = re.compile(r"[0-9]{1,18}")
KEEPALIVE_S: Final = 15.0
"""Maximum seconds without an event until a comment is sent, so that no proxy closes the connection.

The page takes a connection for lost after three times this silence (HEARTBEAT_MS of streamRun.ts).
"""


class EventStream(StreamingResponse):
    """Encoded server-sent events: FastAPI's own response would write each event separately."""

    media_type = "text/event-stream"


@dataclass(frozen=True)
class Start:
    """The start of a stream of an existing run: its events after the id `after`."""

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


def _subscriptions(request: Request) -> RunSubscriptions:
    subscriptions: RunSubscriptions = request.app.state.subscriptions
    return subscriptions


async def _slot(settings: Config, request: Request, caller: Caller) -> AsyncIterator[None]:
    """Count the stream until its response has ended."""
    streams: OpenStreams = request.app.state.open_streams
    limit = await run_in_threadpool(quotas.limit, settings, caller.team, "open_streams")
    async with streams.slot(caller.team, limit):
        yield


@router.get(
    "/runs/{run_id}/events",
    operation_id="streamRun",
    response_class=EventStream,
    dependencies=[Depends(_slot)],
)
async def stream_run(
    settings: Config,
    caller: Caller,
    request: Request,
    subscriptions: Annotated[RunSubscriptions, Depends(_subscriptions)],
    start: Annotated[Start, Depends(_start)],
) -> EventStream:
    """Follow a run: `run` and `trial` events with ids, `live` and `phase` ones without.

    `after`, the `last_event_id` of a run that was read, skips the events that the run includes;
    Last-Event-ID, which a browser sends to resume, has precedence. The stream ends after the `run` event with
    a terminal state, when the run is deleted, when the caller's access ends, and when the server stops.
    """
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    access = OpenRequestAccess(settings, request, caller, subscriptions)
    return EventStream(_chunks(settings, subscriptions, start, access), headers=headers)


async def _chunks(
    settings: Settings, subscriptions: RunSubscriptions, start: Start, access: OpenRequestAccess
) -> AsyncIterator[bytes]:
    """The stream in chunks of all available events: a write costs far more than encoding an event."""
    after = start.after
    if await _ended_before(settings, start):
        return
    async with subscriptions.subscribe(start.run_id) as subscriber:
        while not subscriptions.closed:
            received = await _received(subscriber, min(access.wait_s, KEEPALIVE_S))
            if subscriptions.closed or await access.has_ended():
                return
            if received is None:
                yield KEEPALIVE_COMMENT
                continue
            samples, events = received
            if samples:
                yield b"".join(_unstored(sample) for sample in samples)
            while events:
                shared = subscriber.events_after(after)
                found = await _next_events(settings, start.run_id, after) if shared is None else shared
                if found:
                    after = found[-1].id
                    yield b"".join(event.data for event in found)
                    if any(event.terminal for event in found):
                        return
                elif await _is_deleted(settings, start.run_id):
                    return
                events = shared is None and len(found) == BATCH


def _unstored(sample: dict[str, Any]) -> bytes:
    """A message of the worker that is not stored: a second of a trial, or what happens to it."""
    if "phase" not in sample:
        return format_sse_event(data_str=json.dumps(sample), event="live")
    found = messages_of(map(str, sample.get("reasons", ())))
    messages = {text: parts.model_dump() for text, parts in found.items()}
    return format_sse_event(data_str=json.dumps({**sample, "messages": messages}), event="phase")


async def _received(subscriber: Subscriber, wait_s: float) -> tuple[list[dict[str, Any]], bool] | None:
    """What the subscriber received; None after so many seconds without a message."""
    try:
        return await asyncio.wait_for(subscriber.received(), wait_s)
    except TimeoutError:
        return None


async def _ended_before(settings: Settings, start: Start) -> bool:
    """Whether the run has ended and the client has seen its last event."""
    last: StoredEvent | None = await run_in_threadpool(service.last_event, settings, start.run_id)
    return last is not None and last.terminal and last.id <= start.after


async def _is_deleted(settings: Settings, run_id: str) -> bool:
    """Whether the run has no events any more; False while the database is unavailable."""
    try:
        return await run_in_threadpool(service.last_event, settings, run_id) is None
    except Unavailable:
        return False


async def _next_events(settings: Settings, run_id: str, after: int) -> list[EncodedEvent]:
    """The next stored events; none while the database is unavailable: the stream stays open."""
    try:
        found: list[StoredEvent] = await run_in_threadpool(service.events_after, settings, run_id, after)
        return list(map(encoded, found))
    except Unavailable as error:
        logger.warning("stream of %s: %s", run_id, error)
        return []
