"""Webhooks: receivers of messages about ended runs, the messages, and the outbox that they are made from."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import BigInteger, CheckConstraint, ForeignKey, Identity, Index, Text, func
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import Mapped, mapped_column

from backend.store.models.base import Base


class Webhook(Base):
    """One receiver of a team.

    `secret` signs messages, so that it cannot be stored as a hash; only the API's role can read it.
    `failing_since` is the first failure after the last success. `disabled_reason` is "gone" (the receiver
    answered 410), "failing", or "paused" by a person.
    """

    __tablename__ = "webhook"

    id: Mapped[str] = mapped_column(primary_key=True)
    team_id: Mapped[str] = mapped_column(ForeignKey("team.id", ondelete="CASCADE"), index=True)
    url: Mapped[str]
    description: Mapped[str]
    events: Mapped[list[str]] = mapped_column(ARRAY(Text))
    secret: Mapped[str] = mapped_column(deferred=True)
    created_at: Mapped[datetime] = mapped_column(server_default=func.clock_timestamp())
    failing_since: Mapped[datetime | None]
    disabled_at: Mapped[datetime | None]
    disabled_reason: Mapped[str | None]


class RunEnd(Base):
    """The outbox: one row for an ended run, of the transaction that ends it, until its messages are made."""

    __tablename__ = "run_end"

    id: Mapped[int] = mapped_column(BigInteger, Identity(always=True), primary_key=True)
    run_id: Mapped[str]
    ended_at: Mapped[datetime] = mapped_column(server_default=func.clock_timestamp())


class DeliveryAttempt(Base):
    """One attempt to deliver a message, without the receiver's answer. A message keeps its last ones."""

    __tablename__ = "webhook_attempt"
    __table_args__ = (Index(None, "delivery_id", "id"),)

    id: Mapped[int] = mapped_column(BigInteger, Identity(always=True), primary_key=True)
    delivery_id: Mapped[str] = mapped_column(ForeignKey("webhook_delivery.id", ondelete="CASCADE"))
    at: Mapped[datetime]
    status: Mapped[int | None]
    error: Mapped[str | None]
    seconds: Mapped[float]


class Delivery(Base):
    """One message to one receiver. `next_at` is when it is sent, or sent again if a sender was lost."""

    __tablename__ = "webhook_delivery"
    __table_args__ = (
        CheckConstraint("state IN ('pending', 'delivered', 'failed')", name="state"),
        Index(None, "webhook_id", "created_at"),
        Index("ix_webhook_delivery_due", "next_at", postgresql_where="state = 'pending'"),
    )

    id: Mapped[str] = mapped_column(primary_key=True)
    webhook_id: Mapped[str] = mapped_column(ForeignKey("webhook.id", ondelete="CASCADE"))
    type: Mapped[str]
    run_id: Mapped[str | None]
    body: Mapped[str]
    state: Mapped[str] = mapped_column(server_default="pending")
    attempts: Mapped[int] = mapped_column(server_default="0")
    created_at: Mapped[datetime] = mapped_column(server_default=func.clock_timestamp())
    next_at: Mapped[datetime] = mapped_column(server_default=func.clock_timestamp())
    last_at: Mapped[datetime | None]
    last_status: Mapped[int | None]
    last_error: Mapped[str | None]
    last_answer: Mapped[str | None]
    last_seconds: Mapped[float | None]
