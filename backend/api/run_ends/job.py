"""Makes what an ended run leaves: its result, its verdict, its place in groups and histories, its messages.

A thread of the API. Everything that it knows is in the database: after a restart, or beside another API, each
ended run is handled at least once. Results are computed outside of this host's measured windows.
"""

from __future__ import annotations

import asyncio
import json
import logging
from typing import Final

from backend.api.background_loop import BackgroundLoop
from backend.api.histories.results import keep_history_at_end
from backend.api.run_groups.results import keep_result_at_end
from backend.api.runs import verdicts
from backend.api.runs.results import result_of_ended
from backend.api.webhooks.messages import Body, change_message, run_messages
from backend.api.webhooks.queueing import queue_messages
from backend.core.errors import NotFound, PlimsollError
from backend.settings import Settings
from backend.store.repositories import history_changes, run_ends, runs, webhooks
from backend.store.session import session_scope

logger = logging.getLogger(__name__)

HISTORIES: Final = 50
"""Histories whose messages are made in one pass."""
VERDICTS_AT_ONCE: Final = 8
"""Verdicts of earlier runs that are made in one pass."""
MAX_STOP_S: Final = 11.0
"""How long `stop` waits for the run that is being handled."""


class RunEndJob:
    """Handles ended runs in a thread."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._loop = BackgroundLoop(
            "run-ends", settings.run_ends_every_s, self.run_once, "ended runs are handled later"
        )

    def start(self) -> None:
        """Begin; without an interval in the settings this process handles none."""
        self._loop.start()

    def stop(self) -> None:
        """End after the run that is being handled."""
        self._loop.stop(MAX_STOP_S)

    async def run_once(self) -> None:
        """Handle every ended run, new changes of histories, and some runs without a current verdict."""
        while not self._loop.is_stopped and await self._handle_next():
            pass
        await asyncio.to_thread(self._queue_changes)
        for _ in range(VERDICTS_AT_ONCE):
            if self._loop.is_stopped or not await self._make_due_verdict():
                break

    async def _handle_next(self) -> bool:
        """Handle the ended run that waits longest; False if none waits."""
        first = await asyncio.to_thread(self._next_end)
        if first is None:
            return False
        number, run_id, wanted = first
        bodies: list[Body] = []
        try:
            # Without a webhook too: then the result is kept before anybody reads it.
            chart = await self._chart(run_id)
            await asyncio.to_thread(verdicts.keep, self._settings, run_id, chart)
            if wanted:
                bodies = await asyncio.to_thread(self._bodies, run_id, chart)
        except NotFound:
            logger.info("run %s was deleted before its end was handled", run_id)
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
            # One run that cannot be shown must not hold up all later ones.
            logger.exception("run %s has no result", run_id)
            return None

    def _next_end(self) -> tuple[int, str, bool] | None:
        """The number and id of the ended run that waits longest, and whether its team has a webhook."""
        with session_scope(self._settings) as session:
            first = run_ends.lock_first(session)
            if first is None:
                return None
            team_id = webhooks.team_of_run(session, first[1])
            return *first, team_id is not None and webhooks.count(session, team_id) > 0

    def _bodies(self, run_id: str, chart: bytes | None) -> list[Body]:
        with session_scope(self._settings) as session:
            run = runs.view(session, run_id)
        shown = {"gate": None, "headline": ""} if chart is None else json.loads(chart)
        return run_messages(run, shown, self._settings.base_url)

    def _store(self, number: int, run_id: str, bodies: list[Body]) -> None:
        """Queue the messages and remove the run's row among the ended ones in one transaction."""
        with session_scope(self._settings) as session:
            if run_ends.remove(session, number):
                queue_messages(session, webhooks.team_of_run(session, run_id), run_id, bodies)

    def _queue_changes(self) -> None:
        """Queue the messages about histories that show changes for the first time, one for each history."""
        for _ in range(HISTORIES):
            with session_scope(self._settings) as session:
                changes = history_changes.take_unnotified(session)
                if not changes:
                    return
                team_id = history_changes.team_of(session, changes[0].experiment_id)
                body = change_message(changes, self._settings.base_url)
                queue_messages(session, team_id, changes[0].run_id, [body])
