"""What a published study says: figures, settings, and claims in a form that a run can be held against."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from backend.core.definition.factors import Level

Figures = dict[tuple[str, bool], "PublishedFigure"]


@dataclass(frozen=True)
class PublishedFigure:
    """The figures printed for one cell. `tps` excludes the time of connecting; latency in ms."""

    tps: float
    tps_including_connections: float
    latency_avg_ms: float | None


@dataclass(frozen=True)
class RatioClaim:
    """One cell's median metric is at most `at_most` times another's."""

    text: str
    cell: dict[str, Level]
    against: dict[str, Level]
    at_most: float
    metric: str = "tps"


@dataclass(frozen=True)
class ClosenessClaim:
    """All the named cells lie within a fraction `within` of each other."""

    text: str
    cells: tuple[dict[str, Level], ...]
    within: float
    metric: str = "tps"


@dataclass(frozen=True)
class RoleClaim:
    """One role takes at least `at_least` cores in a cell."""

    text: str
    cell: dict[str, Level]
    role: Literal["client", "server", "proxy", "kernel", "other"]
    at_least: float


StudyClaim = RatioClaim | ClosenessClaim | RoleClaim


@dataclass(frozen=True)
class PublishedStudy:
    """One study. `figures` are keyed by (path, userland_proxy); `settings` held for all of them."""

    name: str
    title: str
    citation: str
    environment: str
    settings: dict[str, Level]
    figures: Figures
    baseline: tuple[str, bool]
    claims: tuple[StudyClaim, ...]

    def ratio(self, path: str, userland_proxy: bool) -> float:
        """The cell's printed tps over that of the study's own baseline."""
        return self.figures[path, userland_proxy].tps / self.figures[self.baseline].tps
