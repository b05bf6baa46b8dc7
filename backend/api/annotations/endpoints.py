"""The routes of notes, tags and stars."""

from __future__ import annotations

from fastapi import APIRouter, Depends, status

from backend.api.access.guard import Caller
from backend.api.annotations import service
from backend.api.annotations.schemas import Annotation, AnnotationPatch, Stars
from backend.api.request import Config, StrictRoute, json_only

router = APIRouter(route_class=StrictRoute)


@router.patch("/runs/{run_id:id}", operation_id="annotateRun", dependencies=[Depends(json_only)])
def annotate_run(settings: Config, run_id: str, patch: AnnotationPatch) -> Annotation:
    """Replace the note or the tags of a run; the result, its exports and its links do not contain them."""
    return service.annotate(settings, "run", run_id, patch)


@router.patch(
    "/experiments/{experiment_id}", operation_id="annotateExperiment", dependencies=[Depends(json_only)]
)
def annotate_experiment(settings: Config, experiment_id: str, patch: AnnotationPatch) -> Annotation:
    """Replace the note or the tags of an experiment."""
    return service.annotate(settings, "experiment", experiment_id, patch)


@router.get("/stars", operation_id="listStars")
def list_stars(settings: Config, caller: Caller) -> Stars:
    """List what the caller's account starred in the team."""
    return service.stars(settings, caller.account_id, caller.team)


@router.put("/runs/{run_id}/star", operation_id="starRun", status_code=status.HTTP_204_NO_CONTENT)
def star_run(settings: Config, caller: Caller, run_id: str) -> None:
    """Star a run for the caller's account; starring it again changes nothing."""
    service.star(settings, caller.account_id, "run", run_id)


@router.delete("/runs/{run_id}/star", operation_id="unstarRun", status_code=status.HTTP_204_NO_CONTENT)
def unstar_run(settings: Config, caller: Caller, run_id: str) -> None:
    """Remove the star of a run."""
    service.unstar(settings, caller.account_id, "run", run_id)


@router.put(
    "/experiments/{experiment_id}/star",
    operation_id="starExperiment",
    status_code=status.HTTP_204_NO_CONTENT,
)
def star_experiment(settings: Config, caller: Caller, experiment_id: str) -> None:
    """Star an experiment for the caller's account; starring it again changes nothing."""
    service.star(settings, caller.account_id, "experiment", experiment_id)


@router.delete(
    "/experiments/{experiment_id}/star",
    operation_id="unstarExperiment",
    status_code=status.HTTP_204_NO_CONTENT,
)
def unstar_experiment(settings: Config, caller: Caller, experiment_id: str) -> None:
    """Remove the star of an experiment."""
    service.unstar(settings, caller.account_id, "experiment", experiment_id)
