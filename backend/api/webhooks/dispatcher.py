"""Sends the messages that wait for the receivers of webhooks; a thread of the API.

Everything that it knows is in the database: after a restart, or beside another API, each message is sent at
least once. No transaction is open while a receiver is waited for.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from time import monotonic
from typing import Final

from backend.api.background_loop import BackgroundLoop
from backend.api.webhooks.schedule import DISABLED_AFTER, GONE, delay_s
from backend.api.webhooks.sending import TIMEOUT_S, Message, Outcome, Sender
from backend.settings import Settings
from backend.store.repositories import audit, webhooks
from backend.store.repositories.audit import Audited
from backend.store.repositories.webhooks import Due
from backend.store.session import session_scope

logger = logging.getLogger(__name__)

AT_ONCE: Final = 8
"""Messages that are sent at the same time."""
LEASE_S: Final = 4 * TIMEOUT_S
FORGET_S: Final = 3600.0


class Dispatcher:
    """The thread that sends messages."""

    def __init__(self, settings: Settings, sender: Sender | None = None) -> None:
        self._settings = settings
        self._sender = sender or Sender(settings.webhook_networks)
        self._cleaned_at = monotonic()
        self._loop = BackgroundLoop("webhooks", settings.webhook_every_s, self._pass, "webhooks are late")

    def start(self) -> None:
        """Begin; without an interval in the settings nothing is sent."""
        self._loop.start()

    def stop(self) -> None:
        """End after the messages that are being sent."""
        self._loop.stop(TIMEOUT_S + 1)

    async def _pass(self) -> None:
        await self.send_due()
        if monotonic() - self._cleaned_at >= FORGET_S:
            self._cleaned_at = monotonic()
            await asyncio.to_thread(self._forget_old)

    def _forget_old(self) -> None:
        with session_scope(self._settings) as session:
            webhooks.forget_old(session)

    async def send_due(self) -> int:
        """Send what is due; returns the number of attempts."""
        due = await asyncio.to_thread(self._claim)
        await asyncio.gather(*map(self._deliver, due))
        return len(due)

    def _claim(self) -> list[Due]:
        with session_scope(self._settings) as session:
            return webhooks.claim(session, AT_ONCE, LEASE_S)

    async def _deliver(self, due: Due) -> None:
        outcome = await self._sender.send(Message(due.id, due.url, due.secret, due.body.encode()))
        await asyncio.to_thread(self._record, due, outcome)

    def _record(self, due: Due, outcome: Outcome) -> None:
        delay = None if outcome.delivered else delay_s(due.attempts, secrets.SystemRandom().random())
        state = "delivered" if outcome.delivered else "failed" if delay is None else "pending"
        last = {
            "last_status": outcome.status,
            "last_error": outcome.error,
            "last_answer": outcome.answer.replace("\0", "\ufffd"),
            "last_seconds": round(outcome.seconds, 3),
        }
        with session_scope(self._settings) as session:
            webhooks.record(session, due, state, delay or 0.0, last, outcome.error_kind)
            reason = None
            if outcome.status == GONE:
                reason = "gone"
            elif not outcome.delivered and webhooks.fails_longer_than(
                session, due.webhook_id, DISABLED_AFTER
            ):
                reason = "failing"
            if reason is not None and webhooks.set_enabled(session, due.webhook_id, False, reason):
                audit.add(session, _disabled(webhooks.team_of(session, due.webhook_id), due, reason))
                logger.warning("webhook %s is disabled: %s", due.webhook_id, reason)


def _disabled(team_id: str | None, due: Due, reason: str) -> Audited:
    """The entry of the audit log about a webhook that was disabled."""
    return Audited(
        team_id=team_id,
        account_id=None,
        actor="Plimsoll",
        token_prefix=None,
        action="disableWebhook",
        object=due.webhook_id,
        status=200,
        code=reason,
        address="",
        request_id=due.id,
    )
