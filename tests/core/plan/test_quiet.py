"""What a noisy host adds to a plan at most, and the rule in words."""

from __future__ import annotations

import pytest

from backend.core.definition.canonical import canonical, digest
from backend.core.definition.quality import DEFAULT, Quality
from backend.core.definition.submitted import validate_document
from backend.core.errors import Invalid
from backend.core.plan.build import build_plan
from backend.core.plan.estimate import trial_seconds
from backend.core.plan.quiet import rule_sentence

DOCUMENT = {
    "name": "q",
    "title": "q",
    "factors": {"path": ["same_container", "published_loopback"], "duration_s": 3, "warm_up_s": 1},
    "baseline": {"path": "same_container"},
    "rounds": 4,
}


def test_the_estimate_names_the_worst_case() -> None:
    found = build_plan(validate_document(DOCUMENT), lambda _levels: None)
    each = trial_seconds(found.cells[0].levels)
    assert found.estimate.noisy_seconds == pytest.approx(len(found.trials) * (3 * 10 + 2 * each), abs=0.1)
    off = build_plan(
        validate_document(DOCUMENT | {"quality": {"wait_for_quiet_s": 0, "retakes": 0}}), lambda _levels: None
    )
    assert off.estimate.noisy_seconds == 0
    assert off.estimate.seconds == found.estimate.seconds


def test_the_rule_is_stated_with_its_limits() -> None:
    assert rule_sentence(DEFAULT) == (
        "Each trial waits up to 10 s while other processes use 0.15 cores more than on the quiet host or the "
        "hypervisor takes more than 5 % of the CPU. A trial during which that happens, or whose window is "
        "far too long, is contaminated: it is repeated at most 2 times, and excluded from all statistics if "
        "it stays contaminated. The rule uses no metric."
    )
    assert "does not wait if other" in rule_sentence(Quality(wait_for_quiet_s=0, max_steal=None, retakes=0))
    assert rule_sentence(Quality(max_other_cores=None, max_steal=None)).startswith("No limit is set")


def test_documents_without_limits_keep_their_identity() -> None:
    plain = validate_document(DOCUMENT)
    assert "quality" not in canonical(plain)
    assert plain.quality == DEFAULT
    spelled_out = validate_document(DOCUMENT | {"quality": DEFAULT.model_dump()})
    assert digest(spelled_out) == digest(plain)
    strict = validate_document(DOCUMENT | {"quality": {"max_steal": 0.01}})
    assert canonical(strict)["quality"]["max_steal"] == 0.01
    assert validate_document(canonical(strict)) == strict


@pytest.mark.parametrize(
    ("quality", "pointer", "code"),
    [
        ({"wait_for_quiet_s": -1}, "/quality/wait_for_quiet_s", "out_of_bounds"),
        ({"wait_for_quiet_s": 601}, "/quality/wait_for_quiet_s", "out_of_bounds"),
        ({"max_other_cores": 0}, "/quality/max_other_cores", "out_of_bounds"),
        ({"max_steal": 1.5}, "/quality/max_steal", "out_of_bounds"),
        ({"max_steal": "little"}, "/quality/max_steal", "wrong_type"),
        ({"retakes": 11}, "/quality/retakes", "out_of_bounds"),
        ({"retake": 1}, "/quality/retake", "unknown_field"),
        (7, "/quality", "wrong_type"),
    ],
)
def test_limits_have_bounds(quality: object, pointer: str, code: str) -> None:
    with pytest.raises(Invalid) as refused:
        validate_document(DOCUMENT | {"quality": quality})
    assert [(problem.pointer, problem.code) for problem in refused.value.problems] == [(pointer, code)]
