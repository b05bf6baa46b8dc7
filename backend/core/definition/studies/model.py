"""A published study: its figures, settings, and claims in a form that a run can be compared with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from backend.core.definition.factors import Level

HIGHEST: Final = "highest"
"""As a level of a claim's cell: the highest level of the factor that the run has with the other levels."""

Levels = Mapping[str, Level]
Role = Literal["client", "server", "proxy", "kernel", "other"]


@dataclass(frozen=True)
class PublishedFigure:
    """The published values of one cell by metric, in the units of the metrics."""

    levels: Levels
    values: Mapping[str, float]


@dataclass(frozen=True)
class RatioClaim:
    """A claim on the ratio of one cell's metric to another's: `at_most` or `at_least` is its direction.

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
    """A claim that the values of all named cells differ by at most the fraction `within`."""

    text: str
    cells: tuple[Levels, ...]
    within: float
    metric: str = "tps"


@dataclass(frozen=True)
class RoleClaim:
    """A claim on the CPU cores that one role uses in a cell: at least, at most.

    With `per` the bounds are multiples of the cores of that role in the same trial.
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
    """A claim that the busiest of equal processes uses at least `at_least` times its equal share of CPU.

    `process` is their name in the record; `count` is the factor that sets their number.
    """

    text: str
    cell: Levels
    process: str
    count: str
    at_least: float


@dataclass(frozen=True)
class UntestedClaim:
    """A claim that Plimsoll cannot test, with the reason."""

    text: str
    reason: str


StudyClaim = RatioClaim | ClosenessClaim | RoleClaim | SpreadClaim | UntestedClaim


@dataclass(frozen=True)
class PublishedStudy:
    """One study. `settings` are the levels common to all of its figures.

    `title`, `author` and `year` attribute it; `medium` is where it was published.
    """

    name: str
    title: str
    author: str
    year: int
    environment: str
    settings: Levels
    figures: tuple[PublishedFigure, ...]
    claims: tuple[StudyClaim, ...]
    medium: str = "blog post"

    @property
    def citation(self) -> str:
        """Author, title, medium and year in one line."""
        return f"{self.author}, “{self.title}”, {self.medium}, {self.year}"
