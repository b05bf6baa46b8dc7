"""Make-up rounds: what is lost decides, bounded, with whole pairs."""

from __future__ import annotations

import pytest

from backend.core.definition.submitted import validate_document
from backend.core.plan.build import build_plan
from backend.core.plan.make_up import MOST_ROUNDS, make_up_trials
from backend.core.plan.model import Plan, PlannedTrial

DOCUMENT = {
    "name": "make-up",
    "title": "Make-up",
    "factors": {"path": ["same_container", "sibling_container", "published_loopback"]},
    "baseline": {"path": "same_container"},
    "rounds": 8,
}


def plan(**changes: object) -> Plan:
    return build_plan(validate_document(DOCUMENT | changes), lambda _levels: None)


def made_up(*contaminated: tuple[str, int]) -> tuple[PlannedTrial, ...]:
    found = plan()
    assert found.make_up is not None
    return make_up_trials(found.cells, found.make_up, contaminated, 7, len(found.trials))


def by_round(trials: tuple[PlannedTrial, ...]) -> dict[int, set[str]]:
    return {t.round: {one.cell_id for one in trials if one.round == t.round} for t in trials}


def test_a_run_without_a_disturbed_trial_has_no_make_up_round() -> None:
    assert made_up() == ()


def test_one_lost_trial_is_measured_again_with_its_baseline() -> None:
    assert by_round(made_up(("c2", 3))) == {9: {"c1", "c2"}}


def test_two_lost_trials_of_a_cell_make_two_rounds_and_three_no_more() -> None:
    expected = {9: {"c1", "c2"}, 10: {"c1", "c2"}}
    assert by_round(made_up(("c2", 3), ("c2", 8))) == expected
    assert by_round(made_up(("c2", 1), ("c2", 3), ("c2", 8))) == expected


def test_a_lost_baseline_is_lost_to_every_cell() -> None:
    assert by_round(made_up(("c1", 5))) == {9: {"c1", "c1-aa", "c2", "c3"}}


def test_a_round_that_both_cells_of_a_pair_lost_is_one_pair() -> None:
    assert by_round(made_up(("c1", 5), ("c2", 5))) == {9: {"c1", "c1-aa", "c2", "c3"}}


def test_trials_are_numbered_on_and_their_order_is_that_of_the_seed() -> None:
    trials = made_up(("c1", 5), ("c1", 6))
    planned = len(plan().trials)
    assert [trial.seq for trial in trials] == list(range(planned + 1, planned + 9))
    assert [trial.position for trial in trials] == [1, 2, 3, 4] * 2
    assert trials == made_up(("c1", 5), ("c1", 6))


def test_a_plan_says_what_may_follow_and_how_long_it_takes() -> None:
    found = plan()
    assert found.make_up is not None
    assert (found.make_up.after_round, found.make_up.rounds) == (8, MOST_ROUNDS)
    assert found.make_up.seconds == pytest.approx(2 * found.estimate.round_seconds, abs=0.1)
    assert found.estimate.trials == 8 * 4


def test_interim_analyses_and_runs_without_intervals_have_none() -> None:
    assert plan(stopping={"at_most": 16}).make_up is None
    assert plan(rounds=5).make_up is None
