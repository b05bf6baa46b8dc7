"""The route of CPU profiles of cells."""

from __future__ import annotations

from fastapi import APIRouter

from backend.api.cell_profiles.schemas import CellProfileState, ProfileReason
from backend.api.request import Config, StrictRoute
from backend.store.repositories import cell_profiles
from backend.store.session import session_scope

router = APIRouter(route_class=StrictRoute)


@router.get("/runs/{run_id}/cells/{cell_id}/profile", operation_id="readCellProfile")
def read_cell_profile(settings: Config, run_id: str, cell_id: str) -> CellProfileState:
    """Read the CPU profile of a cell: its call stacks as a tree, or why there is none.

    It was taken in an extra trial after the measured ones, and is in no result, export or statistic.
    """
    with session_scope(settings) as session:
        found = cell_profiles.read(session, run_id, cell_id)
    reason = None
    if found.reason_code is not None:
        reason = ProfileReason(code=found.reason_code, detail=found.reason or "")
    return CellProfileState.model_validate(
        {
            "run_id": run_id,
            "cell_id": cell_id,
            "state": found.state,
            "reason": reason,
            "ended_at": found.ended_at,
            "profile": found.profile,
        }
    )
