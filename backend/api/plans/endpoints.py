"""The routes of /plans."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from backend.api.plans import service
from backend.api.plans.schemas import PlanPreview
from backend.api.request import DOCUMENT_BODY, Config, Submitted

router = APIRouter(prefix="/plans", tags=["plans"])


@router.post("", operation_id="previewPlan", openapi_extra=DOCUMENT_BODY)
def preview_plan(
    settings: Config, document: Submitted, host: Annotated[str | None, Query(max_length=64)] = None
) -> PlanPreview:
    """Plan an experiment without storing anything: its cells, trials and duration.

    With `host`, cells that this host cannot run are marked with the reason.
    """
    return service.preview(settings, document, host)
