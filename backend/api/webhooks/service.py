"""Adds, changes and lists webhooks, and sends messages again."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any, Final

from fastapi.concurrency import run_in_threadpool

from backend.api.paging import read_page
from backend.api.quotas import service as quotas
from backend.api.schema import PageQuery
from backend.api.webhooks.destination import Blocked, destination
from backend.api.webhooks.messages import test_message
from backend.api.webhooks.schemas import (
    DeliveryEntry,
    DeliveryList,
    NewWebhook,
    WebhookChange,
    WebhookEntry,
    WebhookList,
    WebhookStart,
)
from backend.api.webhooks.signature import new_secret
from backend.core.errors import Conflict, Invalid
from backend.settings import Settings
from backend.store.repositories import webhooks
from backend.store.repositories.webhooks import StoredAttempt, StoredDelivery
from backend.store.session import session_scope

MOST: Final = 20
"""Webhooks of a team."""
RESOLVE_S: Final = 5.0


async def create(settings: Settings, team_id: str, start: WebhookStart) -> NewWebhook:
    """Store a receiver whose URL leads to an allowed address now. Raises Invalid, and Conflict at the limit.

    The address is checked again at every attempt. No thread of the API waits for the name: whoever answers
    for it can be slow.
    """
    try:
        await asyncio.wait_for(destination(start.url, settings.webhook_networks), RESOLVE_S)
    except (Blocked, TimeoutError) as error:
        detail = str(error) or "the name was not resolved in time"
        raise Invalid.at("/url", "target_not_allowed", detail) from error
    return await run_in_threadpool(_store, settings, team_id, start)


def _store(settings: Settings, team_id: str, start: WebhookStart) -> NewWebhook:
    secret = new_secret()
    with session_scope(settings) as session:
        if webhooks.count(session, team_id) >= MOST:
            raise Conflict(f"a team has at most {MOST} webhooks: delete one first")
        stored = webhooks.create(session, team_id, start.url, start.description, start.events, secret)
    return NewWebhook(**WebhookEntry.model_validate(stored).model_dump(), secret=secret)


def of_team(settings: Settings, team_id: str) -> WebhookList:
    """The webhooks of a team."""
    with session_scope(settings) as session:
        found = webhooks.of_team(session, team_id)
    return WebhookList(data=tuple(map(WebhookEntry.model_validate, found)))


def change(settings: Settings, webhook_id: str, changes: WebhookChange) -> WebhookEntry:
    """Change a webhook."""
    values: dict[str, Any] = changes.model_dump(exclude_none=True, exclude={"enabled"})
    with session_scope(settings) as session:
        if changes.enabled is not None:
            webhooks.set_enabled(session, webhook_id, changes.enabled)
        stored = webhooks.change(session, webhook_id, values)
    return WebhookEntry.model_validate(stored)


def remove(settings: Settings, webhook_id: str) -> None:
    """Delete a webhook with its log."""
    with session_scope(settings) as session:
        webhooks.remove(session, webhook_id)


def deliveries(settings: Settings, webhook_id: str, paging: PageQuery) -> DeliveryList:
    """One page of the messages of a webhook, newest first."""
    rows, next_cursor = read_page(settings, webhook_id, paging, webhooks.deliveries)
    with session_scope(settings) as session:
        attempts = webhooks.attempts_of(session, [row.id for row in rows])
    return DeliveryList(data=tuple(_entry(row, attempts[row.id]) for row in rows), next_cursor=next_cursor)


def send_test(settings: Settings, team_id: str, webhook_id: str) -> DeliveryEntry:
    """Queue a message of type webhook.test. Raises QuotaExceeded, and Conflict if the webhook is disabled."""
    with session_scope(settings) as session:
        quotas.reserve(session, settings, team_id)
        _check_enabled(webhooks.get(session, webhook_id).disabled_reason)
        message = test_message(webhook_id)
        message_id = webhooks.add_message(session, webhook_id, message.type, None, message.body)
        stored = webhooks.delivery(session, webhook_id, message_id)
    return _entry(stored, [])


def redeliver(settings: Settings, webhook_id: str, delivery_id: str) -> DeliveryEntry:
    """Queue a message again under the same id. Raises NotFound, and Conflict if the webhook is disabled."""
    with session_scope(settings) as session:
        _check_enabled(webhooks.get(session, webhook_id).disabled_reason)
        webhooks.delivery(session, webhook_id, delivery_id)
        webhooks.send_again(session, delivery_id)
        stored = webhooks.delivery(session, webhook_id, delivery_id)
        attempts = webhooks.attempts_of(session, [delivery_id])[delivery_id]
    return _entry(stored, attempts)


def _check_enabled(reason: str | None) -> None:
    if reason is not None:
        raise Conflict(f"the webhook is disabled ({reason}): enable it first")


def _entry(stored: StoredDelivery, attempts: list[StoredAttempt]) -> DeliveryEntry:
    waiting = stored if stored.state == "pending" else replace(stored, next_at=None)
    return DeliveryEntry.model_validate({**vars(waiting), "history": attempts})
