"""The noise of a host, computed again only after a run on it ended or was deleted, or an exclusion."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Any, Final

from pydantic import ValidationError
from sqlalchemy.orm import Session

from backend.api.hosts.detail_schemas import (
    Bounds,
    HostNoise,
    LoadSpread,
    NoiseMedian,
    NoiseShare,
    NoiseSpread,
)
from backend.core.statistics.host_noise import HostSpread, host_spread, share, spread_sentence
from backend.core.statistics.median import median_interval
from backend.program_revision import program_revision
from backend.store.repositories import host_noise
from backend.store.repositories.host_noise import Measured
from backend.store.repositories.hosts import KnownHost

AT_ONCE: Final = 4
"""Hosts whose noise one list computes again: some 10 ms each."""


def of_host(session: Session, host: KnownHost) -> HostNoise:
    """The kept figures while they are those of the host's ended runs, else new ones, which are kept."""
    measured = host_noise.measured(session, host.id)
    made = _made(measured)
    kept = host.measured or {}
    if kept.get("made") == made:
        try:
            return HostNoise.model_validate(kept.get("noise"))
        except ValidationError:
            pass  # another program wrote it: computed again
    found = _compute(session, host.id, measured)
    host_noise.keep(session, host.id, {"made": made, "noise": found.model_dump(mode="json")})
    return found


def scores(session: Session, known: Sequence[KnownHost]) -> dict[str, float | None]:
    """The spread of one trial on each host by its id; of at most AT_ONCE hosts it is computed again.

    The kept one of further hosts may be older than their last run, until the next call.
    """
    measured = host_noise.measured_of_all(session)
    found: dict[str, float | None] = {}
    left = AT_ONCE
    for host in known:
        own = measured.get(host.id)
        if own is None or left == 0 or (host.measured or {}).get("made") == _made(own):
            found[host.id] = kept_score(host)
            continue
        left -= 1
        found[host.id] = of_host(session, host).score.spread
    return found


def kept_score(host: KnownHost) -> float | None:
    """The kept spread of one trial, which may be older than the last run; None where there is none."""
    try:
        return HostNoise.model_validate((host.measured or {}).get("noise")).score.spread
    except ValidationError:
        return None


def _made(measured: Measured) -> dict[str, Any]:
    last = None if measured.last_end is None else measured.last_end.isoformat()
    return asdict(measured) | {"last_end": last, "program": program_revision()}


def _compute(session: Session, host_id: str, measured: Measured) -> HostNoise:
    loads = host_noise.pairs(session, host_id)
    qualities = host_noise.qualities(session, host_id)
    return HostNoise(
        score=NoiseSpread(**_spread(host_spread([pair for load in loads for pair in load.pairs]))),
        loads=tuple(
            LoadSpread(
                tool=load.tool, service=load.service, metric=load.metric, **_spread(host_spread(load.pairs))
            )
            for load in loads
        ),
        repeated=_share(qualities, lambda quality: quality.get("takes", 1) > 1),
        contaminated=_share(qualities, lambda quality: bool(quality.get("contaminated"))),
        gave_up=_share(qualities, lambda quality: bool(quality.get("not_quiet"))),
        waited_s=_median([quality.get("waited_seconds") for quality in qualities]),
        steal=_median([(quality.get("readings") or {}).get("steal") for quality in qualities]),
        until=measured.last_end,
    )


def _spread(found: HostSpread) -> dict[str, Any]:
    return {
        "spread": found.spread,
        "interval": _bounds(found.low, found.high),
        "pairs": found.pairs,
        "runs": found.runs,
        "sentence": spread_sentence(found),
    }


def _share(qualities: Sequence[dict[str, Any]], is_one: Callable[[dict[str, Any]], bool]) -> NoiseShare:
    found = share(sum(map(is_one, qualities)), len(qualities))
    return NoiseShare(count=found.count, n=found.n, interval=_bounds(found.low, found.high))


def _median(values: Sequence[float | None]) -> NoiseMedian | None:
    known = [value for value in values if value is not None]
    if not known:
        return None
    found = median_interval(known)
    return NoiseMedian(n=found.n, median=found.median, interval=_bounds(found.low, found.high))


def _bounds(low: float | None, high: float | None) -> Bounds | None:
    return None if low is None or high is None else Bounds(low=low, high=high)
