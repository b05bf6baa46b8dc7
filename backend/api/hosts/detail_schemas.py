"""What one host does now and how noisy it is, and what a policy would do to its queue."""

from __future__ import annotations

from collections.abc import Iterable

from backend.api.hosts.schemas import Host
from backend.api.schema import Body, Timestamp, WithTexts
from backend.core.plan.states import RunState


class QueuedRun(Body):
    """A run of a team of the caller that waits or runs on a host."""

    id: str
    title: str
    state: RunState
    team_id: str
    team: str
    queued_trials: int
    running_trials: int


class HostQueue(Body):
    """What waits and runs on a host: all trials in numbers, and the runs of the caller's teams, oldest first.

    `other_runs` are those of other teams.
    """

    queued_trials: int
    running_trials: int
    runs: tuple[QueuedRun, ...]
    other_runs: int


class HostTrial(Body):
    """The trial that a host runs now. What it is, only to members of its team; else null."""

    started_at: Timestamp
    run_id: str | None = None
    trial_id: str | None = None
    title: str | None = None
    label: str | None = None
    round: int | None = None


class Bounds(Body):
    """A 95 % interval."""

    low: float
    high: float


class NoiseShare(Body):
    """How many of `n` trials, and Wilson's interval of the share; null where n is 0."""

    count: int
    n: int
    interval: Bounds | None


class NoiseMedian(Body):
    """The median of `n` values; its order-statistic interval is null where n is too small."""

    n: int
    median: float
    interval: Bounds | None


class NoiseSpread(Body):
    """The standard deviation of ln(rate) of one trial (0.01: about 1 %), from A/A pairs; null from too few.

    `sentence` says so in words.
    """

    spread: float | None
    interval: Bounds | None
    pairs: int
    runs: int
    sentence: str


class LoadSpread(NoiseSpread):
    """The spread under one tool and service, in the rate that the tool reports."""

    tool: str
    service: str
    metric: str


class HostNoise(Body):
    """How noisy a host is, from its own newest runs of all teams, without excluded and contaminated pairs.

    `score` pools all loads; hosts are comparable by the same load only. Of the newest trials: those that were
    `repeated` because the first measurement was contaminated, that stayed `contaminated`, whose quiet gate
    `gave_up`; the seconds `waited` for a quiet host, and the share of the CPU that the hypervisor took
    (`steal`). `until` is the end of the last run that counts.
    """

    score: NoiseSpread
    loads: tuple[LoadSpread, ...]
    repeated: NoiseShare
    contaminated: NoiseShare
    gave_up: NoiseShare
    waited_s: NoiseMedian | None
    steal: NoiseMedian | None
    until: Timestamp | None


class HostDetail(Host):
    """A host with its queue, the trial that it runs, and its noise.

    `equivalence_run_id` is the team's newest run that compares the host's own Docker daemon with a lab
    daemon: getEquivalence has its figures.
    """

    queue: HostQueue
    current: HostTrial | None
    noise: HostNoise
    equivalence_run_id: str | None = None

    def sentences(self) -> Iterable[str | None]:
        """Those of a host, and of its noise."""
        yield from super().sentences()
        yield from (spread.sentence for spread in (self.noise.score, *self.noise.loads))


class RunUnderPolicy(Body):
    """A run of a team of the caller of which a policy forbids trials that have not ended."""

    id: str
    title: str
    trials: int


class PolicyEffect(WithTexts):
    """What a policy does to the runs that wait on a host or run there.

    The worker ends each of these trials as failed with the code `policy_forbids` when its turn comes.
    `trials` counts those of all teams, `other_runs` the runs of teams of which the caller is no member.
    """

    trials: int
    runs: tuple[RunUnderPolicy, ...]
    other_runs: int
    reasons: tuple[str, ...]

    def sentences(self) -> Iterable[str | None]:
        """Why trials are forbidden."""
        return self.reasons
