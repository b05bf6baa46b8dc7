"""The routes of /library."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Query, Response

from backend.api.access.guard import Caller
from backend.api.library import service
from backend.api.library.schemas import (
    ChangedRuns,
    LibraryQuery,
    LibraryRunList,
    LibraryTermList,
    RunChanges,
    TermQuery,
)
from backend.api.paging import link_next
from backend.api.request import Config, StrictRoute, json_only

router = APIRouter(prefix="/library", route_class=StrictRoute)


@router.get("", operation_id="searchLibrary")
def search_library(
    settings: Config, caller: Caller, wanted: Annotated[LibraryQuery, Query()], response: Response
) -> LibraryRunList:
    """Search the team's runs: text, `key:value` terms, `-` for not, `,` for or, `*` for any text.

    Keys: is, has, state, verdict, host, author, tag, after, before, group, experiment, and every factor.
    Archived runs are found with `is:archived` only.
    """
    page = service.search(settings, caller, wanted)
    link_next(response, "/api/v1/library", wanted, page.next_cursor)
    return page


@router.get("/terms", operation_id="listLibraryTerms")
def list_library_terms(
    settings: Config, caller: Caller, wanted: Annotated[TermQuery, Query()]
) -> LibraryTermList:
    """List the terms that complete a typed part, such as `pa` or `path:pub`."""
    return service.terms(settings, caller, wanted)


@router.post("/changes", operation_id="changeLibraryRuns", dependencies=[Depends(json_only)])
def change_library_runs(settings: Config, caller: Caller, changes: RunChanges) -> ChangedRuns:
    """Archive, star or tag several runs at once: all of them, or none."""
    return service.change(settings, caller, changes)
