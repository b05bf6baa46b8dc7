"""The part of the ChartModel that answers the run's question in one sentence."""

from __future__ import annotations

from typing import Literal

from backend.core.chart.model.model_base import Part
from backend.core.messages.message import MessageParts, Sentence, WithMessages

Outcome = Literal["worse", "better", "equal", "no_answer"]


class Answer(Part, WithMessages):
    """The answer to the question that the experiment asks, of at most 20 words, with its details.

    `question` is "each" where the levels of `factor` are compared with everything else equal, and "baseline"
    where cells are compared with one that differs in more. The sentence quotes the comparison of `metric` in
    cell `cell_id`, the largest of those that show a difference; null where none does. `detail` has its
    interval and how the others came out. `worse`, `better`, `equal` (within the margin) and `no_answer` count
    the comparisons; `lost` of the last ones cannot be made, or lack trials that were lost.

    A difference that is shown is an answer, however many comparisons have none: its interval holds over all
    that were tested. "equal" needs every comparison.
    """

    question: Literal["each", "baseline"]
    factor: str | None
    metric: str
    outcome: Outcome
    sentence: Sentence
    message: MessageParts | None = None
    detail: Sentence | None = None
    detail_message: MessageParts | None = None
    cell_id: str | None = None
    worse: int = 0
    better: int = 0
    equal: int = 0
    no_answer: int = 0
    lost: int = 0
