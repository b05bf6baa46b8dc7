"""The tree of a CPU profile: counts add up, the smallest frames are pruned, functions count once a sample."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from backend.core.sample.profile import MAX_DEPTH, PRUNED, CellProfile, build_profile, fold, problem_of
from backend.core.sample.record import Role

Stacks = dict[tuple[Role, tuple[str, ...]], int]
STACKS: Stacks = {
    ("server", ("postgres", "exec", "sort")): 5,
    ("server", ("postgres", "exec")): 2,
    ("client", ("wrk", "send")): 4,
    ("client", ("wrk", "recv", "recv")): 1,
}


def profile(stacks: Stacks) -> CellProfile:
    return build_profile(stacks, seconds=10.0, idle_samples=3, kernel_symbols=True, program="perf 6.1")


def test_the_tree_has_every_sample_once() -> None:
    found = profile(STACKS)
    assert problem_of(found) is None
    assert (found.samples, found.idle_samples, found.pruned_samples) == (12, 3, 0)
    by_name = {frame.name: (frame.own, frame.total) for frame in found.frames if frame.name != "recv"}
    assert by_name == {
        "server": (0, 7),
        "postgres": (0, 7),
        "exec": (2, 7),
        "sort": (5, 5),
        "client": (0, 5),
        "wrk": (0, 5),
        "send": (4, 4),
    }


def test_functions_are_ordered_by_their_own_samples_and_recursion_counts_once() -> None:
    found = [one for one in profile(STACKS).functions if one.role is None]
    assert [(one.name, one.own, one.total) for one in found] == [
        ("sort", 5, 5),
        ("send", 4, 4),
        ("exec", 2, 7),
        ("recv", 1, 1),
    ]
    assert {one.role for one in profile(STACKS).functions} == {None, "server", "client"}


def test_the_smallest_frames_are_pruned_and_their_samples_kept() -> None:
    many: Stacks = {("server", ("p", f"f{number}")): number for number in range(1, 101)}
    frames, pruned = fold(many, limit=20)
    assert len(frames) <= 20
    assert frames[0].total == sum(range(1, 101))
    (other,) = [frame for frame in frames if frame.name == PRUNED]
    assert other.own == other.total == pruned > 0
    assert other.parent is not None and frames[other.parent].name == "p"
    kept = [frame for frame in frames if frame.name.startswith("f")]
    assert sum(frame.own for frame in kept) + pruned == frames[0].total
    assert min(frame.own for frame in kept) > 80


def test_a_stack_of_any_depth_ends() -> None:
    found = profile({("server", tuple(f"f{number}" for number in range(5_000))): 7})
    assert problem_of(found) is None
    assert len(found.frames) == MAX_DEPTH and found.frames[-1].own == 7


@pytest.mark.parametrize(
    ("index", "change"), [(1, {"parent": 5}), (2, {"total": 9}), (0, {"total": 1}), (3, {"own": 4})]
)
def test_frames_that_are_no_tree_are_named(index: int, change: dict[str, int]) -> None:
    found = profile(STACKS)
    frames = list(found.frames)
    frames[index] = frames[index].model_copy(update=change)
    assert problem_of(found.model_copy(update={"frames": tuple(frames)})) is not None


def test_a_profile_has_the_samples_of_its_roles() -> None:
    assert problem_of(profile(STACKS).model_copy(update={"samples": 13})) == "the roles have 12 of 13 samples"


def test_negative_counts_are_refused() -> None:
    document = profile(STACKS).model_dump(mode="json")
    document["samples"] = -1
    with pytest.raises(ValidationError):
        CellProfile.model_validate(document)


def test_no_sample_is_an_empty_profile() -> None:
    found = profile({})
    assert (found.samples, found.frames, found.functions) == (0, (), ())
    assert problem_of(found) is None
