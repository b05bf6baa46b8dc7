"""The one-character sign of each verdict, the same as on the page (frontend components/stateLabels.ts)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from backend.core.messages.message import joined, message
from backend.core.statistics.verdict import VerdictKind

MARKS: Final[dict[VerdictKind, tuple[str, str]]] = {
    "better": ("▲", "better"),
    "worse": ("▼", "worse"),
    "different_within_margin": ("≈", "equal"),
    "equivalent": ("≈", "equal"),
    "no_difference_shown": ("~", "no answer"),
    "not_enough_rounds": ("~", "no answer"),
    "undefined": ("~", "no answer"),
}
"""Sign and word of each verdict: one of four."""


def explained(kinds: Iterable[VerdictKind]) -> str:
    """The signs that are in use, each with its word: "▼ worse, ~ no answer"."""
    used = {*kinds}
    signs = dict.fromkeys(pair for kind, pair in MARKS.items() if kind in used)
    return joined((message("pictureSign", sign=sign, word=word) for sign, word in signs), "comma")
