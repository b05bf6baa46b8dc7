"""Real engines for the live tests: one bench for the whole session, and the host as it was before."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from backend.core.sample.record import TrialRecord
from backend.core.topology.paths import PATHS
from worker.trial.bench import Bench, Places
from worker.trial.hooks import NoHooks
from worker.trial.measure import Measurement, Order

ROOT = Path(__file__).parents[2]
INSTALL = "livetest"

LEVELS = {
    "clients": 4,
    "threads": 1,
    "protocol": "prepared",
    "scale": 1,
    "duration_s": 1,
    "warm_up_s": 0,
}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        item.add_marker("live")
        if os.geteuid() != 0:
            item.add_marker(pytest.mark.skip(reason="lab engines need root"))


@pytest.fixture(scope="session")
def places() -> Places:
    """A place of its own for the tests' engines; the image in it is kept between runs."""
    return Places(INSTALL, Path("/run") / f"plimsoll-{INSTALL}", ROOT / "var" / "live-tests")


@pytest.fixture(scope="session")
def bench(places: Places) -> Iterator[Bench]:
    """Both lab engines, up for the whole session."""
    made = Bench(places, print)
    made.start()
    yield made
    made.stop()


def trial(
    bench: Bench, label: str, userland_proxy: bool, *, taken: str | None = None, **levels: int | str
) -> TrialRecord:
    """One real trial: claimed to take `label`, really sent along `taken`."""
    order = Order(
        trial_id="trl_0000000000000000",
        fence=1,
        label=PATHS[label],
        taken=PATHS[taken or label],
        levels=LEVELS | levels | {"path": label, "userland_proxy": userland_proxy},
    )
    return Measurement(bench.deployment(userland_proxy), order, NoHooks()).run()
