"""Requests and responses of /webhooks."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, Field, StrictBool, StrictStr

from backend.api.schema import Body, Line, Timestamp
from backend.api.webhooks.destination import MAX_URL

EventName = Literal[
    "run.completed", "run.incomplete", "run.cancelled", "run.threshold_failed", "history.change_shown"
]
Url = Annotated[StrictStr, Field(min_length=1, max_length=MAX_URL)]
Description = Annotated[StrictStr, Field(max_length=200)]


def _once(events: tuple[EventName, ...]) -> tuple[EventName, ...]:
    return tuple(dict.fromkeys(events))


Events = Annotated[tuple[EventName, ...], Field(min_length=1, max_length=10), AfterValidator(_once)]


class WebhookStart(Body):
    """A new receiver: its URL and the events of which it gets messages."""

    url: Url
    events: Events = ("run.completed", "run.incomplete", "run.cancelled", "run.threshold_failed")
    description: Description = ""


class WebhookChange(Body):
    """What changes; `enabled` true also enables a webhook that was disabled because it failed."""

    events: Events | None = None
    description: Description | None = None
    enabled: StrictBool | None = None


class WebhookEntry(Body):
    """A webhook without its secret.

    `disabled_reason`: "failing" (every attempt failed for five days), "gone" (the receiver answered 410) or
    "paused" (by a person).
    """

    id: str
    url: str
    description: Line
    events: tuple[str, ...]
    created_at: Timestamp
    failing_since: Timestamp | None
    disabled_at: Timestamp | None
    disabled_reason: str | None


class NewWebhook(WebhookEntry):
    """A new webhook. Only this response has its secret."""

    secret: str


class WebhookList(Body):
    """The webhooks of a team, oldest first."""

    data: tuple[WebhookEntry, ...]


class DeliveryAttempt(Body):
    """One attempt: the receiver's status, or why there was none, and how long it took.

    `error`: "blocked" (the address is not allowed), "timeout", "tls" or "connection".
    """

    at: Timestamp
    status: int | None
    error: str | None
    seconds: float


class DeliveryEntry(Body):
    """A message to a receiver, its attempts (the last 30) and the details of the last one.

    `state` is "pending" until it is "delivered" or, after the last attempt, "failed". `id` is the header
    webhook-id, the same in every attempt. `next_at` is the next attempt of a pending one; `last_answer` the
    beginning of the receiver's answer.
    """

    id: str
    type: str
    run_id: str | None
    state: str
    attempts: int
    created_at: Timestamp
    next_at: Timestamp | None
    last_at: Timestamp | None
    last_status: int | None
    last_error: Line | None
    last_answer: str | None
    last_seconds: float | None
    body: str
    history: tuple[DeliveryAttempt, ...]


class DeliveryList(Body):
    """One page of the messages of a webhook, newest first."""

    data: tuple[DeliveryEntry, ...]
    next_cursor: str | None
