"""Exports of groups of runs; the files of ended groups are cached."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from backend.api.etag import etag_of
from backend.api.exports.formats import CLOSED
from backend.api.exports.service import Exported
from backend.api.run_groups.hosts_runs import read_group
from backend.core.chart.across_hosts.build_hosts import HostGroup, build_hosts_result
from backend.core.chart.across_hosts.hosts_model import HostsResult
from backend.core.errors import Invalid
from backend.core.export.colours import theme_named
from backend.core.export.hosts_csv import hosts_csv
from backend.core.export.hosts_document import hosts_document
from backend.core.export.hosts_markdown import hosts_markdown
from backend.core.export.pictures.hosts import hosts
from backend.core.messages.language import Language, writing_in
from backend.program_revision import program_revision
from backend.render import images
from backend.settings import Settings
from backend.store.repositories import group_results
from backend.store.repositories.group_results import GroupVersion
from backend.store.session import session_scope


@dataclass(frozen=True)
class Style:
    """Theme and language of a picture."""

    theme: str
    language: Language


@dataclass(frozen=True)
class _Wanted:
    """What a file is made of: results in the chosen metric, or in all of them."""

    group: HostGroup
    results: tuple[HostsResult, ...]
    theme: str


_Write = Callable[[_Wanted], bytes]


def _json(wanted: _Wanted) -> bytes:
    found = hosts_document(wanted.group, wanted.results)
    return json.dumps(found, ensure_ascii=False, allow_nan=False).encode()


def _picture(form: images.Form) -> _Write:
    return lambda wanted: images.draw([hosts(wanted.results[0], wanted.theme)], form)[0]


@dataclass(frozen=True)
class GroupFormat:
    """One format; `every_metric`: without a named metric the file has all of them, not the first."""

    extension: str
    media: str
    write: _Write
    every_metric: bool = False
    inline: bool = False
    policy: str = ""


FORMATS: Final[dict[str, GroupFormat]] = {
    "csv": GroupFormat(
        "csv", "text/csv; charset=utf-8", lambda wanted: hosts_csv(wanted.results).encode(), every_metric=True
    ),
    "json": GroupFormat("json", "application/json", _json, every_metric=True),
    "markdown": GroupFormat(
        "md",
        "text/markdown; charset=utf-8",
        lambda wanted: hosts_markdown(wanted.results[0]).encode(),
        inline=True,
    ),
    "svg": GroupFormat("svg", "image/svg+xml", _picture("svg"), inline=True, policy=CLOSED),
    "png": GroupFormat("png", "image/png", _picture("png"), inline=True),
}
"""The formats by the name in the URL."""


def find(name: str) -> GroupFormat:
    """The format of this name. Raises Invalid."""
    if name not in FORMATS:
        raise Invalid.at("/format", "unknown_format", f"format is one of {', '.join(FORMATS)}")
    return FORMATS[name]


def export(settings: Settings, group_id: str, name: str, metric: str, style: Style) -> Exported:
    """The group in this format. Raises NotFound, Invalid, and Unavailable if no picture can be drawn."""
    find(name)
    theme_named(style.theme)
    with session_scope(settings) as session:
        version = group_results.version(session, group_id)
    if version.ended:
        return _final(settings, group_id, version, name, metric, style)
    return _written(settings, group_id, version, name, metric, style)


@lru_cache(maxsize=8)
def _final(
    settings: Settings, group_id: str, version: GroupVersion, name: str, metric: str, style: Style
) -> Exported:
    return _written(settings, group_id, version, name, metric, style)


def _written(
    settings: Settings, group_id: str, version: GroupVersion, name: str, metric: str, style: Style
) -> Exported:
    form, group = find(name), read_group(settings, group_id)
    metrics = group.experiment.metrics if form.every_metric and not metric else (metric,)
    results = tuple(_result(settings, group, version, one) for one in metrics)
    with writing_in(style.language):
        body = form.write(_Wanted(group, results, style.theme))
    # The pattern of experiment names allows no character that is special in headers or file systems.
    file = f"plimsoll-{group.experiment.name}-{group_id}.{form.extension}"
    return Exported(body, file, etag_of(body) if version.ended else None)


def _result(settings: Settings, group: HostGroup, version: GroupVersion, metric: str) -> HostsResult:
    """The result in a metric, the kept one where there is one."""
    if version.ended:
        first = group.experiment.metrics[0]
        with session_scope(settings) as session:
            for name in (metric, "") if metric == first else (metric,):
                kept = group_results.find(session, group.group_id, name, version.digest, program_revision())
                if kept is not None:
                    return HostsResult.model_validate_json(gzip.decompress(kept))
    return build_hosts_result(group, metric)
