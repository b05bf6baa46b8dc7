"""The team that an object belongs to."""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from backend.core.errors import NotFound
from backend.store.ids import Prefix, is_id
from backend.store.models import (
    ApiToken,
    Experiment,
    LibraryView,
    OneTimeLink,
    Run,
    RunGroup,
    Schedule,
    Share,
    Trial,
    Webhook,
)

_QUERIES: Final[dict[Prefix, Any]] = {
    "exp": select(Experiment.id, Experiment.team_id),
    "run": select(Run.id, Run.team_id),
    "grp": select(RunGroup.id, RunGroup.team_id),
    "sch": select(Schedule.id, Schedule.team_id),
    "trl": select(Trial.id, Run.team_id).join(Run, Run.id == Trial.run_id),
    "shr": select(Share.id, Run.team_id).join(Run, Run.id == Share.run_id),
    "tok": select(ApiToken.id, ApiToken.team_id),
    "whk": select(Webhook.id, Webhook.team_id),
    "viw": select(LibraryView.id, LibraryView.team_id),
    "lnk": select(OneTimeLink.id, OneTimeLink.team_id).where(OneTimeLink.kind == "invitation"),
}
KINDS: Final[dict[Prefix, str]] = {
    "exp": "experiment",
    "run": "run",
    "grp": "group of runs",
    "sch": "schedule",
    "trl": "trial",
    "shr": "share link",
    "tok": "token",
    "whk": "webhook",
    "viw": "view",
    "lnk": "invitation",
}
"""The kinds of objects that belong to a team, as error messages name them."""


def team_of(session: Session, prefix: Prefix, object_id: str) -> str:
    """The team of an object. Raises NotFound."""
    query = _QUERIES[prefix]
    found = (
        session.execute(query.where(query.selected_columns[0] == object_id)).one_or_none()
        if is_id(prefix, object_id)
        else None
    )
    if found is None:
        raise NotFound(f"there is no such {KINDS[prefix]}")
    team_id: str = found[1]
    return team_id
