"""The preview of a link says the answer of its result."""

from __future__ import annotations

import gzip
import json

from hypothesis import given, settings

from backend.api.shares.unfurl import LONGEST_TEXT, preview
from backend.core.chart.build import build_chart
from tests.core.chart.made_up_results import Shape, shapes


@settings(max_examples=50)
@given(shape=shapes())
def test_a_preview_is_the_answer(shape: Shape) -> None:
    model = build_chart(shape.run())
    shared = {"title": "Shared", "chart": json.loads(model.model_dump_json())}
    assert model.answer is not None and len(model.answer.sentence) <= LONGEST_TEXT
    assert preview(gzip.compress(json.dumps(shared).encode())).verdict == model.answer.sentence
