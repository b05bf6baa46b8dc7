"""Claims of studies where a value is zero: judged by differences, or not judged with the reason."""

from __future__ import annotations

from dataclasses import replace

import pytest

from backend.core.chart.cells.inputs import TrialProcess, TrialRow
from backend.core.chart.cells.run_cells import by_cell
from backend.core.chart.model.quality_models import Claim
from backend.core.chart.study.claims import judge_claims
from backend.core.definition.studies import STUDIES
from backend.core.definition.studies.model import (
    ClosenessClaim,
    RatioClaim,
    RoleClaim,
    SpreadClaim,
    StudyClaim,
)
from backend.core.plan.model import Cell
from tests.core.chart.runs import Change, as_measured, made_up

PROXIED = {"path": "published_loopback", "userland_proxy": True}
DIRECT = {"path": "same_container", "userland_proxy": True}
SIBLING = {"path": "sibling_container", "userland_proxy": True}


def judged(claim: StudyClaim, change: Change = as_measured) -> Claim:
    (found,) = judge_claims(replace(STUDIES["pachot-2019"], claims=(claim,)), by_cell(made_up(change=change)))
    return found


def of_proxy(cell: dict[str, object], against: dict[str, object], **bounds: float) -> RatioClaim:
    return RatioClaim("", cell, against, metric="proxy_cpu_cores", **bounds)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("claim", "direction", "size"),
    [
        (of_proxy(PROXIED, DIRECT, at_least=1.0), "reproduced", None),
        (of_proxy(PROXIED, DIRECT, at_most=1.0), "not_reproduced", None),
        (of_proxy(DIRECT, PROXIED, at_most=1.0), "reproduced", None),
        (of_proxy(DIRECT, PROXIED, at_most=1.0, size=0.5, tolerance=0.15), "reproduced", "not_reproduced"),
        (of_proxy(PROXIED, DIRECT, at_least=1.0, size=2.0, tolerance=0.5), "reproduced", "not_reproduced"),
    ],
)
def test_a_ratio_that_does_not_exist_is_tested_by_differences(
    claim: RatioClaim, direction: str, size: str | None
) -> None:
    """The direct path has no proxy, so that no ratio of its CPU exists."""
    found = judged(claim)
    assert (found.direction, found.size) == (direction, size), found.detail
    assert "a value is zero, so no ratio exists" in found.detail
    assert "0.6 cores (95 % CI" in found.detail


def test_the_detail_names_each_difference_and_its_bound() -> None:
    found = judged(of_proxy(DIRECT, PROXIED, at_most=1.0, size=0.5, tolerance=0.15))
    assert found.detail_message is not None
    for text in (
        "− 0.35 × Published port on 127.0.0.1, userland-proxy on",
        "paired within 10 rounds: −0.21 cores (95 % CI −0.21 to −0.21 cores)",
        "Direction reproduced: the whole interval should be at most 0 for 1 ×.",
        "Size not reproduced: the whole interval should be at least 0 for 0.35 × and at most 0 for 0.65 ×.",
        "The intervals hold together for 3 figures of the claims.",
    ):
        assert text in found.detail, found.detail


def test_zero_in_a_few_rounds_is_tested_over_all_rounds() -> None:
    def idle_at_first(row: TrialRow, _cell: Cell) -> TrialRow:
        metrics = dict(row.metrics or {})
        if metrics["proxy_cpu_cores"] and row.round <= 2:
            metrics["proxy_cpu_cores"] = 0.0
        return replace(row, metrics=metrics)

    found = judged(of_proxy(DIRECT, PROXIED, at_most=1.0), idle_at_first)
    assert "paired within 10 rounds" in found.detail


def test_both_zero_in_every_round_is_not_judged_with_the_reason() -> None:
    found = judged(of_proxy(SIBLING, DIRECT, at_most=1.0))
    assert (found.outcome, found.direction) == ("undecided", None)
    assert found.detail == "Not tested: both are 0 in every round."


def test_closeness_is_tested_by_differences_too() -> None:
    found = judged(ClosenessClaim("", (DIRECT, PROXIED), within=0.1, metric="proxy_cpu_cores"))
    assert found.outcome == "contradicted"


def of_roles(server: float, rounds: int) -> Change:
    """The server takes this many cores in the first rounds."""

    def change(row: TrialRow, _cell: Cell) -> TrialRow:
        if row.round > rounds or row.cpu is None:
            return row
        return replace(row, cpu=replace(row.cpu, roles={**row.cpu.roles, "server": 10 * server}))

    return change


def test_a_role_beside_a_role_without_cpu_is_tested_over_all_trials() -> None:
    """Three trials in which the server took no CPU are no reason to test the other seven alone."""
    claim = RoleClaim("", PROXIED, "proxy", at_least=1.0, per="server")
    assert judged(claim).outcome == "contradicted"
    found = judged(claim, of_roles(0.0, 3))
    assert (found.outcome, found.direction) == ("undecided", "undecided")
    assert "CPU of the proxy − 1 × CPU of the server" in found.detail
    assert "paired within 10 rounds" in found.detail
    assert judged(claim, of_roles(0.0, 10)).outcome == "reproduced"


def test_a_role_that_some_trials_lack_is_not_judged() -> None:
    def lost(row: TrialRow, _cell: Cell) -> TrialRow:
        return replace(row, cpu=None) if row.round <= 2 else row

    for claim in (
        RoleClaim("", PROXIED, "proxy", at_least=0.25),
        RoleClaim("", PROXIED, "proxy", at_least=1.0, per="server"),
    ):
        found = judged(claim, lost)
        assert (found.outcome, found.direction) == ("undecided", None)
        assert "2 of 10 trials have no value of it" in found.detail


def test_a_spread_that_some_trials_lack_is_not_judged() -> None:
    """In a trial in which no worker took CPU there is no spread of it."""

    def workers(row: TrialRow, _cell: Cell) -> TrialRow:
        shares = (0.0, 0.0) if row.round <= 2 else (1.0, 4.0)
        return replace(
            row, processes=tuple(TrialProcess("proxy", "nginx worker", False, own) for own in shares)
        )

    claim = SpreadClaim("", PROXIED, "nginx worker", "front_workers", at_least=1.25)
    found = judged(claim, workers)
    assert (found.outcome, found.direction) == ("undecided", None)
    assert "2 of 10 trials have no value of it" in found.detail
