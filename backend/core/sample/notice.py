"""Notices: what a reader must know about the figures of one trial, as values rendered in one place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

UNSTEADY: Final = "not steady"
"""Kind of the notice of a trial whose rate changed within its window."""


@dataclass(frozen=True)
class Notice:
    """One reading that qualifies the figures of a trial.

    `kind` is a fixed title, unique among all notices: results group by it. `figures` states the reading in
    words, `advice` what to do about it; either is empty where there is none.
    """

    kind: str
    figures: str = ""
    advice: str = ""

    def __str__(self) -> str:
        """One line of text, "kind: figures; advice": how exports and v1 of the REST API show a notice."""
        advice = f"; {self.advice}" if self.advice else ""
        return f"{self.kind}: {self.figures}{advice}" if self.figures or advice else self.kind

    @classmethod
    def from_text(cls, text: str) -> Notice:
        """The notice of a record stored as text only, before records kept notices as values."""
        kind, _, rest = text.partition(": ")
        figures, _, advice = rest.partition("; ")
        return cls(kind, figures, advice)
