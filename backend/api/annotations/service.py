"""Writes and reads notes, tags and stars."""

from __future__ import annotations

from backend.api.annotations.schemas import Annotation, AnnotationPatch, Stars
from backend.settings import Settings
from backend.store.repositories import annotation_rows
from backend.store.repositories.annotation_rows import Kind
from backend.store.session import session_scope


def annotate(settings: Settings, kind: Kind, object_id: str, patch: AnnotationPatch) -> Annotation:
    """Replace the given fields. Raises NotFound."""
    tags = None if patch.tags is None else list(patch.tags)
    with session_scope(settings) as session:
        stored = annotation_rows.update_fields(session, kind, object_id, patch.note, tags)
    return Annotation(id=object_id, note=stored.note, tags=tuple(stored.tags))


def stars(settings: Settings, account_id: str, team_id: str) -> Stars:
    """What an account starred in a team."""
    with session_scope(settings) as session:
        return Stars(
            runs=tuple(annotation_rows.starred(session, "run", account_id, team_id)),
            experiments=tuple(annotation_rows.starred(session, "experiment", account_id, team_id)),
        )


def star(settings: Settings, account_id: str, kind: Kind, object_id: str) -> None:
    """Star an object. Raises Contended if it was deleted meanwhile."""
    with session_scope(settings) as session:
        annotation_rows.add_star(session, kind, account_id, object_id)


def unstar(settings: Settings, account_id: str, kind: Kind, object_id: str) -> None:
    """Remove a star."""
    with session_scope(settings) as session:
        annotation_rows.remove_star(session, kind, account_id, object_id)
