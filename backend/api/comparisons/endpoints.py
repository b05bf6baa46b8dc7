"""The route of /comparisons."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from backend.api.comparisons import service
from backend.api.request import Config
from backend.core.chart.cross import Asked
from backend.core.chart.cross_model import Basis, CrossModel

router = APIRouter(tags=["runs"])

RunId = Annotated[str, Query(max_length=64)]
CellId = Annotated[str | None, Query(max_length=64)]


@router.get("/comparisons", operation_id="compareRuns")
def compare_runs(
    settings: Config,
    a: RunId,
    b: RunId,
    basis: Basis | None = None,
    override: bool = False,
    a_cell: CellId = None,
    b_cell: CellId = None,
    metric: Annotated[str | None, Query(max_length=64)] = None,
) -> CrossModel:
    """Compare run `b` with run `a`, or one cell of each; differences of the environments stand first.

    What is not comparable is refused with its reasons and without tables, unless `override` is given.
    """
    asked = Asked(basis=basis, override=override, a_cell=a_cell, b_cell=b_cell, metric=metric)
    return service.compare(settings, a, b, asked)
