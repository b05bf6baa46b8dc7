"""The HTML report: one file, nothing to fetch, nothing that runs, every text as text."""

from __future__ import annotations

import re
from html.parser import HTMLParser

from backend.core.chart.build import build_chart
from backend.core.chart.text.table import build_table
from backend.core.export.html import Figure, report
from backend.core.export.markdown import markdown
from tests.core.chart.runs import made_up
from tests.core.export.runs import HOSTILE, hostile_run

FIGURES = (Figure("Dots & more", "<svg><g></g></svg>", "<svg><g></g></svg>"),)


class Reader(HTMLParser):
    """Collects tags, attributes and texts, and whether every tag is closed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.open: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.text = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def test_it_needs_nothing_and_runs_nothing() -> None:
    text = report(build_chart(hostile_run()), FIGURES)
    found = Reader(text)
    assert found.open == []
    assert not {"script", "link", "iframe", "img", "object", "form"} & set(found.tags)
    names = {name for name, _ in found.attributes}
    assert not {"src", "href"} & names and not [name for name in names if name.startswith("on")]
    assert ("http-equiv", "Content-Security-Policy") in found.attributes
    assert not re.search(r"url\(|@import|https?://(?!www\.w3\.org)", text.partition("<body>")[0])
    assert "$" not in re.sub(r"\$[0-9]", "", text)


def test_every_figure_of_the_table_is_in_it() -> None:
    model = build_chart(made_up())
    found = Reader(report(model, FIGURES)).text
    for row in build_table(model).rows:
        assert all(word in found for word in row.texts)
    assert model.headline in found and "Dots & more" in found
    assert all(check.sentence in found for check in (*model.duplicates, *model.drifts))
    assert model.study is not None and all(claim.text in found for claim in model.study.claims)
    assert "6.1" in found


def test_hostile_texts_are_texts() -> None:
    model = build_chart(hostile_run())
    text = report(model, ())
    assert "<script>" not in text and HOSTILE in Reader(text).text
    assert "<script>" not in markdown(model).split("\n")[0]


def test_a_run_that_has_not_ended_says_so() -> None:
    assert "Provisional" in report(build_chart(hostile_run("running")), ())
    assert "Provisional" not in report(build_chart(hostile_run()), ())
    assert "Provisional" in markdown(build_chart(hostile_run("running")))
