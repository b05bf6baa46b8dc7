"""Whether waiting, repeating and leaving out trials can bias a result: simulations with a known truth.

Two cells take turns in rounds of random order. Other processes and steal come and go in bursts that slow
a window in proportion to what they take; what decides about a take are the product's own functions, and
what is left is compared as the chart compares it. Rounds that lost a pair are made up at the end of the run,
as `core.plan.make_up` plans it. Bursts are independent of the cells, or begin three times
as often while one of them is measured.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from backend.core.definition.quality import DEFAULT, Quality
from backend.core.plan.make_up import MOST_ROUNDS, make_up_trials
from backend.core.plan.model import Cell, MakeUp
from backend.core.sample.quality import MOST_QUIET_CORES, contamination, not_quiet, raised
from backend.core.sample.record import OutsideReadings
from backend.core.statistics.paired import paired_ratio
from backend.core.statistics.verdict import excludes_one
from worker.trial.quiet_level import QuietLevel
from worker.trial.repeats import SAMPLE_S, RepeatPolicy

CORES: Final = 2
STEP_S: Final = SAMPLE_S
WINDOW_S: Final = 3.0
WARM_UP_S: Final = 1.0
ROUNDS: Final = 12
FEWEST: Final = 6
"""Pairs without which there is no interval at 95 %."""
NOISE: Final = 0.02
OFF_S: Final = 15.0
ON_S: Final = 3.0
IDS: Final = ("c1", "c2")
CELLS: Final = tuple(
    Cell(id_, id_, {}, id_ == "c1", False, base, None) for id_, base in zip(IDS, (None, "c1"), strict=True)
)
MAKE_UP: Final = MakeUp(after_round=ROUNDS, rounds=MOST_ROUNDS, seconds=0.0)
SLOW_CORES: Final = 0.16
"""What other processes use all the time on a slow host, on average; on a usual one a quarter of it."""
USUAL_CORES: Final = 0.04
MORE_OFTEN: Final = 3.0
"""How much more often bursts begin while the second cell is measured, where they depend on it."""


@dataclass(frozen=True)
class Kept:
    """The results of simulated runs.

    Shares of the runs with an interval: `covered` contains the truth, `different` shows a difference.
    `pairs` are kept of `rounds` on average, `retakes` are the discarded measurements of a trial on average.
    `complete` is the share of the runs that have as many pairs as planned.
    """

    design: str
    runs: int
    with_interval: int
    covered: float
    different: float
    pairs: float
    retakes: float
    complete: float = 0.0


class _Host:
    """A host in steps of STEP_S, with the CPU that others and the hypervisor use in each."""

    def __init__(self, draw: random.Random, correlated: bool, background: float) -> None:
        self._draw = draw
        self._correlated = correlated
        self._background = background
        self._seconds = 0.0
        self._other = self._steal = 0.0

    def pass_by(self, seconds: float, second_cell: bool) -> OutsideReadings:
        """Advance the time; returns the mean CPU of others and steal in it."""
        steps = round(seconds / STEP_S)
        other = steal = 0.0
        for _ in range(steps):
            self._step(second_cell)
            other += self._other + self._draw.uniform(0, 2 * self._background)
            steal += self._steal
        return OutsideReadings(
            seconds=seconds, other_cores=other / steps, steal=min(1.0, steal / steps), asked_seconds=seconds
        )

    def restart(self) -> None:
        """Begin a new interval."""

    def pause(self, seconds: float) -> None:
        """Let the interval last so long."""
        self._seconds = seconds

    def sample(self) -> OutsideReadings:
        """The readings of the interval, in which nothing is measured."""
        return self.pass_by(self._seconds, second_cell=False)

    def _step(self, second_cell: bool) -> None:
        if self._other or self._steal:
            if self._draw.random() < STEP_S / ON_S:
                self._other = self._steal = 0.0
            return
        often = MORE_OFTEN if self._correlated and second_cell else 1.0
        if self._draw.random() < often * STEP_S / OFF_S:
            taken = self._draw.uniform(0.3, CORES)
            if self._draw.random() < 0.5:
                self._other = taken
            else:
                self._steal = taken / CORES


class _Run:
    """One run of two cells whose true ratio is known."""

    def __init__(
        self,
        draw: random.Random,
        ratio: float,
        correlated: bool,
        limits: Quality | None,
        make_up: MakeUp | None,
        background: float,
        reads_level: bool,
    ) -> None:
        self._draw = draw
        self._make_up = make_up
        self._ratio = ratio
        self._host = _Host(draw, correlated, background)
        self._limits = limits
        if limits is not None and reads_level:
            level = QuietLevel()
            self._wait(raised(limits, MOST_QUIET_CORES), second_cell=False)
            level.read(self._host, self._host.pause)
            self._limits = raised(limits, level.cores)
        self._repeat_policy = RepeatPolicy()
        self.retakes = 0

    def pairs(self) -> Iterator[tuple[float, float]]:
        """The values of the rounds that keep both of their trials, make-up rounds included."""
        lost: list[tuple[str, int]] = []
        for round_ in range(1, ROUNDS + 1):
            found = self._round()
            lost += [(IDS[cell], round_) for cell, value in found.items() if value is None]
            yield from _whole(found)
        if self._make_up is not None:
            trials = make_up_trials(CELLS, self._make_up, lost, 1, 2 * ROUNDS)
            for _ in {trial.round for trial in trials}:
                yield from _whole(self._round())

    def _round(self) -> dict[int, float | None]:
        return {cell: self._trial(cell) for cell in self._draw.sample((0, 1), 2)}

    def _trial(self, cell: int) -> float | None:
        """A trial by the rule of `worker.trial.repeats`; None where it stays contaminated."""
        if self._limits is None:
            return self._measure(cell)[0]
        limits = self._repeat_policy.limits(self._limits)
        for take in range(1 + limits.retakes):
            self._wait(limits, second_cell=cell == 1)
            value, readings = self._measure(cell)
            dirty = bool(contamination(readings, limits))
            if not dirty:
                break
            self.retakes += take < limits.retakes
        self._repeat_policy.ended(dirty)
        return None if dirty else value

    def _wait(self, limits: Quality, *, second_cell: bool) -> None:
        for _ in range(int(limits.wait_for_quiet_s / STEP_S)):
            if not not_quiet(self._host.pass_by(STEP_S, second_cell), limits):
                break

    def _measure(self, cell: int) -> tuple[float, OutsideReadings]:
        self._host.pass_by(WARM_UP_S, cell == 1)
        readings = self._host.pass_by(WINDOW_S, cell == 1)
        lost = (readings.other_cores or 0.0) / CORES + (readings.steal or 0.0)
        own = self._ratio if cell == 1 else 1.0
        return own * self._draw.lognormvariate(0, NOISE) * max(0.05, 1 - lost), readings


def _whole(found: Mapping[int, float | None]) -> Iterator[tuple[float, float]]:
    first, second = found[0], found[1]
    if first is not None and second is not None:
        yield first, second


def simulate(
    ratio: float,
    correlated: bool,
    runs: int,
    seed: int,
    limits: Quality | None = DEFAULT,
    make_up: MakeUp | None = None,
    background: float = USUAL_CORES,
    *,
    reads_level: bool = True,
) -> Kept:
    """Runs with this true ratio; without limits every trial is kept, for contrast.

    `background` is what other processes of the host use anyway; without `reads_level` that is a disturbance.
    """
    draw = random.Random(seed)
    covered = different = with_interval = pairs = retakes = complete = 0
    for _ in range(runs):
        run = _Run(draw, ratio, correlated, limits, make_up, background, reads_level)
        kept = list(run.pairs())
        complete += len(kept) >= ROUNDS
        pairs, retakes = pairs + len(kept), retakes + run.retakes
        if len(kept) < FEWEST:
            continue
        interval = paired_ratio([one for one, _ in kept], [other for _, other in kept]).interval
        if interval is None:
            continue
        with_interval += 1
        covered += interval[0] <= ratio <= interval[1]
        different += excludes_one(interval)
    noise = "three times as often beside the second cell" if correlated else "independent of the cells"
    rule = "the rule" if limits else "every trial kept"
    return Kept(
        design=f"ratio {ratio:g}, bursts {noise}, {rule}{' and make-up rounds' if make_up else ''}",
        runs=runs,
        with_interval=with_interval,
        covered=covered / max(1, with_interval),
        different=different / max(1, with_interval),
        pairs=pairs / runs,
        retakes=retakes / runs / ROUNDS / 2,
        complete=complete / runs,
    )


def designs(runs: int, seed: int = 20261122) -> Iterator[Kept]:
    """With and without a true difference, independent bursts and not, with the rule and without."""
    for limits, make_up in ((DEFAULT, MAKE_UP), (DEFAULT, None), (None, None)):
        for correlated in (False, True):
            for ratio in (1.0, 0.95):
                yield simulate(ratio, correlated, runs, seed, limits, make_up)


def table(runs: int) -> str:
    """The designs as a table in Markdown."""
    lines = [
        "| design | pairs of 12 | all pairs | retakes a trial | truth in the interval | difference shown |"
    ]
    lines += ["| --- | --- | --- | --- | --- | --- |"]
    for kept in designs(runs):
        rule = f"{kept.design} | {kept.pairs:.1f} | {kept.complete:.1%} | {kept.retakes:.2f}"
        lines.append(f"| {rule} | {kept.covered:.1%} | {kept.different:.1%} |")
    return "\n".join(lines)


if __name__ == "__main__":
    print(table(2000))
