"""The routes of /comparisons."""

from __future__ import annotations

from typing import Annotated, Any, Final

from fastapi import APIRouter, Depends, Path, Query, Request, Response
from fastapi.concurrency import run_in_threadpool

from backend.api.access.guard import GuardedRoute
from backend.api.capacity import ConcurrencyLimit, CpuBound
from backend.api.comparisons import matrices, matrix_exports, service
from backend.api.comparisons.matrices import Chosen
from backend.api.exports import pictures
from backend.api.exports.endpoints import file_answer
from backend.api.request import Config
from backend.core.chart.compare_runs.matrix import MatrixQuery
from backend.core.chart.compare_runs.matrix_columns import MOST_COLUMNS
from backend.core.chart.compare_runs.matrix_model import ComparisonMatrix
from backend.core.chart.compare_runs.run_comparison import RunComparisonQuery
from backend.core.chart.compare_runs.run_comparison_model import Basis, RunComparison
from backend.core.export.pictures.ratios import ratios
from backend.core.messages.language import language_named, writing_in

router = APIRouter(route_class=GuardedRoute)

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

_LISTED: Final = 2 * MOST_COLUMNS
"""More than enough, so that the check of the columns answers with their number."""


def _columns(
    run: Annotated[
        list[Annotated[str, Query(max_length=64)]],
        Query(max_length=_LISTED, description="one for each column, in their order"),
    ],
    cell: Annotated[
        list[Annotated[str, Query(max_length=64)]] | None,
        Query(max_length=_LISTED, description="a cell of each run, in the same order; all cells if empty"),
    ] = None,
) -> Chosen:
    return matrices.chosen_columns(run, cell or ())


def _matrix_query(
    reference: Annotated[int, Query(ge=0, lt=MOST_COLUMNS, description="the number of a column, from 0")] = 0,
    basis: Basis | None = None,
    override: bool = False,
    metric: Annotated[str | None, Query(max_length=64)] = None,
) -> MatrixQuery:
    return MatrixQuery(reference=reference, basis=basis, override=override, metric=metric)


Columns = Annotated[Chosen, Depends(_columns)]
Matrix = Annotated[MatrixQuery, Depends(_matrix_query)]
_FILES: Final[dict[str, Any]] = {
    form.media.partition(";")[0]: {"schema": {"type": "string"}} for form in matrix_exports.FORMATS.values()
} | {"application/json": {"schema": {"$ref": "#/components/schemas/ComparisonMatrix"}}}


@router.get("/comparisons", operation_id="compareRuns", response_model=RunComparison)
async def compare_runs(settings: Config, request: Request, a: RunId, b: RunId, query: Comparison) -> Response:
    """Compare run `b` with run `a`, or one cell of each, after listing how their environments differ.

    Runs that are not comparable are refused with the reasons and without tables, unless `override` is set.
    """
    return await _answer(request, await run_in_threadpool(service.find, settings, a, b, query))


async def _answer(request: Request, found: bytes | service.Needed | matrices.NeededMatrix) -> Response:
    """The comparison, computed in a slot of its own where it is not kept."""
    if not isinstance(found, bytes):
        slots: ConcurrencyLimit = request.app.state.cpu_slots
        async with slots.slot():
            found = await run_in_threadpool(found.compute)
    return Response(found, media_type="application/json")


@router.get("/comparisons/matrix", operation_id="compareColumns", response_model=ComparisonMatrix)
async def compare_columns(settings: Config, request: Request, columns: Columns, query: Matrix) -> Response:
    """Compare two to twelve runs, or cells of them, with a reference column in one metric.

    Cells of one run are paired by round; those of different runs are compared as two runs are. The intervals
    hold over all ratios together. A column that is not comparable with the reference is refused with reasons,
    unless `override` is set.
    """
    return await _answer(request, await run_in_threadpool(matrices.find, settings, columns, query))


@router.get(
    "/comparisons/matrix/exports/{format}",
    operation_id="exportComparisonMatrix",
    response_class=Response,
    dependencies=[CpuBound],
    responses={200: {"description": "The file", "content": _FILES}},
)
def export_matrix(
    settings: Config,
    request: Request,
    format: Annotated[str, Path(json_schema_extra={"enum": list(matrix_exports.FORMATS)})],
    columns: Columns,
    query: Matrix,
) -> Response:
    """Read a comparison of several runs or cells as CSV, JSON or Markdown."""
    form = matrix_exports.find(format)
    exported = matrix_exports.export(settings, columns, query, form)
    return file_answer(request, exported, form.media, inline=False, headers={})


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
    language: pictures.LanguageName = "en",
) -> Response:
    """Read the ratios B ÷ A as a picture, for the named metric or the first that both runs have."""
    pictures.check(format)
    with writing_in(language_named(language)):
        spec = ratios(service.compare(settings, a, b, query), theme)
    return pictures.response(spec, format, f"{a}-{b}")
