"""Reports and pictures in Chinese: no English sentence is left, and English is what it was."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from backend.core.chart.build import build_chart
from backend.core.chart.cells.inputs import ChartInput
from backend.core.chart.model.chart_model import ChartModel
from backend.core.chart.panels.build_panels import build_panels
from backend.core.errors import Invalid
from backend.core.export.html import Figure, report
from backend.core.export.methods import METHODS
from backend.core.export.pictures.frame import within_report
from backend.core.export.pictures.kinds import Picture, captions, spec
from backend.core.export.pictures.panels import PANEL_KINDS, panel_picture
from backend.core.export.printed_report import RunFacts, printed_report
from backend.core.messages.language import Language, language_named, writing_in
from backend.core.messages.message import message, named, parts_of, with_parts
from backend.core.messages.translation import CHINESE, Written, said
from scripts.chinese_texts import written
from tests.core.chart.runs import made_up, study_experiment
from tests.core.export.runs import HOSTILE, hostile_run
from tests.core.export.test_html import Reader

ABOUT = RunFacts("https://plimsoll.example/runs/run_1", datetime(2026, 11, 20, 10, tzinfo=UTC))
THREE_WORDS = re.compile(r"[a-z]{2,} [a-z]{2,} [a-z]{2,}", re.IGNORECASE)
"""The rule of the walk over the page: tests/browser/pages."""


def left_out() -> ChartInput:
    """A run with a trial for each reason that keeps it out of the statistics."""
    data = made_up()
    first, second, third, fourth, *others = data.trials
    trials = (
        replace(first, excluded="by hand"),
        replace(second, metrics=None, state="failed", failure_code=None, failure_detail=None),
        replace(third, contaminated=("steal of 12 %",)),
        replace(fourth, evidence="not_proven"),
        *others,
    )
    return replace(data, trials=trials, environment={"host": "bench-a", "cpu governor": "schedutil"})


RUNS = {"plain": made_up(), "hostile": hostile_run(), "running": hostile_run("running"), "left": left_out()}


def names_of(model: ChartModel) -> list[str]:
    """Texts that somebody wrote: they are the same in every language."""
    found = [model.title, HOSTILE, *(method.source for method in METHODS)]
    if model.study is not None:
        found += [f"{model.study.citation}. {model.study.environment}."]
        found += [claim.text for claim in model.study.claims]
    return sorted(filter(None, found), key=len, reverse=True)


def english_in(text: str, model: ChartModel) -> list[str]:
    for name in names_of(model):
        text = text.replace(name, "·")
    return THREE_WORDS.findall(text)


def files(data: ChartInput, language: Language) -> tuple[str, str]:
    """The report for paper and the HTML file."""
    model = build_chart(data)
    with writing_in(language):
        figures = [Figure(caption, "<svg></svg>", "<svg></svg>") for _, caption in captions(model)]
        return printed_report(model, data, figures, ABOUT, "ab" * 32), report(model, figures)


def pictures(data: ChartInput, language: Language) -> Iterator[dict[str, Any]]:
    model = build_chart(data)
    with writing_in(language):
        for kind in ("dots", "roles", "ladder", "heatmap", "facets"):
            drawn = spec(model, Picture(kind=kind, unit="us_per_txn", scale="own"))
            yield drawn
            yield within_report(drawn, model)
        for kind in PANEL_KINDS:
            if kind != "sweep":
                yield panel_picture(model, build_panels(data), kind, "light")


def texts_of(value: Any) -> Iterator[str]:
    """Every text of a specification; lines of one text are joined."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list) and value and all(isinstance(item, str) for item in value):
        yield from (" ".join(value), *value)
    elif isinstance(value, list | dict):
        for item in value.values() if isinstance(value, dict) else value:
            yield from texts_of(item)


@pytest.mark.parametrize("name", RUNS)
def test_a_chinese_report_has_no_english_sentence(name: str) -> None:
    data = RUNS[name]
    model = build_chart(data)
    for text in files(data, "zh"):
        assert '<html lang="zh-Hans">' in text
        shown = Reader(re.sub(r"<style>.*?</style>", "", text, flags=re.DOTALL)).text
        assert english_in(shown, model) == []
        assert "结果" in shown and "环境" in shown and model.title in shown


@pytest.mark.parametrize("name", RUNS)
def test_chinese_pictures_have_no_english_sentence(name: str) -> None:
    data = RUNS[name]
    model = build_chart(data)
    for drawn in pictures(data, "zh"):
        shown = {name: value for name, value in drawn.items() if name not in ("config", "$schema")}
        assert [text for text in texts_of(shown) if english_in(text, model)] == []


def test_scales_and_values_of_a_chinese_picture_agree() -> None:
    with writing_in("zh"):
        drawn = spec(build_chart(made_up()), Picture())
    domain = {"userland-proxy 开启", "userland-proxy 关闭"}
    points = next(each for each in drawn["layer"] if each["mark"]["type"] == "point")
    assert {row["series"] for row in points["data"]["values"]} == domain
    assert set(points["encoding"]["color"]["scale"]["domain"]) == domain


def test_what_users_write_is_the_same_in_every_language() -> None:
    title = "server, same container"
    data = made_up(study_experiment(title=title))
    for text in files(data, "zh"):
        assert f"<h1>{title}</h1>" in text
    with writing_in("zh"):
        assert spec(build_chart(data), Picture())["title"]["text"] == [title]
        assert said(Written("server")) == "server" and said("server") == "服务器"


def test_english_is_the_language_unless_another_is_set() -> None:
    data = made_up()
    before = files(data, "en")
    assert '<html lang="en">' in before[0] and files(data, "zh") != before
    model = build_chart(data)
    figures = [Figure(caption, "<svg></svg>", "<svg></svg>") for _, caption in captions(model)]
    assert report(model, figures) == before[1]


def test_an_unknown_language_is_refused() -> None:
    with pytest.raises(Invalid) as refused:
        language_named("de")
    (problem,) = refused.value.problems
    assert (problem.pointer, problem.detail) == ("/language", "language is one of en, zh")


def test_the_servers_copy_of_the_pages_chinese_is_the_pages() -> None:
    assert CHINESE.read_text("utf-8") == written(), "run: python -m scripts.chinese_texts"
    assert len(json.loads(CHINESE.read_text("utf-8"))["warnings"]) > 200


@pytest.mark.parametrize(
    ("text", "chinese"),
    [
        (message("rounds", count=8), "8 轮"),
        (message("reportTitled", title="server", text=message("noRatio")), "服务器：没有比值"),
        (named("metricTps", "transactions per second"), "每秒事务数"),
        ("Same container, userland-proxy on (A/A)", "同一容器，userland-proxy 开启 (A/A)"),
        ("Same container against Sibling container", "同一容器 对比 同网桥的容器"),
        ("Cost per hop: 8 clients", "每一跳的开销：8 个客户端"),
        ("kind is one of dots, roles", "kind 只能是：dots, roles"),
        ("4711", "4711"),
        ("nothing that the server says", "nothing that the server says"),
    ],
)
def test_a_text_is_said_in_chinese(text: str, chinese: str) -> None:
    assert said(text) == text
    with writing_in("zh"):
        assert said(text) == chinese


def test_a_stored_sentence_is_said_by_its_parts() -> None:
    sentence = message("rounds", count=8)
    with writing_in("zh"):
        assert said(with_parts(str.__str__(sentence), parts_of(sentence))) == "8 轮"
