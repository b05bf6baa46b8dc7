"""Makes results and verdicts of ended runs, and the messages about them, which it sends; a thread of the API.

Everything that it knows is in the database: after a restart, or beside another API, each message is sent at
least once. No transaction is open while a receiver is waited for.
"""

from __future__ import annotations

import asyncio
import json
import logging
import secrets
import threading
from typing import Final

from backend.api.histories.results import keep_history_at_end
from backend.api.run_groups.results import keep_result_at_end
from backend.api.runs import verdicts
from backend.api.runs.results import result_of_ended
from backend.api.webhooks.messages import Body, change_message, run_messages
from backend.api.webhooks.schedule import DISABLED_AFTER, GONE, delay_s
from backend.api.webhooks.sending import TIMEOUT_S, Message, Outcome, Sender
from backend.core.errors import NotFound, PlimsollError
from backend.settings import Settings
from backend.store.repositories import audit, history_changes, runs, webhooks
from backend.store.repositories.audit import Audited
from backend.store.repositories.webhooks import Due
from backend.store.session import session_scope

logger = logging.getLogger(__name__)

AT_ONCE: Final = 8
"""Messages that are sent at the same time."""
HISTORIES: Final = 50
"""Histories whose messages are made in one pass."""
VERDICTS_AT_ONCE: Final = 8
"""Verdicts of earlier runs that are made before the next messages."""
LEASE_S: Final = 4 * TIMEOUT_S
FORGET_S: Final = 3600.0


class Dispatcher:
    """The thread that sends messages."""

    def __init__(self, settings: Settings, sender: Sender | None = None) -> None:
        self._settings = settings
        self._sender = sender or Sender(settings.webhook_networks)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._work, name="webhooks", daemon=True)

    def start(self) -> None:
        """Begin; without an interval in the settings nothing is sent."""
        if self._settings.webhook_every_s:
            self._thread.start()

    def stop(self) -> None:
        """End after the messages that are being sent."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join(TIMEOUT_S + 1)

    def _work(self) -> None:
        # One event loop for all passes: the end of a loop waits for names that are still being resolved.
        with asyncio.Runner() as runner:
            self._work_in(runner)

    def _work_in(self, runner: asyncio.Runner) -> None:
        since_cleaning = 0.0
        while not self._stop.wait(self._settings.webhook_every_s):
            try:
                runner.run(self.tick())
                since_cleaning += self._settings.webhook_every_s
                if since_cleaning >= FORGET_S:
                    since_cleaning = 0.0
                    with session_scope(self._settings) as session:
                        webhooks.forget_old(session)
            except PlimsollError as error:
                logger.warning("webhooks are late: %s", error)
            except Exception:
                # The thread must outlive a defect: other messages still have to be sent.
                logger.exception("webhooks are late")

    async def tick(self) -> int:
        """Handle the outbox, then send what is due; returns the number of attempts."""
        while not self._stop.is_set() and await self._make_messages():
            pass
        await asyncio.to_thread(self._announce_changes)
        due = await asyncio.to_thread(self._claim)
        await asyncio.gather(*map(self._deliver, due))
        for _ in range(VERDICTS_AT_ONCE):
            if self._stop.is_set() or not await self._make_due_verdict():
                break
        return len(due)

    async def _make_messages(self) -> bool:
        """Make the messages of one ended run; False if the outbox is empty."""
        found = await asyncio.to_thread(self._next_end)
        if found is None:
            return False
        number, run_id, wanted = found
        bodies: list[Body] = []
        try:
            # Without a webhook too: then the result is kept before anybody reads it.
            chart = await self._chart(run_id)
            await asyncio.to_thread(verdicts.keep, self._settings, run_id, chart)
            if wanted:
                bodies = await asyncio.to_thread(self._bodies, run_id, chart)
        except NotFound:
            logger.info("run %s was deleted before its message was made", run_id)
        await asyncio.to_thread(self._store, number, run_id, bodies)
        await keep_result_at_end(self._settings, run_id)
        await keep_history_at_end(self._settings, run_id)
        return True

    async def _make_due_verdict(self) -> bool:
        """Make the verdict of one run that lacks a current one; False if none does."""
        run_id = await asyncio.to_thread(verdicts.next_due, self._settings)
        if run_id is None:
            return False
        try:
            await asyncio.to_thread(verdicts.keep, self._settings, run_id, await self._chart(run_id))
        except NotFound:
            logger.info("run %s was deleted before its verdict was made", run_id)
        return True

    async def _chart(self, run_id: str) -> bytes | None:
        """The run's ChartModel, computed outside of this host's measured windows; None after a defect."""
        try:
            return (await result_of_ended(self._settings, run_id)).body
        except PlimsollError:
            raise
        except Exception:
            # One run that cannot be shown must not hold up the messages of all later ones.
            logger.exception("the messages about run %s have no result", run_id)
            return None

    def _next_end(self) -> tuple[int, str, bool] | None:
        """The oldest ended run of the outbox, and whether its team has a webhook."""
        with session_scope(self._settings) as session:
            found = webhooks.first_run_end(session)
            if found is None:
                return None
            team_id = webhooks.team_of_run(session, found[1])
            return *found, team_id is not None and webhooks.count(session, team_id) > 0

    def _bodies(self, run_id: str, chart: bytes | None) -> list[Body]:
        with session_scope(self._settings) as session:
            run = runs.view(session, run_id)
        shown = {"gate": None, "headline": ""} if chart is None else json.loads(chart)
        return run_messages(run, shown, self._settings.base_url)

    def _store(self, number: int, run_id: str, bodies: list[Body]) -> None:
        """Queue the messages and remove the row of the outbox in one transaction."""
        with session_scope(self._settings) as session:
            if not webhooks.remove_run_end(session, number):
                return
            team_id = webhooks.team_of_run(session, run_id)
            hooks = [] if team_id is None else webhooks.of_team(session, team_id)
            for hook in hooks:
                for body in bodies:
                    if body.type in hook.events and hook.disabled_at is None:
                        webhooks.add_message(session, hook.id, body.type, run_id, body.body)

    def _announce_changes(self) -> None:
        """Queue the messages about histories that show changes for the first time, one for each history."""
        for _ in range(HISTORIES):
            with session_scope(self._settings) as session:
                changes = history_changes.take_unnotified(session)
                if not changes:
                    return
                body = change_message(changes, self._settings.base_url)
                team_id = history_changes.team_of(session, changes[0].experiment_id)
                for hook in [] if team_id is None else webhooks.of_team(session, team_id):
                    if body.type in hook.events and hook.disabled_at is None:
                        webhooks.add_message(session, hook.id, body.type, changes[0].run_id, body.body)

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
