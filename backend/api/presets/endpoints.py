"""The routes of /presets and /factors."""

from __future__ import annotations

from fastapi import APIRouter

from backend.api.access.guard import GuardedRoute
from backend.api.presets import service
from backend.api.presets.schemas import PresetList, Vocabulary

router = APIRouter(route_class=GuardedRoute)


@router.get("/presets", operation_id="listPresets")
def list_presets() -> PresetList:
    """List the experiments that come with Plimsoll."""
    return service.list_all()


@router.get("/factors", operation_id="listFactors")
def list_factors() -> Vocabulary:
    """List the factors and metrics of experiments, with bounds, units and compatibility."""
    return service.vocabulary()
