"""The digest of a shown plan covers what a run of it does."""

from __future__ import annotations

from dataclasses import replace

from backend.core.definition.submitted import validate_document
from backend.core.plan.build import build_plan
from backend.core.plan.digest import plan_digest
from backend.core.topology.feasible import infeasible

DOCUMENT = {
    "name": "digest",
    "title": "Digest",
    "factors": {"path": ["same_container", "published_loopback"]},
    "rounds": 2,
    "baseline": {"path": "same_container"},
}


def test_it_covers_hosts_reasons_rounds_and_restarts() -> None:
    experiment = validate_document(DOCUMENT)
    plan = build_plan(experiment, lambda levels: infeasible(levels, {}))
    cell = replace(plan.cells[0], infeasible="no bridge")
    found = [
        plan_digest(experiment, plan, "a"),
        plan_digest(experiment, plan, "b"),
        plan_digest(experiment, plan, "a", "b"),
        plan_digest(experiment, replace(plan, cells=(cell, *plan.cells[1:])), "a"),
        plan_digest(experiment, replace(plan, interim_rounds=(1, 2)), "a"),
        plan_digest(experiment, replace(plan, restart_every=2), "a"),
        plan_digest(validate_document({**DOCUMENT, "margin": 0.1}), plan, "a"),
    ]
    assert len(set(found)) == len(found)


def test_it_covers_the_order_of_trials_where_the_document_names_it() -> None:
    for seed, is_same in ((None, True), (7, False)):
        experiment = validate_document({**DOCUMENT, "seed": seed})
        plan = build_plan(experiment, lambda levels: infeasible(levels, {}))
        other = replace(plan, trials=plan.trials[::-1])
        digests = plan_digest(experiment, plan, "a"), plan_digest(experiment, other, "a")
        assert (digests[0] == digests[1]) is is_same
