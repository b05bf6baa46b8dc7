"""Parses the output of perf-script(1): sampled call stacks, and which process started which.

Read with `--show-task-events -F comm,pid,tid,ip,sym,dso`. perf also writes the processes that ran before, so
that every process has its parent. A program names processes and functions as it likes: lines that fit no form
are skipped, and a name cannot end the parse.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from backend.core.sample.profile import Stack, stack_of
from backend.core.sample.record import Role

KTHREADD: Final = 2
"""The process whose children are the kernel's threads."""
LONGEST_CHAIN: Final = 64
"""Parents that are followed from a process to one with a known role."""
_HEAD: Final = re.compile(r"^(\S.*?)\s+(\d+)/(\d+)\s*$")
_FORK: Final = re.compile(r"PERF_RECORD_FORK\((\d+):\d+\):\((\d+):\d+\)\s*$")
_FRAME: Final = re.compile(r"^\s+[0-9a-f]+ (.+) \((.*)\)\s*$")
_IDLE: Final = frozenset(("do_idle", "cpu_startup_entry", "cpuidle_enter", "arch_cpu_idle", "default_idle"))
_BUSY: Final = re.compile(r"softirq|^(?:__)?sysvec_|^common_interrupt|^asm_|^irq_exit|^handle_irq")
_KERNEL: Final = "[kernel.kallsyms]"


@dataclass
class ParsedScript:
    """Counted stacks by process, how many samples found a CPU idle, and the parents of processes."""

    stacks: Counter[tuple[int, Stack]] = field(default_factory=Counter)
    parents: dict[int, int] = field(default_factory=dict)
    idle_samples: int = 0
    kernel_symbols: bool = False


def parse(lines: Iterable[str]) -> ParsedScript:
    """The samples and the processes of a script's lines, read one at a time."""
    found = ParsedScript()
    head: tuple[str, int] | None = None
    frames: list[str] = []
    for line in lines:
        if line[:1].isspace() and head is not None and line.strip():
            if (name := _name(line, found)) is not None:
                frames.append(name)
            continue
        if head is not None:
            _add(found, head, frames)
            head, frames = None, []
        if fork := _FORK.search(line):
            if fork[1] != fork[2]:  # else a thread of the same process
                found.parents.setdefault(int(fork[1]), int(fork[2]))
        elif match := _HEAD.match(line):
            head = (match[1], int(match[2]))
    if head is not None:
        _add(found, head, frames)
    return found


def _name(line: str, found: ParsedScript) -> str | None:
    """The name of a frame, its library or program where it has no symbol; None for a stray address."""
    match = _FRAME.match(line)
    if match is None:
        return None
    symbol, library = match[1], match[2]
    if symbol != "[unknown]":
        found.kernel_symbols |= library == _KERNEL
        return symbol
    if library in ("[unknown]", "") or library.startswith("//anon"):
        return None
    return f"[{library.rpartition('/')[2].strip('[]')}]"


def _add(found: ParsedScript, head: tuple[str, int], innermost_first: list[str]) -> None:
    process, pid = head
    if pid == 0 and _is_idle(innermost_first):
        found.idle_samples += 1
        return
    names = [n for i, n in enumerate(innermost_first) if i == 0 or not _repeats(n, innermost_first[i - 1])]
    found.stacks[pid, stack_of(process, reversed(names))] += 1


def _repeats(name: str, before: str) -> bool:
    """Whether a frame without a symbol lies beside another of the same program: one frame says as much."""
    return name == before and name.startswith("[")


def _is_idle(names: list[str]) -> bool:
    return not names or (not _IDLE.isdisjoint(names) and not any(map(_BUSY.search, names)))


def by_role(found: ParsedScript, known: Mapping[int, Role]) -> Counter[tuple[Role, Stack]]:
    """The stacks by role: a process has its own known role, else that of the process that started it.

    The kernel's threads, and interrupts of an idle CPU, are `kernel`; every other process is `other`.
    """
    roles: dict[int, Role] = {}
    counted: Counter[tuple[Role, Stack]] = Counter()
    for (pid, stack), count in found.stacks.items():
        if pid not in roles:
            roles[pid] = _role(pid, found.parents, known)
        counted[roles[pid], stack] += count
    return counted


def _role(pid: int, parents: Mapping[int, int], known: Mapping[int, Role]) -> Role:
    if pid == 0:
        return "kernel"
    for _ in range(LONGEST_CHAIN):
        if pid in known:
            return known[pid]
        if pid == KTHREADD:
            return "kernel"
        if pid not in parents or parents[pid] == pid:
            break
        pid = parents[pid]
    return "other"
