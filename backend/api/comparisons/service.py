"""Comparison of two stored runs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from sqlalchemy.orm import Session

from backend.api.compared_runs import compared_runs
from backend.api.comparisons.kept import KeptComparisons, RunVersion
from backend.core.chart.cells.run_cells import by_cell
from backend.core.chart.compare_runs.compared_cells import cells_with_every_metric
from backend.core.chart.compare_runs.run_centres import RunCentres, centres_of, from_json, to_json
from backend.core.chart.compare_runs.run_comparison import RunComparisonQuery, compare_runs
from backend.core.chart.compare_runs.run_comparison_model import RunComparison
from backend.program_revision import program_revision
from backend.settings import Settings
from backend.store.repositories import derived, result_rows
from backend.store.repositories.chart_inputs import read_figures
from backend.store.repositories.derived import RunDocument
from backend.store.repositories.other_runs import other_runs
from backend.store.session import session_scope


@dataclass(frozen=True)
class Earlier:
    """A further run of the compared experiments."""

    host: str
    centres: RunCentres


def compare(settings: Settings, a: str, b: str, query: RunComparisonQuery) -> RunComparison:
    """Compare run `b` with run `a`. Raises NotFound for a run or cell, Invalid for a metric."""
    return _needed(settings, a, b, query).comparison()


OtherVersions = tuple[tuple[str, int, int], ...]
"""Each further run with its last event and exclusion."""
_Key = tuple[str, str, RunComparisonQuery, tuple[RunVersion, ...], OtherVersions]
"""The compared runs, the query, the versions of both, and the further runs."""


@dataclass(frozen=True)
class Needed:
    """A comparison that has to be computed, with everything that it depends on."""

    settings: Settings
    key: _Key
    others: Sequence[RunDocument]

    def compute(self) -> bytes:
        """The comparison as JSON, kept in memory where both runs have ended. Raises as `compare` does."""
        body = self.comparison().model_dump_json().encode()
        if all(ended for _event, ended, _trials, _exclusion in self.key[3]):
            kept_of(self.settings).put(self.key, body)
        return body

    def comparison(self) -> RunComparison:
        """The comparison. Raises as `compare` does."""
        a, b, query, versions, _ = self.key
        ended = {run_id: version[1] for run_id, version in zip((a, b), versions, strict=True)}
        with session_scope(self.settings) as session:
            runs = compared_runs(session, ended, query.metric)
        return compare_runs(runs[a], runs[b], query, [earlier(self.settings, one) for one in self.others])


def find(settings: Settings, a: str, b: str, query: RunComparisonQuery) -> bytes | Needed:
    """The comparison as JSON if it is kept, else what has to be computed. Raises NotFound."""
    needed = _needed(settings, a, b, query)
    return kept_of(settings).find(needed.key) or needed


def _needed(settings: Settings, a: str, b: str, query: RunComparisonQuery) -> Needed:
    with session_scope(settings) as session:
        versions = tuple(result_rows.version(session, run_id) for run_id in (a, b))
        others = others_of(session, a, b)
    return Needed(settings, (a, b, query, versions, versions_of(others)), others)


def versions_of(others: Iterable[RunDocument]) -> OtherVersions:
    """The further runs with their versions, sorted."""
    return tuple(sorted((one.run_id, one.made.event_id, one.made.exclusion) for one in others))


def others_of(session: Session, a: str, b: str) -> list[RunDocument]:
    """Further runs of the experiments on the hosts of two runs, in a fixed order."""
    if a == b:
        return []
    ids = other_runs(session, (a, b))
    found = {one.run_id: one for one in derived.find_all(session, ids, "centres", program_revision())}
    return [found[id_] for id_ in ids]


def earlier(settings: Settings, one: RunDocument) -> Earlier:
    """Its centres; those that are not known are computed and kept. Raises NotFound if it was deleted."""
    if one.body is not None:
        return Earlier(one.host, from_json(one.body))
    with session_scope(settings) as session:
        centres = centres_of(cells_with_every_metric(by_cell(read_figures(session, one.run_id))))
        derived.keep(session, one.run_id, "centres", one.made, to_json(centres))
    return Earlier(one.host, centres)


@lru_cache(maxsize=4)
def kept_of(_settings: Settings) -> KeptComparisons:
    """The comparisons that this process keeps."""
    return KeptComparisons()
