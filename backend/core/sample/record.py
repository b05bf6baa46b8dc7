"""What a trial leaves behind: the record that is spooled, stored, shown and recomputed from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, computed_field, model_validator

from backend.core.definition.deprecation import deprecated
from backend.core.sample.notice import Notice

Role = Literal["client", "server", "proxy", "kernel", "other"]
ROLES: tuple[Role, ...] = ("client", "server", "proxy", "kernel", "other")
ByRole = Mapping[Role, float] | Mapping[str, float]
EvidenceVerdict = Literal["proven", "not_proven", "contradicted"]


class Part(BaseModel):
    """Base of every part of the record: frozen, no unknown fields, no NaN."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class Window(Part):
    """The measured window. Wall times are RFC 3339 in UTC, for display only."""

    started_at: str
    ended_at: str
    seconds: float


class CpuByRole(Part):
    """CPU spent in the window, in core-seconds; `capacity` is cores × window.

    `roles` and `tasks_total` come from nanosecond counters, `idle` and `steal` from /proc/stat.
    `untasked`, contained in `roles.kernel`, is the kernel's work in no task: interrupts, entering and
    leaving idle; found by subtraction. `host_busy` = Σ `roles`. `overlap` is by how much the counters add up
    to more than the capacity, `unattributed` = `capacity` − Σ `roles` − `idle` − `steal`, its negative.
    `sources` names the counter of each role. Records without `overlap` have it taken off `host_busy`.
    """

    roles: dict[Role, float]
    tasks_total: float
    host_busy: float
    unattributed: float
    untasked: float = 0.0
    overlap: float = 0.0
    idle: float
    steal: float
    capacity: float
    sources: dict[Role, str]


class ProcessCpu(Part):
    """CPU in core-seconds that one process spent in the window; of one of its threads where `thread` is set.

    `name` is the program and what it is: "nginx worker", "docker-proxy", "haproxy".
    """

    role: Role
    name: str
    pid: int
    thread: int | None
    seconds: float
    context_switches: int | None


class SecondPoint(Part):
    """One second of a tool's own progress report: seconds since its start, rate and latency.

    `rate` is in the unit of the tool's own rate: transactions or requests per second, Gbit/s.
    """

    t: float
    rate: float
    latency_ms: float | None
    latency_stddev_ms: float | None


class CpuPoint(Part):
    """CPU in cores between two readings of the sampler; `t` in seconds since the window's start."""

    t: float
    cores: dict[str, float]


class Signal(Part):
    """One independent observation with its expected value.

    `state` is `agrees`, `disagrees` or `unknown` (the host could not feed it).
    """

    name: str
    expected: str
    observed: str
    state: Literal["agrees", "disagrees", "unknown"]


class Evidence(Part):
    """What was observed on the wire, and whether it proves the hops that the label claims."""

    path: str
    hops: tuple[str, ...]
    verdict: EvidenceVerdict
    sentence: str
    signals: tuple[Signal, ...]


class Command(Part):
    """One command as it ran: its exact argv, where, its exit code and its raw output.

    `collect` reads what the measuring command left in a file.
    """

    purpose: Literal["warm_up", "measure", "collect"]
    argv: tuple[str, ...]
    container: str
    exit_code: int
    stdout: str
    stderr: str


class OutsideReadings(Part):
    """What lay outside client, server and proxy in `seconds` of time; None where the host shows none of it.

    `other_cores` are cores that processes outside the trial used, without this worker and the engine;
    `steal` the hypervisor's share of the CPU (0 to 1); `pressure` the share of the time in which something
    waited for a CPU. Of a window: `asked_seconds` and `connections` as the cell's levels say, the relative
    change of the CPUs' mean frequency, and thermal throttling events.
    """

    seconds: float
    other_cores: float | None = None
    steal: float | None = None
    pressure: float | None = None
    asked_seconds: float | None = None
    connections: int = 0
    frequency_change: float | None = None
    throttles: int | None = None


class DiscardedTake(Part):
    """One contaminated measurement that was repeated: the reasons and the readings."""

    reasons: tuple[str, ...]
    readings: OutsideReadings
    waited_seconds: float


class TrialQuality(Part):
    """Whether the trial may be used, and what it took to get it.

    `invalid` names each physical bound that its figures break, `contaminated` what disturbed the recorded
    take from outside. `takes` counts every take, the recorded one included; `waited_seconds` is the time
    before all of them in which the host was watched. `not_quiet` says why the last wait ended without a
    quiet host. `quiet_cores`, what other processes of the host use anyway, was added to their limit.
    """

    invalid: tuple[str, ...] = ()
    contaminated: tuple[str, ...] = ()
    readings: OutsideReadings | None = None
    takes: int = 1
    discarded: tuple[DiscardedTake, ...] = ()
    waited_seconds: float = 0.0
    not_quiet: tuple[str, ...] = ()
    quiet_cores: float | None = None


class LinkEnd(Part):
    """A host's device on the route to the other host; None: it does not report its MTU or speed."""

    device: str
    address: str
    mtu: int | None
    speed_mbit: int | None


class ClientHost(Part):
    """Where the client of a trial ran, if that was another host than the server's.

    `seconds` is the window on its own monotonic clock. The server's window contains it and is longer by
    `excess_seconds`. `cpu` is the host's part of the record's `cpu`, which is the sum of both hosts.
    """

    name: str
    link: LinkEnd
    server_link: LinkEnd
    seconds: float
    excess_seconds: float
    cpu: CpuByRole
    versions: dict[str, str]


class WithNotices(Part):
    """A record with the notices that qualify its figures.

    Records of before notices were values hold `warnings` alone: the same as text.
    """

    notices: tuple[Notice, ...] = ()

    @computed_field(json_schema_extra=deprecated)  # type: ignore[prop-decorator]  # mypy #1362
    @property
    def warnings(self) -> tuple[str, ...]:
        """Deprecated: the `notices`, each as one line of text."""
        return tuple(map(str, self.notices))

    @model_validator(mode="before")
    @classmethod
    def _read_text(cls, record: Any) -> Any:
        if not isinstance(record, Mapping) or "warnings" not in record:
            return record
        texts = record["warnings"]
        known = {key: value for key, value in record.items() if key != "warnings"}
        return {"notices": tuple(map(Notice.from_text, texts))} | known


class TrialRecord(WithNotices):
    """Everything about one finished trial. Derived numbers can be recomputed from the raw parts.

    `server` names the start of the server that served it: equal for trials of one start, and for no others.
    """

    schema_version: Literal[1] = 1
    trial_id: str
    fence: int
    window: Window
    metrics: dict[str, float]
    latency_measured: bool
    transactions: int
    failed_transactions: int
    cpu: CpuByRole
    processes: tuple[ProcessCpu, ...] = ()
    histogram: tuple[tuple[int, int], ...] = ()
    per_second: tuple[SecondPoint, ...]
    cpu_series: tuple[CpuPoint, ...]
    counters: dict[str, int]
    evidence: Evidence
    commands: tuple[Command, ...]
    versions: dict[str, str]
    facts: dict[str, str] = {}
    overhead_seconds: float
    quality: TrialQuality | None = None
    server: str | None = None
    client_host: ClientHost | None = None


class ImportedRecord(WithNotices):
    """What an imported log says of one trial that was measured elsewhere: no CPU and no evidence of its path.

    `metrics` are the tool's own; everything can be recomputed from `stdout` and `stderr`.
    """

    schema_version: Literal[1] = 1
    origin: Literal["imported"] = "imported"
    trial_id: str
    tool: str
    metrics: dict[str, float]
    latency_measured: bool
    transactions: int
    failed_transactions: int
    histogram: tuple[tuple[int, int], ...] = ()
    per_second: tuple[SecondPoint, ...] = ()
    versions: dict[str, str]
    facts: dict[str, str] = {}
    stdout: str
    stderr: str
