"""The rule for a quiet host: each limit, and what it may read."""

from __future__ import annotations

import inspect
from typing import Any

import pytest

from backend.core.definition.metrics import METRICS
from backend.core.definition.quality import DEFAULT, Quality
from backend.core.sample import quality
from backend.core.sample.notice import Notice
from backend.core.sample.notice_kinds import KINDS
from backend.core.sample.quality import MOST_QUIET_CORES, contamination, not_quiet, raised
from backend.core.sample.record import OutsideReadings

QUIET = OutsideReadings(
    seconds=3.2, other_cores=0.05, steal=0.01, pressure=0.05, asked_seconds=3.0, connections=10,
    frequency_change=0.01, throttles=0,
)  # fmt: skip
OFF = Quality(max_other_cores=None, max_steal=None)


def readings(**changes: Any) -> OutsideReadings:
    return QUIET.model_copy(update=changes)


def test_a_quiet_host_and_one_that_shows_nothing_pass() -> None:
    for found in (QUIET, OutsideReadings(seconds=3.0)):
        assert not_quiet(found, DEFAULT) == contamination(found, DEFAULT) == ()


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"other_cores": 0.61}, "other processes: 0.61 cores, limit 0.15"),
        ({"steal": 0.062}, "steal: 6.2% of the CPU, limit 5%"),
        ({"seconds": 3.9}, "overlong window: 3.90 s instead of 3 s"),
        ({"frequency_change": -0.08}, "CPU frequency: changed by -8% during the window, limit 5%"),
        ({"throttles": 2}, "thermal throttling: 2 events during the window"),
    ],
)
def test_each_limit_contaminates_with_its_reason(changes: dict[str, Any], reason: str) -> None:
    assert contamination(readings(**changes), DEFAULT) == (reason,)
    assert Notice.from_text(reason).kind in KINDS, "the page has a name of this kind"
    assert contamination(readings(**changes), OFF) == (), "null: not judged"


def test_other_processes_are_limited_beyond_the_quiet_level_of_the_host() -> None:
    slow = raised(DEFAULT, 0.12)
    assert contamination(readings(other_cores=0.26), slow) == ()
    assert contamination(readings(other_cores=0.3), slow) == ("other processes: 0.30 cores, limit 0.27",)
    assert slow.model_copy(update={"max_other_cores": DEFAULT.max_other_cores}) == DEFAULT
    busy = raised(DEFAULT, 0.9)
    assert busy.max_other_cores == 0.15 + MOST_QUIET_CORES, "a busy host has no quiet level"
    assert raised(DEFAULT, None) == DEFAULT and raised(OFF, 0.1) == OFF


def test_a_trial_waits_for_other_processes_steal_and_pressure() -> None:
    busy = readings(other_cores=1.2, steal=0.2, pressure=0.5, seconds=99.0, throttles=9)
    assert [reason.partition(":")[0] for reason in not_quiet(busy, DEFAULT)] == [
        "other processes", "steal", "CPU pressure",
    ]  # fmt: skip
    assert not_quiet(busy, OFF) == ()


def test_pressure_is_no_reason_afterwards_because_client_and_server_make_it() -> None:
    assert contamination(readings(pressure=1.0), DEFAULT) == ()


def test_connections_may_take_their_time() -> None:
    assert contamination(readings(seconds=4.5), DEFAULT)
    assert contamination(readings(seconds=4.5, connections=200), DEFAULT) == ()


@pytest.mark.parametrize("rule", [not_quiet, contamination])
def test_the_rule_cannot_read_a_metric(rule: Any) -> None:
    """Its arguments hold what lies outside and fixed limits: no metric, no transaction, no role's CPU."""
    assert list(inspect.signature(rule, eval_str=True).parameters.values()) == [
        inspect.Parameter("readings", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=OutsideReadings),
        inspect.Parameter("limits", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=Quality),
    ]
    inside = {*METRICS, "metrics", "transactions", "roles", "client", "server", "proxy"}
    assert inside.isdisjoint(OutsideReadings.model_fields)
    assert not hasattr(quality, "METRICS")
