"""How often servers restart: the optimum of Kalibera and Jones, its bounds, reason and cost in time."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.core.plan.build import build_plan
from backend.core.plan.estimate import start_seconds, trial_seconds
from backend.core.plan.power import max_comparisons
from backend.core.plan.restarts import (
    StartQuestion,
    StartSpread,
    block_of,
    blocks,
    choose_restarts,
    most_rounds_a_start,
    replica_of,
)
from tests.core.plan.experiments import anything, experiment, plan

SPREAD = StartSpread(between=0.018, between_upper=0.02, within=0.021, starts=24, runs=3)
QUESTION = StartQuestion(rounds=24, interim_rounds=(), comparisons=1, start_seconds=40.0, round_seconds=10.0)


def test_without_a_history_servers_restart_every_round() -> None:
    found = choose_restarts(QUESTION, None)
    assert found.every == 1
    assert "every round" in found.reason and "assumed" in found.reason


def test_the_number_is_that_of_kalibera_and_jones() -> None:
    assert math.sqrt(40 / 10) * 0.021 / 0.02 == pytest.approx(2.1)
    found = choose_restarts(QUESTION, SPREAD)
    assert found.every == 2
    assert found.reason == (
        "Servers restart every 2 rounds: between-start spread 1.8 % (at most 2 %), within 2.1 % "
        "(this host, 3 runs)."
    )


def test_the_upper_bound_of_the_spread_between_starts_is_weighed() -> None:
    unsure = replace(SPREAD, between_upper=0.06)
    assert choose_restarts(QUESTION, unsure).every == 1


def test_a_dear_start_and_a_quiet_one_serve_more_rounds() -> None:
    dear = replace(QUESTION, start_seconds=160.0)
    assert choose_restarts(dear, SPREAD).every == 4
    assert choose_restarts(QUESTION, replace(SPREAD, between=0.0, between_upper=0.0)).every == 4
    assert choose_restarts(replace(QUESTION, start_seconds=0.0), SPREAD).every == 1


def test_the_starts_alone_can_decide_the_comparisons() -> None:
    dear = replace(QUESTION, start_seconds=1e6, comparisons=6)
    found = choose_restarts(dear, SPREAD)
    assert found.every == 3 and blocks(24, 3) == 8 and max_comparisons(8) == 6
    assert found.reason.endswith("24 rounds would take least time, but 24 rounds need enough starts.")


@given(st.integers(1, 60), st.integers(0, 50), st.floats(0, 1e4), st.floats(0.1, 1e4))
def test_never_fewer_starts_than_decide_the_family(
    rounds: int, comparisons: int, start: float, round_: float
) -> None:
    question = StartQuestion(rounds, (), comparisons, start, round_)
    every = choose_restarts(question, SPREAD).every
    assert every == 1 or max_comparisons(blocks(rounds, every)) >= max(1, comparisons)
    assert 1 <= every <= most_rounds_a_start(question)


def test_no_interim_analysis_splits_the_rounds_of_a_start() -> None:
    rounds = (12, 15, 18, 24)
    dear = replace(QUESTION, interim_rounds=rounds, start_seconds=1e6, comparisons=0)
    assert choose_restarts(dear, SPREAD).every == 1
    assert choose_restarts(replace(dear, interim_rounds=(20, 24), rounds=24), SPREAD).every == 2


def test_rounds_fall_into_blocks() -> None:
    assert [block_of(round_, 3) for round_ in range(1, 8)] == [0, 0, 0, 1, 1, 1, 2]
    assert blocks(7, 3) == 3
    assert {block_of(round_, None) for round_ in range(1, 8)} == {0}


def test_an_aa_duplicate_is_served_by_a_replica_unless_every_trial_has_its_own_start() -> None:
    assert replica_of({}, is_duplicate=True) == 1
    assert replica_of({}, is_duplicate=False) == 0
    assert replica_of({"fresh_server": True}, is_duplicate=True) == 0


def test_a_plan_states_how_often_servers_restart_and_why() -> None:
    assumed = plan()
    assert (assumed.restart_every, assumed.restart_reason) == (1, choose_restarts(QUESTION, None).reason)
    dear = StartSpread(between=0.001, between_upper=0.002, within=0.05, starts=30, runs=5)
    assert build_plan(experiment(rounds=24), anything, spread=dear).restart_every == 3
    fresh = plan(factors={"path": ["same_container", "published_loopback"], "fresh_server": True},
                 baseline={"path": "same_container"})  # fmt: skip
    assert (fresh.restart_every, fresh.estimate.restart_seconds) == (1, 0)
    assert fresh.restart_reason == "Every trial starts its own server (fresh_server)."


def test_the_estimate_has_the_price_of_restarts() -> None:
    found = plan(rounds=10)
    cells = [cell for cell in found.cells if cell.infeasible is None]
    start = start_seconds(cells, lambda levels: str(levels["userland_proxy"]))
    once = build_plan(experiment(rounds=10), anything, lambda levels: str(levels["userland_proxy"])).estimate
    assert once.deployments == 3, "the duplicate's server is one of its own"
    assert once.restart_seconds == pytest.approx(9 * start, abs=0.06)
    trials = sum(trial_seconds(cell.levels) for cell in cells)
    assert once.seconds == pytest.approx(once.preparation_seconds + 10 * trials + 9 * start, abs=0.1)
    assert once.round_seconds == pytest.approx(trials + start, abs=0.06)


def test_data_that_outlives_the_server_is_not_filled_again() -> None:
    one = {"path": ["same_container", "published_loopback"], "scale": 50}
    memory, volume = (
        plan(factors=one | {"storage": storage}, baseline={"path": "same_container"}).estimate
        for storage in ("memory", "volume")
    )
    assert memory.restart_seconds > volume.restart_seconds > 0
