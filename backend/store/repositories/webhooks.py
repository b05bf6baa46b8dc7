"""Webhooks of teams, and their messages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import delete, func, insert, select, text, update
from sqlalchemy.orm import Session

from backend.core.errors import NotFound
from backend.store.ids import is_id, new_id
from backend.store.models import Delivery, DeliveryAttempt, Run, Webhook

KEPT: Final = timedelta(days=30)
"""How long messages stay in the log, with their attempts."""
KEPT_ATTEMPTS: Final = 30
"""Attempts of one message in the log: those of its schedule, and of two repetitions by hand."""


@dataclass(frozen=True)
class StoredWebhook:
    """A webhook without its secret."""

    id: str
    url: str
    description: str
    events: list[str]
    created_at: datetime
    failing_since: datetime | None
    disabled_at: datetime | None
    disabled_reason: str | None


@dataclass(frozen=True)
class StoredDelivery:
    """A message and its last attempt."""

    id: str
    type: str
    run_id: str | None
    state: str
    attempts: int
    created_at: datetime
    next_at: datetime | None
    last_at: datetime | None
    last_status: int | None
    last_error: str | None
    last_answer: str | None
    last_seconds: float | None
    body: str


@dataclass(frozen=True)
class StoredAttempt:
    """One attempt; `error` is "blocked", "timeout", "connection" or "tls" where there was no answer."""

    at: datetime
    status: int | None
    error: str | None
    seconds: float


@dataclass(frozen=True)
class Due:
    """A message to send now; `attempts` includes this one."""

    id: str
    webhook_id: str
    url: str
    secret: str
    body: str
    attempts: int


_LISTED: Final = [getattr(Webhook, name) for name in StoredWebhook.__dataclass_fields__]
_LOGGED: Final = [getattr(Delivery, name) for name in StoredDelivery.__dataclass_fields__]


def of_team(session: Session, team_id: str) -> list[StoredWebhook]:
    """The webhooks of a team, oldest first."""
    rows = session.execute(
        select(*_LISTED).where(Webhook.team_id == team_id).order_by(Webhook.created_at, Webhook.id)
    )
    return [StoredWebhook(**row._mapping) for row in rows]


def count(session: Session, team_id: str) -> int:
    """The number of a team's webhooks."""
    return session.scalar(select(func.count()).where(Webhook.team_id == team_id)) or 0


def get(session: Session, webhook_id: str) -> StoredWebhook:
    """One webhook. Raises NotFound."""
    row = session.execute(select(*_LISTED).where(Webhook.id == webhook_id)).one_or_none()
    if row is None:
        raise NotFound("there is no such webhook")
    return StoredWebhook(**row._mapping)


def create(
    session: Session, team_id: str, url: str, description: str, events: Sequence[str], secret: str
) -> StoredWebhook:
    """Store a webhook."""
    webhook_id = new_id("whk")
    values = {"url": url, "description": description, "events": list(events), "secret": secret}
    session.execute(insert(Webhook).values(id=webhook_id, team_id=team_id, **values))
    return get(session, webhook_id)


def change(session: Session, webhook_id: str, values: dict[str, Any]) -> StoredWebhook:
    """Change columns of a webhook. Raises NotFound."""
    if values:
        session.execute(update(Webhook).where(Webhook.id == webhook_id).values(**values))
    return get(session, webhook_id)


def set_enabled(session: Session, webhook_id: str, enabled: bool, reason: str = "paused") -> bool:
    """Enable or disable a webhook; whether that changed it."""
    values: dict[str, Any] = {"disabled_at": None, "disabled_reason": None, "failing_since": None}
    if not enabled:
        values = {"disabled_at": func.clock_timestamp(), "disabled_reason": reason}
    query = update(Webhook).where(Webhook.id == webhook_id, Webhook.disabled_at.is_(None) != enabled)
    return session.execute(query.values(**values).returning(Webhook.id)).first() is not None


def remove(session: Session, webhook_id: str) -> None:
    """Delete a webhook with its messages."""
    session.execute(delete(Webhook).where(Webhook.id == webhook_id))


def deliveries(session: Session, webhook_id: str, limit: int, after_id: str | None) -> list[StoredDelivery]:
    """The messages of a webhook before `after_id`, newest first. Raises NotFound for an unknown one."""
    query = select(*_LOGGED).where(Delivery.webhook_id == webhook_id)
    if after_id is not None:
        last = delivery(session, webhook_id, after_id)
        order = func.row(Delivery.created_at, Delivery.id)
        query = query.where(order < func.row(last.created_at, last.id))
    rows = session.execute(query.order_by(Delivery.created_at.desc(), Delivery.id.desc()).limit(limit))
    return [StoredDelivery(**row._mapping) for row in rows]


def attempts_of(session: Session, delivery_ids: Sequence[str]) -> dict[str, list[StoredAttempt]]:
    """The last attempts of messages, oldest first, by message."""
    found: dict[str, list[StoredAttempt]] = {delivery_id: [] for delivery_id in delivery_ids}
    query = select(DeliveryAttempt).where(DeliveryAttempt.delivery_id.in_(delivery_ids))
    for row in session.scalars(query.order_by(DeliveryAttempt.id)):
        found[row.delivery_id].append(StoredAttempt(row.at, row.status, row.error, row.seconds))
    return found


def delivery(session: Session, webhook_id: str, delivery_id: str) -> StoredDelivery:
    """One message of a webhook. Raises NotFound."""
    query = select(*_LOGGED).where(Delivery.webhook_id == webhook_id, Delivery.id == delivery_id)
    row = session.execute(query).one_or_none() if is_id("msg", delivery_id) else None
    if row is None:
        raise NotFound("there is no such delivery")
    return StoredDelivery(**row._mapping)


def add_message(session: Session, webhook_id: str, type_: str, run_id: str | None, body: str) -> str:
    """Queue a message; returns its id."""
    message_id = new_id("msg")
    values = {"webhook_id": webhook_id, "type": type_, "run_id": run_id, "body": body}
    session.execute(insert(Delivery).values(id=message_id, **values))
    return message_id


def send_again(session: Session, delivery_id: str) -> None:
    """Queue a message again, with all attempts of the schedule."""
    values = {"state": "pending", "attempts": 0, "next_at": func.clock_timestamp()}
    session.execute(update(Delivery).where(Delivery.id == delivery_id).values(**values))


def team_of_run(session: Session, run_id: str) -> str | None:
    """The team of a run; None of a deleted one."""
    found: str | None = session.scalar(select(Run.team_id).where(Run.id == run_id))
    return found


_CLAIM: Final = text("""
    UPDATE webhook_delivery d
       SET attempts = d.attempts + 1, last_at = clock_timestamp(),
           next_at = clock_timestamp() + make_interval(secs => :lease_s)
      FROM webhook w
     WHERE w.id = d.webhook_id
       AND d.id IN (SELECT m.id FROM webhook_delivery m JOIN webhook o ON o.id = m.webhook_id
                     WHERE m.state = 'pending' AND m.next_at <= clock_timestamp() AND o.disabled_at IS NULL
                     ORDER BY m.next_at LIMIT :most FOR UPDATE OF m SKIP LOCKED)
    RETURNING d.id, d.webhook_id, w.url, w.secret, d.body, d.attempts
""")


def claim(session: Session, most: int, lease_s: float) -> list[Due]:
    """Messages to send now. If their sender is lost, they are due again after the lease."""
    rows = session.execute(_CLAIM, {"most": most, "lease_s": lease_s})
    return [Due(**row._mapping) for row in rows]


def record(
    session: Session, due: Due, state: str, delay_s: float, last: dict[str, Any], error_kind: str | None
) -> None:
    """Store how an attempt ended; a pending message is due again after the delay.

    `last` are the columns `last_…` of the message.
    """
    next_at = func.clock_timestamp() + timedelta(seconds=delay_s)
    values = last | {"state": state, "next_at": next_at}
    query = update(Delivery).where(Delivery.id == due.id).values(**values).returning(Delivery.last_at)
    at = session.execute(query).scalar_one_or_none()
    if at is not None:  # None: the webhook was deleted meanwhile
        shown = StoredAttempt(at, last["last_status"], error_kind, last["last_seconds"])
        _log(session, due.id, shown)
    failing = None if state == "delivered" else func.coalesce(Webhook.failing_since, func.clock_timestamp())
    session.execute(update(Webhook).where(Webhook.id == due.webhook_id).values(failing_since=failing))


def _log(session: Session, delivery_id: str, attempt: StoredAttempt) -> None:
    """Append an attempt, and delete those beyond KEPT_ATTEMPTS."""
    session.execute(insert(DeliveryAttempt).values(delivery_id=delivery_id, **asdict(attempt)))
    of_message = DeliveryAttempt.delivery_id == delivery_id
    newest = select(DeliveryAttempt.id).where(of_message).order_by(DeliveryAttempt.id.desc())
    kept = newest.limit(KEPT_ATTEMPTS).scalar_subquery()
    session.execute(delete(DeliveryAttempt).where(of_message, DeliveryAttempt.id.not_in(kept)))


def fails_longer_than(session: Session, webhook_id: str, limit: timedelta) -> bool:
    """Whether every attempt has failed for longer than this."""
    since = Webhook.failing_since < func.clock_timestamp() - limit
    return bool(session.scalar(select(since).where(Webhook.id == webhook_id)))


def team_of(session: Session, webhook_id: str) -> str | None:
    """The team of a webhook."""
    found: str | None = session.scalar(select(Webhook.team_id).where(Webhook.id == webhook_id))
    return found


def forget_old(session: Session) -> None:
    """Delete old messages, also those that wait for a webhook which is disabled."""
    session.execute(delete(Delivery).where(Delivery.created_at < func.clock_timestamp() - KEPT))
