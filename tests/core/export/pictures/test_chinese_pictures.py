"""Pictures of sweeps, trials, comparisons and groups in Chinese: no English sentence is left."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import pytest

from backend.core.chart.across_hosts.build_hosts import build_hosts_result
from backend.core.chart.across_hosts.hosts_model import HostsResult
from backend.core.chart.compare_runs.run_comparison import compare_runs
from backend.core.chart.compare_runs.run_comparison_model import RunComparison
from backend.core.chart.model.chart_model import ChartModel
from backend.core.export.pictures.frame import Spec, wrapped
from backend.core.export.pictures.hosts import hosts
from backend.core.export.pictures.knee import knee
from backend.core.export.pictures.names import fitted
from backend.core.export.pictures.ratios import ratios
from backend.core.export.pictures.trial_kinds import TRIAL_KINDS, TrialFacts, trial_spec
from backend.core.messages.language import writing_in
from tests.core.export.pictures.test_knee import model_of
from tests.core.export.pictures.test_panel_pictures import picture, swept
from tests.core.export.pictures.test_ratios import OTHER, SLOWER, A
from tests.core.export.pictures.test_trial_kinds import record
from tests.core.export.test_chinese import THREE_WORDS, texts_of
from tests.core.export.test_hosts_exports import GROUP

TITLES = ("The study, made up", "The run of 2026")


@cache
def swept_rates() -> ChartModel:
    return model_of()


def trial(kind: str) -> Spec:
    facts = TrialFacts("The run of 2026", "Same container, userland-proxy on", 3, "trl_1", record())
    return trial_spec(facts, kind, "light")


@cache
def compared(other: bool) -> RunComparison:
    return compare_runs(A, OTHER if other else SLOWER)


@cache
def compared_hosts() -> HostsResult:
    return build_hosts_result(GROUP)


def stored_group() -> HostsResult:
    """The group's result as it is kept: JSON, without the ids that its sentences have in memory."""
    return HostsResult.model_validate_json(compared_hosts().model_dump_json())


DRAWN: dict[str, Callable[[], Spec]] = {
    "knee": lambda: knee(swept_rates(), "light"),
    "sweep": lambda: picture("sweep", swept()),
    "ratios": lambda: ratios(compared(False), "light"),
    "ratios of another host": lambda: ratios(compared(True), "light"),
    "hosts": lambda: hosts(compared_hosts(), "light"),
    "hosts, stored": lambda: hosts(stored_group(), "light"),
    **{f"trial, {kind}": (lambda kind=kind: trial(kind)) for kind in TRIAL_KINDS},
}


@pytest.mark.parametrize("name", DRAWN)
def test_a_chinese_picture_has_no_english_sentence(name: str) -> None:
    with writing_in("zh"):
        drawn = DRAWN[name]()
    shown = {name: value for name, value in drawn.items() if name not in ("config", "$schema")}
    texts = [*texts_of(shown)]
    for title in TITLES:
        texts = [text.replace(title, "·") for text in texts]
    assert [text for text in texts if THREE_WORDS.search(text)] == []
    assert any("\u4e00" <= char <= "\u9fff" for text in texts for char in text)


@pytest.mark.parametrize("name", DRAWN)
def test_its_english_is_that_of_a_picture_without_a_language(name: str) -> None:
    plain = DRAWN[name]()
    with writing_in("zh"), writing_in("en"):
        assert DRAWN[name]() == plain


def test_names_are_shortened_after_they_are_translated() -> None:
    with writing_in("zh"):
        assert fitted(["Published port on 127.0.0.1, userland-proxy on"], 60) == [
            ["127.0.0.1 上发布的端口，userland-proxy 开启"]
        ]


def test_no_line_of_chinese_parts_a_figure_from_its_per_cent() -> None:
    with writing_in("zh"):
        lines = wrapped("相差 38.3 %，" * 12, 11)
    assert len(lines) > 5 and not [line for line in lines if line.startswith("%")]
    assert wrapped("by 38.3 %", 8) == ["by 38.3", "%"]


def test_no_line_begins_with_a_full_width_comma() -> None:
    lines = wrapped("一二三四五，六七八九十。" * 8, 10)
    assert len(lines) > 5 and not [line for line in lines if line[0] in "，。"]
