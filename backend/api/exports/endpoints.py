"""The routes of /runs/{id}/exports and of a cell's replay script."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Query, Request, Response, status

from backend.api.access.guard import GuardedRoute
from backend.api.capacity import CpuBound
from backend.api.etag import etag_matches
from backend.api.exports import pictures, service
from backend.api.exports.formats import FORMATS
from backend.api.exports.service import Exported
from backend.api.request import Config
from backend.core.errors import Invalid
from backend.core.export.colours import THEMES
from backend.core.export.pictures.cell_series import KIND as SERIES_KIND
from backend.core.export.pictures.kinds import KINDS, SCALES, Picture
from backend.core.export.pictures.panels import PANEL_KINDS
from backend.core.export.pictures.roles import UNITS
from backend.core.messages.language import language_named
from backend.core.sample.record import ROLES

router = APIRouter(route_class=GuardedRoute)

SHELL = "text/x-shellscript; charset=utf-8"
_TEXT: dict[str, Any] = {"schema": {"type": "string"}}
_FILES = {form.media.partition(";")[0]: _TEXT for form in FORMATS.values()} | {
    "application/json": {"schema": {"$ref": "#/components/schemas/RunExport"}}
}


def _choice(possible: Sequence[str]) -> Any:
    return Query(max_length=16, json_schema_extra={"enum": list(possible)})


_FACTOR = Query(max_length=64, description="heatmap and facets; all four empty: the page's default")
_CELLS = Query(
    max_length=16_384,
    pattern="^[0-9A-Za-z_.,-]*$",
    description="joint, dots, roles: cell ids between commas, all if empty; series: one, the first if empty",
)
_LADDER = Query(max_length=64, description="ladder: the id of its first cell; all if empty")


def _picture(
    metric: Annotated[str, Query(max_length=64, description="the first one if empty")] = "",
    kind: Annotated[str, _choice((*KINDS, *PANEL_KINDS, SERIES_KIND))] = "dots",
    theme: Annotated[str, _choice((*THEMES,))] = "light",
    rows: Annotated[str, _FACTOR] = "",
    columns: Annotated[str, _FACTOR] = "",
    panels: Annotated[str, _FACTOR] = "",
    color: Annotated[str, _FACTOR] = "",
    scale: Annotated[str, _choice(SCALES)] = "same",
    unit: Annotated[str, _choice(UNITS)] = "cores",
    cells: Annotated[str, _CELLS] = "",
    ladder: Annotated[str, _LADDER] = "",
    role: Annotated[str, _choice(("", *ROLES))] = "",
    language: pictures.LanguageName = "en",
) -> Picture:
    given_words = (("unit", unit, UNITS), ("scale", scale, SCALES), ("role", role, ("", *ROLES)))
    for name, given, possible in given_words:
        if given not in possible:
            raise Invalid.at(f"/{name}", f"unknown_{name}", f"{name} is one of {', '.join(possible)}")
    places = (rows, columns, panels, color)
    wanted = language_named(language)
    return Picture(metric, kind, theme, *places, scale, unit, cells, ladder, role, wanted)


@router.get(
    "/runs/{run_id}/exports/{format}",
    operation_id="exportRun",
    response_class=Response,
    dependencies=[CpuBound],
    responses={200: {"description": "The file", "content": _FILES}},
)
def export_run(
    settings: Config,
    request: Request,
    run_id: str,
    format: Annotated[str, Path(json_schema_extra={"enum": list(FORMATS)})],
    picture: Annotated[Picture, Depends(_picture)],
) -> Response:
    """Read a run in another format: Go benchmark text, CSV, JSON, Markdown, HTML or a picture.

    The file of a run that has not ended is marked as provisional. All parameters apply to svg and png only,
    language to html and report too;
    scale to facets, unit to roles, role to series; metric to joint, dots, heatmap, facets and, as the second
    one, to sweep. Rows, columns, panels and color each are a factor that the run varies, or none.
    """
    form = service.find(format)
    exported = service.export(settings, run_id, format, picture)
    policy = {"Content-Security-Policy": form.policy} if form.policy else {}
    return file_answer(request, exported, form.media, form.inline, policy)


@router.get(
    "/runs/{run_id}/cells/{cell_id}/commands",
    operation_id="readCellCommands",
    response_class=Response,
    dependencies=[CpuBound],
    responses={200: {"description": "A POSIX shell script", "content": {SHELL.partition(";")[0]: _TEXT}}},
)
def read_commands(settings: Config, request: Request, run_id: str, cell_id: str) -> Response:
    """Read a shell script that repeats one cell with plain docker commands, without Plimsoll."""
    return file_answer(
        request, service.replay_script(settings, run_id, cell_id), SHELL, inline=False, headers={}
    )


def file_answer(
    request: Request, exported: Exported, media: str, inline: bool, headers: dict[str, str]
) -> Response:
    """The file, or 304 if If-None-Match matches; only files of ended runs may be cached."""
    headers |= {
        "Content-Disposition": f'{"inline" if inline else "attachment"}; filename="{exported.name}"',
        "Cache-Control": "no-store" if exported.etag is None else "private, no-cache",
    }
    if exported.etag is not None:
        headers["ETag"] = exported.etag
        if etag_matches(request.headers.get("if-none-match"), exported.etag):
            return Response(status_code=status.HTTP_304_NOT_MODIFIED, headers=headers)
    return Response(exported.body, media_type=media, headers=headers)
