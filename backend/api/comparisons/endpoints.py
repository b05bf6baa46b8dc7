"""The route of /comparisons."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request, Response
from fastapi.concurrency import run_in_threadpool

from backend.api.access.guard import GuardedRoute
from backend.api.capacity import ConcurrencyLimit, CpuBound
from backend.api.comparisons import service
from backend.api.exports import pictures
from backend.api.request import Config
from backend.core.chart.compare_runs.run_comparison import RunComparisonQuery
from backend.core.chart.compare_runs.run_comparison_model import Basis, RunComparison
from backend.core.export.pictures.ratios import ratios

router = APIRouter(tags=["runs"], route_class=GuardedRoute)

RunId = Annotated[str, Query(max_length=64)]
CellId = Annotated[str | None, Query(max_length=64)]


def _query(
    basis: Basis | None = None,
    override: bool = False,
    a_cell: CellId = None,
    b_cell: CellId = None,
    metric: Annotated[str | None, Query(max_length=64)] = None,
) -> RunComparisonQuery:
    return RunComparisonQuery(basis=basis, override=override, a_cell=a_cell, b_cell=b_cell, metric=metric)


Comparison = Annotated[RunComparisonQuery, Depends(_query)]


@router.get("/comparisons", operation_id="compareRuns", response_model=RunComparison)
async def compare_runs(settings: Config, request: Request, a: RunId, b: RunId, query: Comparison) -> Response:
    """Compare run `b` with run `a`, or one cell of each, after listing how their environments differ.

    Runs that are not comparable are refused with the reasons and without tables, unless `override` is set.
    """
    found = await run_in_threadpool(service.find, settings, a, b, query)
    if not isinstance(found, bytes):
        slots: ConcurrencyLimit = request.app.state.cpu_slots
        async with slots.slot():
            found = await run_in_threadpool(found.compute)
    return Response(found, media_type="application/json")


@router.get(
    "/comparisons/exports/{format}",
    operation_id="exportComparison",
    response_class=Response,
    dependencies=[CpuBound],
    responses={200: {"description": "The picture", "content": pictures.CONTENT}},
)
def export_comparison(
    settings: Config,
    format: pictures.FormatName,
    a: RunId,
    b: RunId,
    query: Comparison,
    theme: pictures.ThemeName = "light",
) -> Response:
    """Read the ratios B ÷ A as a picture, for the named metric or the first that both runs have."""
    pictures.check(format)
    spec = ratios(service.compare(settings, a, b, query), theme)
    return pictures.response(spec, format, f"{a}-{b}")
