"""Queues messages for the webhooks of a team that want them."""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy.orm import Session

from backend.api.webhooks.messages import Body
from backend.store.repositories import webhooks


def queue_messages(session: Session, team_id: str | None, run_id: str, bodies: Iterable[Body]) -> None:
    """Queue messages about a run; none where it was deleted and has no team."""
    if team_id is None:
        return
    enabled = [hook for hook in webhooks.of_team(session, team_id) if hook.disabled_at is None]
    for body in bodies:
        for hook in enabled:
            if body.type in hook.events:
                webhooks.add_message(session, hook.id, body.type, run_id, body.body)
