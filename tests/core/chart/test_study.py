"""The published study beside the run: figures and claims."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from backend.core.chart.build import build_chart
from backend.core.chart.inputs import TrialRow
from backend.core.chart.model import Claim
from backend.core.plan.model import Cell
from tests.core.chart.runs import failed, is_cell, made_up, study_experiment


def claims(**kwargs: Any) -> tuple[Claim, ...]:
    study = build_chart(made_up(**kwargs)).study
    assert study is not None
    return study.claims


def scaled(path: str, proxied: bool, factor: float) -> Any:
    def change(row: TrialRow, cell: Cell) -> TrialRow:
        metrics = dict(row.metrics or {})
        wanted = is_cell(cell, path, proxied)
        return replace(row, metrics=metrics | {"tps": metrics["tps"] * factor}) if wanted else row

    return change


def test_published_figures_stand_beside_their_cells() -> None:
    model = build_chart(made_up())
    found = {(c.levels["path"], c.levels["userland_proxy"]): c.published for c in model.cells if c.published}
    assert len(found) == 6
    figure = found["published_loopback", True]
    assert figure is not None
    assert figure.values == {"tps": 10810.9}
    assert figure.ratio == pytest.approx(10810.876728 / 17512.433838, rel=1e-5)
    assert model.study is not None
    assert (model.study.author, model.study.year) == ("F. Pachot", 2019)
    assert "F. Pachot" in model.study.citation


def test_of_swept_settings_only_the_studys_own_has_figures() -> None:
    levels = {
        "path": ["same_container", "published_loopback"],
        "userland_proxy": [True, False],
        "clients": [1, 5],
    }
    model = build_chart(made_up(study_experiment(factors=levels)))
    assert {c.levels["clients"] for c in model.cells if c.published} == {5}
    assert model.study is not None
    assert model.study.claims[0].outcome == "reproduced"
    assert "the run has no single cell with path sibling_container" in model.study.claims[-1].detail


def test_other_settings_than_the_studys_are_told() -> None:
    levels = {"path": ["same_container", "published_loopback"], "userland_proxy": [True, False], "clients": 2}
    model = build_chart(made_up(study_experiment(factors=levels)))
    assert "The published figures were taken with 5 clients; this run has other settings." in model.warnings
    assert sum(c.published is not None for c in model.cells) == 4


def test_claims_that_hold() -> None:
    ratio, closeness, role = claims()
    assert (ratio.outcome, closeness.outcome, role.outcome) == ("reproduced",) * 3
    assert ratio.text == "docker-proxy slows the docker-host client by about 40 %"
    assert (
        "published_loopback, proxy on ÷ published_loopback, proxy off, paired within 10 rounds: 0.6"
        in ratio.detail
    )
    assert "whole interval is at most 0.8" in ratio.detail
    assert closeness.detail.count("95 % CI") == 3
    assert "within 0.900 to 1.111" in closeness.detail
    assert "median 0.60 cores" in role.detail


@pytest.mark.parametrize(
    ("factor", "outcome"), [(1.5, "contradicted"), (1.23, "undecided"), (1.1, "reproduced")]
)
def test_the_ratio_claim(factor: float, outcome: str) -> None:
    change = scaled("published_loopback", True, factor)
    assert claims(change=change, noise=0.02)[0].outcome == outcome


@pytest.mark.parametrize(
    ("factor", "outcome"), [(0.8, "contradicted"), (0.955, "undecided"), (1.0, "reproduced")]
)
def test_the_closeness_claim(factor: float, outcome: str) -> None:
    change = scaled("sibling_container", False, factor)
    assert claims(change=change, noise=0.02)[1].outcome == outcome


def test_the_role_claim() -> None:
    def idle(row: TrialRow, _cell: Cell) -> TrialRow:
        assert row.cpu is not None
        return replace(row, cpu=replace(row.cpu, roles={**row.cpu.roles, "proxy": 0.0}))

    assert claims(change=idle)[2].outcome == "contradicted"


def test_claims_without_enough_rounds_are_undecided() -> None:
    for claim in claims(experiment=study_experiment(rounds=5)):
        assert claim.outcome == "undecided"
        assert claim.detail.startswith("Not tested: 5 ")


def test_claims_without_their_cell_are_undecided() -> None:
    def spoil(row: TrialRow, cell: Cell) -> TrialRow:
        return failed(row) if is_cell(cell, "published_loopback", True) else row

    ratio, closeness, role = claims(change=spoil)
    assert (ratio.outcome, closeness.outcome, role.outcome) == ("undecided", "reproduced", "undecided")
    assert ratio.detail == "Not tested: no trial succeeded."
