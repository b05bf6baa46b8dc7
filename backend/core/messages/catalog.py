"""The English template of each message, by id: the source of the page's `warnings` and `betweenRuns`.

Those of reports and pictures are the source of `report`, which no answer has: only files are written with it.
No answer has those of `waits` either: the page and the terminal make them from events and hosts.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from backend.core.messages.between_hosts import BETWEEN_HOSTS
from backend.core.messages.between_runs import BETWEEN_RUNS
from backend.core.messages.comparisons import COMPARISONS
from backend.core.messages.methods import METHODS
from backend.core.messages.pictures import PICTURES
from backend.core.messages.reports import REPORTS
from backend.core.messages.runs import RUNS
from backend.core.messages.sweeps import SWEEPS
from backend.core.messages.thresholds import THRESHOLDS
from backend.core.messages.waits import WAITS

TOPICS: Final[tuple[Mapping[str, str], ...]] = (COMPARISONS, RUNS, SWEEPS, THRESHOLDS)
TOPICS_BETWEEN: Final[tuple[Mapping[str, str], ...]] = (BETWEEN_RUNS, BETWEEN_HOSTS)
"""Those about several runs: a namespace of their own on the page."""
TOPICS_OF_REPORTS: Final[tuple[Mapping[str, str], ...]] = (REPORTS, PICTURES, METHODS)
WITHIN_RUNS: Final = {id_: text for topic in TOPICS for id_, text in topic.items()}
BETWEEN: Final = {id_: text for topic in TOPICS_BETWEEN for id_, text in topic.items()}
OF_REPORTS: Final = {id_: text for topic in TOPICS_OF_REPORTS for id_, text in topic.items()}
TEMPLATES: Final = WITHIN_RUNS | BETWEEN | OF_REPORTS | WAITS
