"""The routes of /library/views, and what they do: saved searches of an account and of its team."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter, Depends, Request, status
from sqlalchemy.orm import Session

from backend.api.access.actor import Actor
from backend.api.access.guard import Caller
from backend.api.errors import Forbidden
from backend.api.library.schemas import LibraryView, LibraryViewCreate, LibraryViewList, LibraryViewPatch
from backend.api.request import Config, StrictRoute, json_only
from backend.core.errors import Conflict
from backend.store.repositories import library_views
from backend.store.session import session_scope

router = APIRouter(prefix="/library/views", route_class=StrictRoute)
MAX_VIEWS: Final = 500
"""Saved searches of a team, with those of its accounts."""


@router.get("", operation_id="listLibraryViews")
def list_library_views(settings: Config, caller: Caller) -> LibraryViewList:
    """List the saved searches of the caller's account and of its team, by name."""
    with session_scope(settings) as session:
        found = library_views.of_account(session, caller.team, caller.account_id)
    return LibraryViewList(data=tuple(map(LibraryView.model_validate, found)))


@router.post(
    "",
    operation_id="createLibraryView",
    status_code=status.HTTP_201_CREATED,
    dependencies=[Depends(json_only)],
)
def create_library_view(
    settings: Config, caller: Caller, request: Request, view: LibraryViewCreate
) -> LibraryView:
    """Save a search; one of the team needs the role runner."""
    _check_shared(caller, view.shared)
    with session_scope(settings) as session:
        if library_views.count(session, caller.team) >= MAX_VIEWS:
            raise Conflict(f"the team has {MAX_VIEWS} saved searches: delete one first")
        made = library_views.create(
            session, caller.team, caller.account_id, view.name, view.query, view.shared
        )
    request.state.created = made.id
    return LibraryView.model_validate(made)


@router.patch("/{view_id}", operation_id="updateLibraryView", dependencies=[Depends(json_only)])
def update_library_view(
    settings: Config, caller: Caller, view_id: str, patch: LibraryViewPatch
) -> LibraryView:
    """Replace name, query or visibility of an own search, or as a runner of one of the team."""
    values = patch.model_dump(exclude_none=True)
    with session_scope(settings) as session:
        _check(session, caller, view_id)
        _check_shared(caller, patch.shared or False)
        return LibraryView.model_validate(library_views.change(session, view_id, caller.account_id, values))


@router.delete("/{view_id}", operation_id="deleteLibraryView", status_code=status.HTTP_204_NO_CONTENT)
def delete_library_view(settings: Config, caller: Caller, view_id: str) -> None:
    """Delete an own search, or as a runner one of the team."""
    with session_scope(settings) as session:
        _check(session, caller, view_id)
        library_views.remove(session, view_id)


def _check(session: Session, caller: Actor, view_id: str) -> None:
    """Raise NotFound for a search that the caller does not see, Forbidden for one that it may not change."""
    if not library_views.get(session, view_id, caller.account_id).own:
        _check_shared(caller, True)


def _check_shared(caller: Actor, shared: bool) -> None:
    if shared and "write" not in caller.permissions():
        raise Forbidden("forbidden", "a search of the team needs the role runner; save it for yourself")
