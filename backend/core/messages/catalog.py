"""The English template of each message, by id: the source of the page's `messages/en/warnings.ts`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from backend.core.messages.comparisons import COMPARISONS
from backend.core.messages.runs import RUNS
from backend.core.messages.sweeps import SWEEPS
from backend.core.messages.thresholds import THRESHOLDS

TOPICS: Final[tuple[Mapping[str, str], ...]] = (COMPARISONS, RUNS, SWEEPS, THRESHOLDS)
TEMPLATES: Final = {id_: text for topic in TOPICS for id_, text in topic.items()}
