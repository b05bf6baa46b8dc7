"""The result of a group of runs, with a strong ETag, computed once per version of its runs.

That of an ended group is also stored: neither a restart nor a new reader has it computed again. An excluded
trial, a deleted run or a new program makes it another version.
"""

from __future__ import annotations

import asyncio
import gzip
import logging
import time
from functools import lru_cache
from typing import Final

from fastapi import Response
from fastapi.concurrency import run_in_threadpool
from starlette.datastructures import Headers

from backend.api.etag import etag_of
from backend.api.run_groups.hosts_runs import read_group
from backend.api.runs.result_cache import Key, Rendered, ResultCache, Version
from backend.api.runs.results import RETRY_S, sent, window_budget
from backend.core.chart.across_hosts.build_hosts import build_hosts_result
from backend.core.errors import PlimsollError
from backend.program_revision import program_revision
from backend.settings import Settings
from backend.store.repositories import group_results
from backend.store.session import session_scope

logger = logging.getLogger(__name__)

KEPT_BYTES: Final = 16_000_000
TRIALS_OF_RUN: Final = 50
"""A member with kept figures costs about as much CPU as so many trials (`scripts/bench analysis`)."""


async def response(
    settings: Settings, group_id: str, metric: str | None, request_headers: Headers
) -> Response:
    """The result of a group in any state, or 304. Raises NotFound, and Invalid for a metric."""
    version = await run_in_threadpool(_version, settings, group_id)
    return sent(await _rendered(settings, group_id, metric or "", version), version, request_headers)


async def result_of_ended(settings: Settings, group_id: str, metric: str | None = None) -> Rendered:
    """The result of an ended group. Raises NotFound, and Invalid for a metric."""
    version = await run_in_threadpool(_version, settings, group_id)
    found = await _rendered(settings, group_id, metric or "", version)
    while found.version != version:  # it is stale: the newer one is delayed
        await asyncio.sleep(RETRY_S)
        found = await _rendered(settings, group_id, metric or "", version)
    return found


async def keep_result_at_end(settings: Settings, run_id: str) -> None:
    """Compute the result of a run's group, if this run was the last one to end; never raises."""
    try:
        group_id = await run_in_threadpool(_ended_group, settings, run_id)
        if group_id is not None:
            await result_of_ended(settings, group_id)
    except PlimsollError as error:
        logger.info("the result of the group of run %s was not computed: %s", run_id, error)
    except Exception:
        # A group that cannot be shown must not hold up the messages about later runs.
        logger.exception("the result of the group of run %s was not computed", run_id)


def _ended_group(settings: Settings, run_id: str) -> str | None:
    with session_scope(settings) as session:
        return group_results.ended_group_of(session, run_id)


def forget(settings: Settings, group_id: str) -> None:
    """Remove a group's results from the memory."""
    _cache(settings).forget(group_id)


async def _rendered(settings: Settings, group_id: str, metric: str, version: Version) -> Rendered:
    def build() -> tuple[Version, bytes]:
        found = _version(settings, group_id)
        return found, build_hosts_result(read_group(settings, group_id), metric).model_dump_json().encode()

    kept = _cache(settings).kept((group_id, metric), version)
    if kept is None and version.ended:
        kept = await run_in_threadpool(_stored, settings, (group_id, metric), version)
    if kept is not None:
        return kept
    found = await run_in_threadpool(_cache(settings).find, (group_id, metric), version, build)
    return found if isinstance(found, Rendered) else await asyncio.wrap_future(found)


def _stored(settings: Settings, key: Key, version: Version) -> Rendered | None:
    group_id, metric = key
    with session_scope(settings) as session:
        gzipped = group_results.find(session, group_id, metric or "", version.digest, program_revision())
    if gzipped is None:
        return None
    body = gzip.decompress(gzipped)
    found = Rendered(body, gzipped, etag_of(body), version, time.monotonic(), 0.0)
    _cache(settings).put(key, found)
    return found


def _store(settings: Settings, key: Key, found: Rendered) -> None:
    """Store the result of an ended group; never raises."""
    group_id, metric = key
    if not found.version.ended:
        return
    try:
        with session_scope(settings) as session:
            group_results.keep(
                session, group_id, metric or "", found.version.digest, program_revision(), found.gzipped
            )
    except PlimsollError as error:
        logger.info("the result of %s was not stored: %s", group_id, error)


def _version(settings: Settings, group_id: str) -> Version:
    with session_scope(settings) as session:
        found = group_results.version(session, group_id)
    return Version(0, found.ended, TRIALS_OF_RUN * found.runs, digest=found.digest)


@lru_cache(maxsize=4)
def _cache(settings: Settings) -> ResultCache:
    return ResultCache(
        window_budget(settings),
        settings.result_every_s,
        lambda key, found: _store(settings, key, found),
        KEPT_BYTES,
    )
