"""Markdown: what a person or a tool wrote is plain text in it."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.cli import run_comparison_table
from backend.core.chart.build import build_chart
from backend.core.chart.compare_runs.run_comparison import compare_runs
from backend.core.chart.compare_runs.run_comparison_model import EnvironmentDifference
from backend.core.chart.model.chart_model import ChartModel
from backend.core.chart.text.plain_text import plain
from backend.core.export.markdown import markdown
from backend.core.sample.notice import Notice
from tests.core.chart.compare_runs.two_runs import one
from tests.core.chart.runs import failed, is_cell, made_up

BAD = "<img src=x>\n\n# h\r\n| [a](http://b.c) ![i](j) *x* `y` &lt; | www.d.e"
SHOWN = r"\<img src=x\> \# h \| \[a](http\://b.c) !\[i](j) \*x\* \`y\` \&lt; \| www\.d.e"
ACTIVE = re.compile(r"(?<!\\)(?:\\\\)*(<[a-z/!]|`|&lt;|\]\(http:|\*x|www\.|!\[)")
"""What would be interpreted: a tag, code, an entity, a link, emphasis, an address, an image."""


def model_of_bad_texts() -> ChartModel:
    """A run in which every text from outside is BAD."""
    data = made_up(
        change=lambda row, cell: (
            failed(row, detail=BAD)
            if is_cell(cell, "published_loopback", True)
            else replace(row, notices=(Notice("odd", BAD),))
        )
    )
    model = build_chart(replace(data, environment={"host": BAD, "kernel": BAD, "cpu": "Xeon"}), complete=True)
    changes = {"title": BAD, "headline": BAD, "warnings": (*model.warnings, BAD)}
    return model.model_copy(update=changes)


def test_a_run_of_bad_texts_is_a_run_of_plain_ones() -> None:
    model = model_of_bad_texts()
    text = markdown(model)
    assert ACTIVE.findall(text) == []
    lines = text.splitlines()
    assert lines[0] == f"## {SHOWN}" and lines[2] == f"**{SHOWN}**"
    assert f"- Warning: {SHOWN}" in lines
    assert f"host: {SHOWN}; cpu: Xeon; kernel: {SHOWN}." in lines
    rows = [line for line in lines if line.startswith("|")]
    assert len(rows) == 2 + len(model.cells)
    assert len({len(re.findall(r"(?<!\\)\|", row)) for row in rows}) == 1
    assert sum(row.endswith(f"trials failed: timeout: {SHOWN} |") for row in rows) == 1


def test_a_comparison_of_bad_texts_is_one_of_plain_ones() -> None:
    model = compare_runs(one(), one("run_b", scale=0.8, noise_seed=1))
    bad = EnvironmentDifference(key=BAD, a=BAD, b=None, relevance="minor", remark=BAD)
    table = model.tables[0]
    row = table.rows[0].model_copy(update={"label": BAD, "sentence": BAD})
    spoiled = model.model_copy(
        update={
            "a": model.a.model_copy(update={"title": BAD, "host": BAD}),
            "reasons": (BAD,),
            "differences": (bad,),
            "warnings": (BAD,),
            "tables": (table.model_copy(update={"headline": BAD, "rows": (row,)}),),
        }
    )
    text = run_comparison_table.markdown(spoiled)
    assert ACTIVE.findall(text) == []
    lines = text.splitlines()
    assert lines[0].endswith(f"** {SHOWN}") and f"- {SHOWN}" in lines
    assert f"- A: {SHOWN} (run_a on {SHOWN}, 2026-11-20 10:00 UTC)" in lines
    assert f"| {SHOWN} | minor | {SHOWN} | – | {SHOWN} |" in lines
    (cells,) = [re.split(r"(?<!\\)\|", line) for line in lines if line.startswith(f"| {SHOWN} (baseline) ")]
    assert len(cells) == 9 and cells[-2].strip() == SHOWN


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Same container, userland-proxy on is 17.3 % slower (95 % CI −18.0 % to −16.6 %)", None),
        ("0.98× [0.97, 1.02], n = 10", None),
        ("ratio(tps, baseline) >= 0.9 and p <= 0.05: fail.", None),
        ("", ""),
        ("a_b _c_ d__e", r"a_b \_c\_ d\_\_e"),
        ("1. a", r"1\. a"),
        ("1.5 µs", None),
        ("- a", r"\- a"),
        ("-1", None),
        ("> a", r"\> a"),
        ("# a", r"\# a"),
        ("[ ] a", r"\[ ] a"),
        ("[1](u) [1]: u [1, 2][3]", r"\[1](u) \[1]: u \[1, 2][3]"),
        ("a\\|b", r"a\\\|b"),
        ("a\u2028b\tc\n d", "a b c d"),
        ("https://a.b", r"https\://a.b"),
        ("WWW.a.b", r"WWW\.a.b"),
        ("me@a.b", "me\\@\u2060a.b"),
        ("thanks @me", "thanks \\@\u2060me"),
        ("image@sha256:0a", r"image\@sha256:0a"),
        ("&amp; <b> </b> <!-- <3", r"\&amp; \<b\> \</b\> \<!-- \<3"),
    ],
)
def test_what_would_be_interpreted_has_a_backslash_and_nothing_else(text: str, shown: str | None) -> None:
    assert plain(text) == (text if shown is None else shown)


@given(st.text(max_size=60))
def test_without_its_backslashes_it_is_the_same_text_on_one_line(text: str) -> None:
    shown = plain(text)
    assert re.sub(r"\\(.)", r"\1", shown).replace("\u2060", "") == " ".join(text.split()).replace(
        "\u2060", ""
    )
    assert len(shown.splitlines()) <= 1
