"""The CPU profile of a cell: sampled call stacks as a tree of frames, and the functions that used most.

It is taken in an extra trial that is not measured. Every number is a count of samples: `frequency_hz` samples
a second are taken of each CPU, and samples of idle CPUs are dropped.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictFloat, StrictInt, StrictStr

from backend.core.sample.record import Role

FREQUENCY_HZ: Final = 99
"""Samples of each CPU per second: no divisor of the kernel's timers, so that their work is not hidden."""
MAX_FRAMES: Final = 5_000
MAX_DEPTH: Final = 130
MAX_FUNCTIONS: Final = 30
"""Functions that are listed of each role, and of all roles together."""
LONGEST_NAME: Final = 200
PRUNED: Final = "[other]"
"""The frame in place of frames that the limit leaves out."""

Stack = tuple[str, ...]
"""A call stack from its outermost frame: the process's name, then functions."""
Count = Annotated[StrictInt, Field(ge=0, le=2**53 - 1)]
Name = Annotated[StrictStr, Field(min_length=1, max_length=LONGEST_NAME)]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class Frame(_Part):
    """One frame: `parent` is the index of its caller, null for a role; `total` includes its callees."""

    name: Name
    parent: Annotated[StrictInt, Field(ge=0)] | None
    own: Count
    total: Count


class FunctionShare(_Part):
    """One function over all stacks: samples in itself (`own`), and in it or in what it called (`total`).

    `role` is null where all roles are counted together. A recursive function counts once for each sample.
    """

    name: Name
    role: Role | None
    own: Count
    total: Count


class CellProfile(_Part):
    """Call stacks sampled on all CPUs of a host in an extra trial of one cell, which is not measured.

    `frames` are in depth-first order, so that a frame comes after its caller; the first level are roles, the
    second processes by name. `samples` is the sum over the roles. `pruned_samples` are those whose innermost
    frames the limit left out: frames named "[other]" hold them. `idle_samples` found a CPU idle and are in no
    frame. `seconds` is the time in which samples were taken.
    """

    frequency_hz: Annotated[StrictInt, Field(ge=1, le=100_000)]
    seconds: Annotated[StrictFloat, Field(ge=0)]
    samples: Count
    idle_samples: Count
    pruned_samples: Count
    kernel_symbols: StrictBool
    program: Annotated[StrictStr, Field(max_length=LONGEST_NAME)]
    frames: Annotated[tuple[Frame, ...], Field(max_length=MAX_FRAMES)]
    functions: Annotated[tuple[FunctionShare, ...], Field(max_length=MAX_FUNCTIONS * 6)]


def problem_of(profile: CellProfile) -> str | None:
    """Why these frames are no tree in depth-first order whose counts add up, or None."""
    depth: list[int] = []
    inside = [frame.own for frame in profile.frames]
    for index, frame in enumerate(profile.frames):
        if frame.parent is not None and frame.parent >= index:
            return f"frame {index} comes before its caller"
        depth.append(1 if frame.parent is None else depth[frame.parent] + 1)
        if depth[index] > MAX_DEPTH:
            return f"frame {index} is deeper than {MAX_DEPTH}"
        if frame.parent is not None:
            inside[frame.parent] += frame.total
    for index, frame in enumerate(profile.frames):
        if frame.total != inside[index]:
            return f"frame {index} has {frame.total} samples, and its parts have {inside[index]}"
    roots = sum(frame.total for frame in profile.frames if frame.parent is None)
    return None if roots == profile.samples else f"the roles have {roots} of {profile.samples} samples"


@dataclass
class _Node:
    """A frame while the tree is built; `number` is its place in depth-first order."""

    name: str
    own: int = 0
    total: int = 0
    number: int = 0
    parent: _Node | None = None
    children: dict[str, _Node] = field(default_factory=dict)


def fold(stacks: Mapping[tuple[Role, Stack], int], limit: int = MAX_FRAMES) -> tuple[tuple[Frame, ...], int]:
    """The tree of counted stacks with at most `limit` frames, and the samples that pruned frames held.

    The frames with the fewest samples are pruned first, whole subtrees at a time.
    """
    root = _Node("")
    for (role, stack), count in stacks.items():
        node = root
        for name in (role, *stack[: MAX_DEPTH - 1]):
            node.total += count
            known = node.children.get(name)
            node = known if known is not None else node.children.setdefault(name, _Node(name, parent=node))
        node.total += count
        node.own += count
    nodes = _ordered(root)
    kept = _kept(nodes, limit)
    return _frames(nodes, kept)


def _ordered(root: _Node) -> list[_Node]:
    """All frames in depth-first order, callees by their samples; without recursion."""
    found: list[_Node] = []
    waiting = [root]
    while waiting:
        node = waiting.pop()
        node.number = len(found)
        found.append(node)
        waiting.extend(sorted(node.children.values(), key=lambda child: (child.total, child.name)))
    return found


def _kept(nodes: Sequence[_Node], limit: int) -> frozenset[int]:
    """The numbers of the largest frames that fit, with one more frame for each caller that loses some.

    A caller has at least the samples of its callee and comes before it, so it is kept with it.
    """
    largest = [node.number for node in sorted(nodes[1:], key=lambda node: (-node.total, node.number))]
    fit = min(limit, len(largest))
    while True:
        kept = frozenset((0, *largest[:fit]))
        losing = sum(_loses(nodes[number], kept) for number in kept)
        if fit + losing <= limit or fit == 0:
            return kept
        fit = max(0, min(fit - 1, limit - losing))


def _loses(node: _Node, kept: frozenset[int]) -> bool:
    return any(child.number not in kept for child in node.children.values())


def _frames(nodes: Sequence[_Node], kept: frozenset[int]) -> tuple[tuple[Frame, ...], int]:
    frames: list[Frame] = []
    place: dict[int, int] = {}
    pruned = 0
    for node in nodes:
        if node.number not in kept:
            continue
        if node.parent is not None:
            place[node.number] = len(frames)
            above = place.get(node.parent.number)
            frames.append(Frame(name=node.name, parent=above, own=node.own, total=node.total))
        lost = sum(child.total for child in node.children.values() if child.number not in kept)
        if lost:
            pruned += lost
            frames.append(Frame(name=PRUNED, parent=place.get(node.number), own=lost, total=lost))
    return tuple(frames), pruned


def functions(stacks: Mapping[tuple[Role, Stack], int]) -> tuple[FunctionShare, ...]:
    """The functions with the most own samples: of all roles together, then of each role.

    The name of the process, the first frame of a stack, is no function unless the stack has no other.
    """
    found: list[FunctionShare] = []
    roles: list[Role | None] = [None, *sorted({role for role, _ in stacks})]
    for wanted in roles:
        own: Counter[str] = Counter()
        total: Counter[str] = Counter()
        for (role, stack), count in stacks.items():
            if wanted in (None, role) and stack:
                own[stack[-1]] += count
                for name in set(stack[1:] or stack):
                    total[name] += count
        most = sorted(total, key=lambda name: (-own[name], -total[name], name))[:MAX_FUNCTIONS]
        found += [FunctionShare(name=n, role=wanted, own=own[n], total=total[n]) for n in most]
    return tuple(found)


def build_profile(
    stacks: Mapping[tuple[Role, Stack], int],
    *,
    seconds: float,
    idle_samples: int,
    kernel_symbols: bool,
    program: str,
) -> CellProfile:
    """The profile of counted stacks, pruned to MAX_FRAMES."""
    frames, pruned = fold(stacks)
    return CellProfile(
        frequency_hz=FREQUENCY_HZ,
        seconds=round(seconds, 3),
        samples=sum(stacks.values()),
        idle_samples=idle_samples,
        pruned_samples=pruned,
        kernel_symbols=kernel_symbols,
        program=program[:LONGEST_NAME],
        frames=frames,
        functions=functions(stacks),
    )


def readable_name(text: str) -> str:
    """A name for one frame: printable, without the separator of folded stacks, of limited length."""
    plain = "".join(c if c.isprintable() and c != ";" else "_" for c in text.strip())
    return plain[:LONGEST_NAME] or "[unknown]"


def stack_of(process: str, outermost_first: Iterable[str]) -> Stack:
    """A stack whose first frame is the process's name."""
    return (readable_name(process), *(readable_name(name) for name in outermost_first))
