"""What a published study says: figures, settings, and claims in a form that a run can be held against."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from backend.core.definition.factors import Level

HIGHEST: Final = "highest"
"""As a level of a claim's cell: the highest level of this factor that the run has beside the others."""

Levels = Mapping[str, Level]
Role = Literal["client", "server", "proxy", "kernel", "other"]


@dataclass(frozen=True)
class PublishedFigure:
    """The figures printed for one cell, by names of metrics, in the metrics' units."""

    levels: Levels
    values: Mapping[str, float]


@dataclass(frozen=True)
class RatioClaim:
    """One cell's metric over another's: `at_most` or `at_least` is the direction that is claimed.

    `size` is the ratio that the study claims ("about 40 %" slower is 0.6), on both sides within `tolerance`;
    None where it names no size.
    """

    text: str
    cell: Levels
    against: Levels
    at_most: float | None = None
    at_least: float | None = None
    size: float | None = None
    tolerance: float = 0.0
    metric: str = "tps"


@dataclass(frozen=True)
class ClosenessClaim:
    """All the named cells lie within a fraction `within` of each other."""

    text: str
    cells: tuple[Levels, ...]
    within: float
    metric: str = "tps"


@dataclass(frozen=True)
class RoleClaim:
    """One role takes at least and at most so many cores in a cell.

    Where another role is named in `per`, it takes so many times the cores of that role in the same trial.
    `size` and `tolerance` as in RatioClaim.
    """

    text: str
    cell: Levels
    role: Role
    at_least: float | None = None
    at_most: float | None = None
    size: float | None = None
    tolerance: float = 0.0
    per: Role | None = None


@dataclass(frozen=True)
class SpreadClaim:
    """Of equal processes, the busiest takes at least so many times the CPU that an even spread would give it.

    `process` is the name that they have in the record; `count` names the factor that says how many there are.
    """

    text: str
    cell: Levels
    process: str
    count: str
    at_least: float


@dataclass(frozen=True)
class UntestedClaim:
    """A claim that Plimsoll cannot hold against a run, and why."""

    text: str
    reason: str


StudyClaim = RatioClaim | ClosenessClaim | RoleClaim | SpreadClaim | UntestedClaim


@dataclass(frozen=True)
class PublishedStudy:
    """One study. `settings` held for all of its figures; `baseline` are the levels of its own reference.

    `title`, `author` and `year` attribute it; `medium` says where it appeared.
    """

    name: str
    title: str
    author: str
    year: int
    environment: str
    settings: Levels
    figures: tuple[PublishedFigure, ...]
    baseline: Levels
    claims: tuple[StudyClaim, ...]
    medium: str = "blog post"

    @property
    def citation(self) -> str:
        """Author, title, medium and year in one line."""
        return f"{self.author}, “{self.title}”, {self.medium}, {self.year}"

    def ratio(self, figure: PublishedFigure, metric: str) -> float | None:
        """A printed figure over that of the study's own baseline beside the same other levels."""
        reference = {**figure.levels, **self.baseline}
        own = figure.values.get(metric)
        other = next((f.values.get(metric) for f in self.figures if dict(f.levels) == reference), None)
        return own / other if own is not None and other else None
