"""The HostsResult: the runs of a group side by side, ready to draw. No reader of it computes a statistic."""

from __future__ import annotations

from typing import Literal

from backend.core.chart.compare_runs.run_comparison_model import Relevance
from backend.core.chart.model.model_base import Difference, Interval, Part, ServedBy
from backend.core.messages.message import MessageParts, Sentence, WithMessages
from backend.core.plan.states import RunState
from backend.core.statistics.verdict import VerdictKind

MemberState = Literal[RunState, "deleted"]
DisagreementOutcome = Literal["disagree", "none_shown", "cannot_tell"]


class InfeasibleCell(Part, WithMessages):
    """A cell that a host cannot run, and the reason."""

    label: str
    reason: Sentence
    reason_message: MessageParts | None = None


class HostMember(Part, WithMessages):
    """One host of the group with its run; `run_id` is null where the run was deleted.

    `color` and `shape` index the page's palettes. `trust` is the qualification by the A/A checks.
    """

    host: str
    run_id: str | None
    state: MemberState
    started_at: str | None
    seed: int | None
    rounds: int
    color: int
    shape: int
    trust: Sentence | None
    trust_message: MessageParts | None = None
    infeasible: tuple[InfeasibleCell, ...]


class HostsDifference(Part, WithMessages):
    """A fact of the environment in which hosts differ: its values in the order of the members."""

    key: str
    values: tuple[str | None, ...]
    relevance: Relevance
    remark: Sentence
    remark_message: MessageParts | None = None


class HostFigure(Part, WithMessages):
    """One cell on one host: its own values, and its ratio to the host's own baseline.

    `interval` of the ratio holds 95 % simultaneously over the `family`: the comparisons of the metric on all
    hosts. It excludes 1 exactly where `p_adjusted` is at most 5 %. `n` are the values, `replicates` the
    independent ones of the ratio: rounds where one server serves both cells, server starts where each has its
    own. `missing` is why there are no values. Where no ratio exists because a value is zero, `difference` is
    the cell − its baseline, in the same family.
    """

    host: str
    n: int
    median: float | None
    median_interval: Interval | None
    replicates: int
    ratio: float | None
    interval: Interval | None
    p: float | None
    p_adjusted: float | None
    family: int
    verdict: VerdictKind | None
    sentence: Sentence
    message: MessageParts | None = None
    server: ServedBy | None
    missing: Sentence | None
    missing_message: MessageParts | None = None
    difference: Difference | None = None


class Disagreement(Part, WithMessages):
    """Whether hosts disagree about one cell's ratio to their own baselines.

    `hosts` take part; `apart` are the two that differ most by their p, `ratio` is the second's ratio ÷ the
    first's, with an interval that holds 95 % simultaneously over the `family`: all pairs of hosts of all
    cells.
    Cochran's `q` with its `df`, and I², describe the same data and decide nothing. `spread` is the standard
    deviation of the hosts' logarithmic ratios (0.02 is 2 %); its interval excludes 0 exactly where hosts
    disagree. All are null where too few hosts take part. Where a value is zero on some host, hosts are
    compared by the cell − its baseline: `difference` is the second's − the first's, `spread` is in the
    metric's unit, and `ratio` and `interval` are null.
    """

    outcome: DisagreementOutcome
    sentence: Sentence
    message: MessageParts | None = None
    hosts: tuple[str, ...]
    family: int
    p_adjusted: float | None = None
    apart: tuple[str, ...] = ()
    ratio: float | None = None
    interval: Interval | None = None
    q: float | None = None
    df: int | None = None
    i_squared: float | None = None
    spread: float | None = None
    spread_interval: Interval | None = None
    difference: Difference | None = None


class HostsRow(Part):
    """One cell on all hosts, in the order of the members; a baseline has values and no ratio."""

    cell_id: str
    label: str
    levels: dict[str, str | int | bool]
    is_baseline: bool
    figures: tuple[HostFigure, ...]
    disagreement: Disagreement | None


class HostsTable(Part, WithMessages):
    """One metric: all cells that yield it."""

    metric: str
    label: str
    unit: str
    better: Literal["higher", "lower"]
    decimals: int
    headline: Sentence
    headline_message: MessageParts | None = None
    family: int
    rows: tuple[HostsRow, ...]


class HostsResult(Part, WithMessages):
    """The result of a group of runs: the same experiment on several hosts, in one metric.

    `notices` qualify everything below them and come first: what differs between the hosts, and which levels
    ran on some of them only. `metrics` are those that a request may name. `method` names the methods of the
    ratios and of the disagreement.
    """

    schema_version: Literal[1] = 1
    group_id: str
    experiment_id: str
    name: str
    title: str
    ended: bool
    margin: float
    headline: Sentence
    headline_message: MessageParts | None = None
    notices: tuple[Sentence, ...]
    notice_messages: tuple[MessageParts | None, ...] = ()
    members: tuple[HostMember, ...]
    differences: tuple[HostsDifference, ...]
    metrics: tuple[str, ...]
    table: HostsTable
    method: tuple[str, ...]
