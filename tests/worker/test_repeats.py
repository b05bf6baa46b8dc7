"""The quiet gate and repeated measurements: waiting, repeating, giving up, and cancellations."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import pytest

from backend.core.definition.quality import DEFAULT, Quality
from backend.core.plan.claimed import ClaimedTrial
from backend.core.sample.record import OutsideReadings, TrialQuality, TrialRecord
from tests.records import trial_record
from tests.worker.conftest import Clock
from worker.trial.quiet_level import READINGS, QuietLevel
from worker.trial.repeats import GIVE_UP, QuietGate, RepeatPolicy, limits_of, until_undisturbed
from worker.workload.hooks import NoHooks, Phase, Stop, Stopped

NOISY = OutsideReadings(seconds=3.0, other_cores=0.9, steal=0.0, asked_seconds=3.0)
QUIET = OutsideReadings(seconds=3.0, other_cores=0.02, steal=0.0, asked_seconds=3.0)
CLAIMED = ClaimedTrial("trl_0123456789abcdef", "run_1", "c1", 1, 1, 1, {"path": "same_container"}, {})


class Host:
    """Given readings of a host, one after the other; the last one is repeated."""

    def __init__(self, *readings: OutsideReadings) -> None:
        self._next: Iterator[OutsideReadings] = iter(readings)
        self._last = readings[-1]
        self.samples = 0

    def restart(self) -> None:
        """Nothing to begin."""

    def sample(self) -> OutsideReadings:
        self.samples += 1
        return next(self._next, self._last)


def gate(limits: Quality = DEFAULT, hooks: NoHooks | None = None) -> tuple[QuietGate, Clock]:
    clock = Clock()
    return QuietGate(limits, hooks or NoHooks(), QuietLevel(0.0), clock, clock.pause), clock


def record(readings: OutsideReadings | None) -> TrialRecord:
    found = TrialRecord.model_validate(trial_record(CLAIMED))
    return found.model_copy(update={"quality": TrialQuality(readings=readings)})


def takes(*readings: OutsideReadings | None) -> tuple[Callable[[QuietGate], TrialRecord], list[QuietGate]]:
    """A measurement with each of the readings, and the gates that they passed."""
    left, gates = list(readings), []

    def take(gate: QuietGate) -> TrialRecord:
        gates.append(gate)
        return record(left.pop(0))

    return take, gates


def test_a_quiet_host_costs_one_sample() -> None:
    one, clock = gate()
    host = Host(QUIET)
    one.wait(host)
    assert (host.samples, one.reasons) == (1, ())
    assert one.waited_s == clock.now == pytest.approx(0.25)


def test_it_waits_until_the_host_is_quiet() -> None:
    one, _ = gate()
    host = Host(NOISY, NOISY, NOISY, QUIET)
    one.wait(host)
    assert (host.samples, one.reasons) == (4, ())
    assert one.waited_s == pytest.approx(1.0)


def test_it_waits_no_longer_than_its_limit_and_lists_what_was_not_quiet() -> None:
    one, _ = gate(Quality(wait_for_quiet_s=2))
    one.wait(Host(NOISY))
    assert one.waited_s == pytest.approx(2.0, abs=0.25)
    assert one.reasons == ("other processes: 0.90 cores, limit 0.15",)


def test_without_a_wait_nothing_is_read() -> None:
    one, clock = gate(Quality(wait_for_quiet_s=0))
    host = Host(NOISY)
    one.wait(host)
    assert (host.samples, clock.now, one.waited_s) == (0, 0.0, 0.0)


def using(cores: float) -> OutsideReadings:
    return QUIET.model_copy(update={"other_cores": cores})


def test_the_quiet_level_of_a_host_is_the_lowest_of_its_readings_before_the_first_trial_of_a_run() -> None:
    clock, level = Clock(), QuietLevel()
    host = Host(QUIET, using(0.9), using(0.16), using(0.2), using(0.3))
    one = QuietGate(Quality(wait_for_quiet_s=1), NoHooks(), level, clock, clock.pause)
    one.wait(host)
    assert (level.cores, READINGS, one.reasons) == (0.15, 3, ()), "0.16 counts as 0.15"
    assert clock.now == pytest.approx(3.5) and one.waited_s == pytest.approx(0.5), "no wait for quiet"
    QuietGate(DEFAULT, NoHooks(), level, clock, clock.pause).wait(host)
    assert clock.now == pytest.approx(3.75), "read once"


def test_of_an_idle_host_one_reading_is_enough() -> None:
    clock, level = Clock(), QuietLevel()
    QuietGate(DEFAULT, NoHooks(), level, clock, clock.pause).wait(Host(using(0.04)))
    assert (level.cores, clock.now) == (0.04, pytest.approx(1.5))


def test_the_quiet_level_is_read_when_a_disturbance_has_ended() -> None:
    clock, level = Clock(), QuietLevel()
    host = Host(*[using(1.2)] * 20, using(0.1))
    one = QuietGate(DEFAULT, NoHooks(), level, clock, clock.pause)
    one.wait(host)
    assert (level.cores, one.reasons) == (0.1, ())
    assert one.waited_s == pytest.approx(21 * 0.25 + 0.25)


def test_a_host_that_is_never_quiet_is_waited_for_once() -> None:
    clock, level = Clock(), QuietLevel()
    one = QuietGate(Quality(wait_for_quiet_s=2), NoHooks(), level, clock, clock.pause)
    one.wait(Host(NOISY))
    assert one.reasons == ("other processes: 0.90 cores, limit 0.3",)
    assert one.waited_s == pytest.approx(2.0) and level.cores == 0.15


def test_a_slow_host_repeats_no_trial_for_what_it_always_uses() -> None:
    level = QuietLevel(0.12)
    found = until_undisturbed(takes(using(0.2))[0], DEFAULT, NoHooks(), RepeatPolicy(), level).quality
    assert found is not None
    assert (found.contaminated, found.takes, found.quiet_cores) == ((), 1, 0.12)
    found = until_undisturbed(takes(*[using(0.3)] * 3)[0], DEFAULT, NoHooks(), RepeatPolicy(), level).quality
    assert found is not None and found.contaminated == ("other processes: 0.30 cores, limit 0.27",)


def test_each_run_has_a_quiet_level_of_its_own() -> None:
    policy = RepeatPolicy()
    first = policy.level_of("run_1")
    first.cores = 0.1
    assert policy.level_of("run_1") is first
    assert policy.level_of("run_2").cores is None


def test_without_a_limit_of_other_processes_no_level_is_read() -> None:
    clock, level = Clock(), QuietLevel()
    host = Host(QUIET)
    QuietGate(Quality(max_other_cores=None), NoHooks(), level, clock, clock.pause).wait(host)
    assert (level.cores, host.samples) == (None, 1)


class Shown(NoHooks):
    """Hooks that keep the phases."""

    def __init__(self) -> None:
        self.phases: list[tuple[Phase, tuple[str, ...]]] = []

    def phase(self, phase: Phase, reasons: Sequence[str]) -> None:
        self.phases.append((phase, tuple(reasons)))


def test_a_wait_is_shown_every_two_seconds_with_its_reasons() -> None:
    hooks, clock = Shown(), Clock()
    limits = Quality(wait_for_quiet_s=5)
    one = QuietGate(limits, hooks, QuietLevel(0.0), clock, clock.pause)
    one.wait(Host(NOISY))
    assert [phase for phase, _ in hooks.phases] == ["waiting"] * 3
    assert hooks.phases[0][1] == one.reasons != ()


def test_a_repeat_is_shown_with_the_reasons_of_the_take() -> None:
    hooks = Shown()
    until_undisturbed(takes(NOISY, QUIET)[0], DEFAULT, hooks, RepeatPolicy())
    assert [phase for phase, _ in hooks.phases] == ["repeating"]
    assert any("other processes" in reason for reason in hooks.phases[0][1])


@pytest.mark.parametrize("why", ["cancel", "stale", "abort"])
def test_a_stop_request_ends_the_wait(why: Stop) -> None:
    class Hooks(NoHooks):
        def stop_wanted(self) -> Stop | None:
            return why if clock.now >= 1.0 else None

    clock = Clock()
    with pytest.raises(Stopped) as stopped:
        QuietGate(DEFAULT, Hooks(), QuietLevel(0.0), clock, clock.pause).wait(Host(NOISY))
    assert stopped.value.why == why
    assert clock.now == pytest.approx(1.0, abs=0.06)


def test_a_contaminated_trial_is_measured_again_and_records_it() -> None:
    take, gates = takes(NOISY, QUIET)
    found = until_undisturbed(take, DEFAULT, NoHooks(), RepeatPolicy()).quality
    assert found is not None and len(gates) == 2
    assert (found.takes, found.contaminated, found.readings) == (2, (), QUIET)
    (discarded,) = found.discarded
    assert discarded.reasons == ("other processes: 0.90 cores, limit 0.15",)
    assert discarded.readings == NOISY


def test_the_last_measurement_is_kept_and_marked() -> None:
    take, gates = takes(NOISY, NOISY, NOISY, QUIET)
    found = until_undisturbed(take, DEFAULT, NoHooks(), RepeatPolicy()).quality
    assert found is not None and len(gates) == 3
    assert (found.takes, len(found.discarded)) == (3, 2)
    assert found.contaminated == ("other processes: 0.90 cores, limit 0.15",)


def test_the_waits_of_all_measurements_are_added() -> None:
    readings = [NOISY, QUIET]

    def take(gate: QuietGate) -> TrialRecord:
        gate.waited_s = 1.5
        return record(readings.pop(0))

    found = until_undisturbed(take, DEFAULT, NoHooks(), RepeatPolicy()).quality
    assert found is not None
    assert (found.waited_seconds, found.discarded[0].waited_seconds) == (3.0, 1.5)


def test_a_host_that_stays_noisy_is_measured_without_waiting_until_it_is_quiet() -> None:
    policy = RepeatPolicy()
    for _ in range(GIVE_UP):
        until_undisturbed(takes(NOISY, NOISY, NOISY)[0], DEFAULT, NoHooks(), policy)
    assert policy.limits(DEFAULT) == Quality(wait_for_quiet_s=0, retakes=0)
    take, gates = takes(NOISY)
    found = until_undisturbed(take, DEFAULT, NoHooks(), policy).quality
    assert found is not None and found.contaminated and len(gates) == 1
    until_undisturbed(takes(QUIET)[0], DEFAULT, NoHooks(), policy)
    assert policy.limits(DEFAULT) == DEFAULT


def test_a_failed_measurement_ends_the_trial() -> None:
    def fails(_gate: QuietGate) -> TrialRecord:
        raise Stopped("cancel")

    with pytest.raises(Stopped):
        until_undisturbed(fails, DEFAULT, NoHooks(), RepeatPolicy())


def test_a_record_without_readings_is_never_contaminated() -> None:
    found = until_undisturbed(takes(None)[0], DEFAULT, NoHooks(), RepeatPolicy()).quality
    assert found is not None and found.contaminated == ()


def test_limits_come_from_the_definition_or_are_the_defaults() -> None:
    assert limits_of({}) == DEFAULT
    assert limits_of({"quality": {"retakes": 5}}) == Quality(retakes=5)
