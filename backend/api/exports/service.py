"""Exports of runs; the files of ended runs are cached."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from backend.api.etag import etag_of
from backend.api.exports.formats import FORMATS, Format, full_chart
from backend.api.runs.cell_series import read_series
from backend.api.runs.result_cache import Version
from backend.core.chart.cells.inputs import ChartInput
from backend.core.errors import Invalid
from backend.core.export.colours import theme_named
from backend.core.export.pictures.cell_series import KIND, cell_series
from backend.core.export.pictures.kinds import Picture
from backend.core.export.printed_report import RunFacts
from backend.core.export.replay_script.script import commands
from backend.core.messages.language import writing_in
from backend.render import images
from backend.settings import Settings
from backend.store.repositories import result_rows, runs
from backend.store.repositories.chart_inputs import read_chart_input
from backend.store.session import session_scope


@dataclass(frozen=True)
class Exported:
    """A file; `etag` is None until the run has ended."""

    body: bytes
    name: str
    etag: str | None


def find(name: str) -> Format:
    """The format of this name. Raises Invalid."""
    if name not in FORMATS:
        raise Invalid.at("/format", "unknown_format", f"format is one of {', '.join(FORMATS)}")
    return FORMATS[name]


def export(settings: Settings, run_id: str, name: str, picture: Picture) -> Exported:
    """The run in this format. Raises NotFound, Invalid, and Unavailable if no picture can be drawn."""
    find(name)
    version = _version(settings, run_id)
    if version.ended:
        return _final(settings, run_id, version, name, picture)
    return _written(settings, run_id, name, picture, ended=False)


def replay_script(settings: Settings, run_id: str, cell_id: str) -> Exported:
    """The replay script of one cell. Raises NotFound for an unknown run or cell."""
    ended = _version(settings, run_id).ended
    body = commands(_read(settings, run_id), cell_id).encode()
    return Exported(body, f"plimsoll-{run_id}-{cell_id}.sh", etag_of(body) if ended else None)


def _version(settings: Settings, run_id: str) -> Version:
    with session_scope(settings) as session:
        return Version(*result_rows.version(session, run_id))


def _read(settings: Settings, run_id: str) -> ChartInput:
    with session_scope(settings) as session:
        return read_chart_input(session, run_id)


def _facts(settings: Settings, run_id: str) -> RunFacts:
    with session_scope(settings) as session:
        run = runs.get(session, run_id)
        return RunFacts(f"{settings.base_url}/runs/{run_id}", run.started_at, run.finished_at)


@lru_cache(maxsize=8)
def _final(settings: Settings, run_id: str, _version: Version, name: str, picture: Picture) -> Exported:
    return _written(settings, run_id, name, picture, ended=True)


def _series(settings: Settings, data: ChartInput, picture: Picture, name: str) -> bytes:
    """The picture of one cell's trials over their time. Raises NotFound and Invalid."""
    cell_id = picture.cells or data.plan.cells[0].id
    with session_scope(settings) as session:
        series = read_series(session, data.run_id, cell_id)
    drawn = cell_series(full_chart(data), series, picture.role, theme_named(picture.theme))
    return images.draw([drawn], "png" if name == "png" else "svg")[0]


def _written(settings: Settings, run_id: str, name: str, picture: Picture, ended: bool) -> Exported:
    data, about = _read(settings, run_id), _facts(settings, run_id)
    form = find(name)
    with writing_in(picture.language):
        if picture.kind == KIND and form.is_picture:
            body = _series(settings, data, picture, name)
        else:
            body = form.write(data, picture, about)
    # The pattern of experiment names allows no character that is special in headers or file systems.
    kind = f"-{name.partition('-')[2]}" if "-" in name else "-report" if name == "report" else ""
    if form.is_picture:
        kind = f"-{picture.kind}"
    file = f"plimsoll-{data.experiment.name}-{run_id}{kind}.{form.extension}"
    return Exported(body, file, etag_of(body) if ended else None)
