"""The quiet gate and repeated measurements on real engines, beside a busy process of the test."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

import pytest

from backend.core.definition.quality import Quality
from backend.core.sample.quality import MOST_QUIET_CORES
from backend.core.sample.record import TrialQuality, TrialRecord
from backend.core.topology.paths import PATHS
from tests.live.conftest import levels_of
from worker.topology.testbed import Testbed
from worker.trial.measurement import Measurement
from worker.trial.repeats import QuietGate, RepeatPolicy, until_undisturbed
from worker.trial.trial_record import TrialSpec
from worker.workload.hooks import NoHooks

BUSY_S = 120
OFF = Quality(wait_for_quiet_s=0, max_other_cores=None, max_steal=None, retakes=0)
STRICT = Quality(wait_for_quiet_s=1, max_other_cores=0.05, max_steal=None, retakes=1)


@pytest.fixture
def busy_process() -> Iterator[None]:
    """One process that is always runnable, for at most BUSY_S seconds."""
    burn = f"import time\nend = time.monotonic() + {BUSY_S}\nwhile time.monotonic() < end: pass"
    child = subprocess.Popen([sys.executable, "-c", burn])
    yield
    child.kill()
    child.wait()


def quality_of(testbed: Testbed, limits: Quality) -> TrialQuality:
    """The quality of one trial's record, measured with these limits."""
    levels = levels_of("published_loopback")

    def take(gate: QuietGate) -> TrialRecord:
        setup = testbed.setup(levels)
        try:
            gate.wait(setup.outside())
            spec = TrialSpec("trl_0000000000000000", 1, PATHS["published_loopback"], levels)
            return Measurement(setup, spec, NoHooks(), testbed.tools).run()
        finally:
            setup.close()

    found = until_undisturbed(take, limits, NoHooks(), RepeatPolicy()).quality
    assert found is not None
    return found


@pytest.mark.usefixtures("busy_process")
def test_beside_a_busy_process_a_trial_waits_is_repeated_and_stays_contaminated(testbed: Testbed) -> None:
    found = quality_of(testbed, STRICT)
    assert (found.takes, len(found.discarded)) == (2, 1)
    assert found.waited_seconds >= 2 * STRICT.wait_for_quiet_s
    assert [reason.partition(":")[0] for reason in found.contaminated] == ["other processes"]
    assert found.readings is not None and found.readings.other_cores is not None
    assert found.quiet_cores is not None and 0 <= found.quiet_cores <= MOST_QUIET_CORES
    assert found.readings.other_cores > 0.05 + found.quiet_cores
    assert found.not_quiet
    assert found.invalid == ()


@pytest.mark.usefixtures("busy_process")
def test_without_limits_it_is_measured_at_once(testbed: Testbed) -> None:
    found = quality_of(testbed, OFF)
    assert (found.takes, found.discarded, found.contaminated, found.waited_seconds) == (1, (), (), 0.0)
    assert found.readings is not None and found.readings.steal is not None
