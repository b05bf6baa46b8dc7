"""The routes of /trials."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Query, Response, status
from fastapi.responses import PlainTextResponse

from backend.api.access.guard import Caller
from backend.api.capacity import CpuBound
from backend.api.exports import pictures
from backend.api.request import Config, StrictRoute, json_only
from backend.api.trials import raw, service
from backend.api.trials.schemas import ExclusionHistory, ExclusionStart, TrialDetail, TrialList
from backend.core.export.pictures.trial_kinds import TRIAL_KINDS, trial_spec
from backend.core.messages.language import language_named, writing_in

router = APIRouter(route_class=StrictRoute)


@router.get("/runs/{run_id}/trials", operation_id="listTrials")
def list_trials(
    settings: Config, run_id: str, cell: Annotated[str | None, Query(max_length=32)] = None
) -> TrialList:
    """List the trials of a run in the plan's order, or those of one cell."""
    return service.of_run(settings, run_id, cell)


@router.get("/trials/{trial_id}", operation_id="getTrial")
def get_trial(settings: Config, trial_id: str) -> TrialDetail:
    """Read one trial with its record and the log of its attempts."""
    return service.get(settings, trial_id)


@router.get(
    "/trials/{trial_id}/exports/{format}",
    operation_id="exportTrial",
    response_class=Response,
    dependencies=[CpuBound],
    responses={200: {"description": "The picture", "content": pictures.CONTENT}},
)
def export_trial(
    settings: Config,
    trial_id: str,
    format: pictures.FormatName,
    kind: Annotated[str, Query(max_length=16, json_schema_extra={"enum": list(TRIAL_KINDS)})] = "rate",
    theme: pictures.ThemeName = "light",
    language: pictures.LanguageName = "en",
) -> Response:
    """Read one of a trial's charts as a picture: its rate or CPU over time, or its latencies."""
    pictures.check(format)
    with writing_in(language_named(language)):
        spec = trial_spec(service.facts(settings, trial_id), kind, theme)
    return pictures.response(spec, format, trial_id)


@router.get("/trials/{trial_id}/raw", operation_id="getTrialRaw", response_class=PlainTextResponse)
def get_trial_raw(settings: Config, trial_id: str) -> PlainTextResponse:
    """Read every command of a trial in order: argv, exit code, stdout and stderr.

    Of an imported trial: its log.
    """
    return raw.response(service.get(settings, trial_id))


@router.put("/trials/{trial_id}/exclusion", operation_id="excludeTrial", dependencies=[Depends(json_only)])
def exclude_trial(settings: Config, caller: Caller, trial_id: str, start: ExclusionStart) -> ExclusionHistory:
    """Exclude a recorded trial of an ended run from every statistic, export and chart, for a reason.

    The result says how many trials were excluded; the trial stays visible with its reason. Another reason
    replaces the present one; the history keeps both.
    """
    return service.exclude(settings, trial_id, start.reason, caller.label)


@router.delete(
    "/trials/{trial_id}/exclusion", operation_id="includeTrial", status_code=status.HTTP_204_NO_CONTENT
)
def include_trial(settings: Config, caller: Caller, trial_id: str) -> None:
    """Include an excluded trial again; the result is then exactly what it was before."""
    service.include(settings, trial_id, caller.label)
