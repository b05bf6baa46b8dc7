"""The report for paper: its question, what it leaves out, where it can be checked, always light."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from backend.core.chart.build import build_chart
from backend.core.chart.cells.inputs import ChartInput
from backend.core.export import printed_report as printed_report_module
from backend.core.export.html import Figure
from backend.core.export.printed_report import RunFacts, printed_report
from tests.core.chart.runs import made_up
from tests.core.export.runs import hostile_run
from tests.core.export.test_html import Reader

ABOUT = RunFacts(
    "https://plimsoll.example/runs/run_1",
    datetime(2026, 11, 20, 10, tzinfo=UTC),
    datetime(2026, 11, 20, 11, 30, tzinfo=UTC),
)
FIGURES = (Figure("Dots", "<svg><g></g></svg>", ""),)


def printed(data: ChartInput) -> str:
    return printed_report(build_chart(data), data, FIGURES, ABOUT, "ab" * 32)


def test_it_has_the_question_and_where_it_can_be_checked() -> None:
    data = made_up()
    found = Reader(printed(data)).text
    model = build_chart(data)
    assert found.index("Question") < found.index("Where it can be checked") < found.index("Result")
    assert data.experiment.title in found and model.headline in found
    assert "https://plimsoll.example/runs/run_1" in found and "ab" * 32 in found
    assert "2026-11-20 10:00:00 UTC to 2026-11-20 11:30:00 UTC" in found
    assert "None: every trial that ended is in the statistics." in found


def test_it_is_light_in_a_dark_browser_and_made_for_a4() -> None:
    text = printed(made_up())
    assert "prefers-color-scheme" not in text and '<meta name="color-scheme" content="light">' in text
    assert 'class="dark"' not in text
    assert "size: A4" in text and "table-header-group" in text and "break-inside: avoid" in text


def test_each_trial_left_out_has_its_reason() -> None:
    data = made_up()
    first, second, third, *others = data.trials
    trials = (
        replace(first, excluded="the switch was replaced"),
        replace(
            second, metrics=None, state="failed", failure_code="timeout", failure_detail="no answer in 30 s"
        ),
        replace(third, contaminated=("steal of 12 %",)),
        *others,
    )
    found = Reader(printed(replace(data, trials=trials))).text
    assert "excluded by hand: the switch was replaced" in found
    assert "failed: no answer in 30 s" in found and "disturbed by the host: steal of 12 %" in found
    assert "Reasons: 3; these trials are in no statistic." in found


def test_a_long_list_of_them_is_cut_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(printed_report_module, "MOST_EXCLUSIONS", 20)
    data = made_up()
    trials = tuple(replace(row, excluded="all of them") for row in data.trials)
    found = Reader(printed(replace(data, trials=trials))).text
    listed, more, _ = found.partition(f"And {len(trials) - 20} more")
    assert more and listed.count("excluded by hand: all of them") == 20


def test_no_page_ends_with_the_head_of_a_table() -> None:
    rules = printed(made_up()).partition("@media print")[2]
    assert "caption, thead { break-after: avoid; } tbody tr:first-child { break-before: avoid; }" in rules


def svg(width: int, height: int) -> str:
    return f'<svg class="marks" width="{width}" height="{height}" viewBox="0 0 1 1"></svg>'


@pytest.mark.parametrize(
    ("width", "height", "fits"),
    [(700, 400, False), (700, 1300, True), (1400, 2100, True), (700, 3000, False)],
)
def test_a_chart_that_is_a_little_higher_than_a_page_is_printed_on_one(
    width: int, height: int, fits: bool
) -> None:
    data = made_up()
    text = printed_report(build_chart(data), data, [Figure("", svg(width, height), "")], ABOUT, "")
    assert ('<figure class="one-page">' in text) == fits
    assert ".one-page svg { max-height: 250mm; }" in text.partition("@media print")[2]


def test_texts_of_users_are_no_markup() -> None:
    found = Reader(printed(hostile_run()))
    assert not {"script", "img", "iframe"} & set(found.tags) and found.open == []
