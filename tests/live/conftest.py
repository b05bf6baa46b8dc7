"""Real engines for the live tests: one testbed for the whole session, and the host unchanged afterwards."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from backend.core.definition.factors import FACTORS, Level, applicable
from backend.core.plan.restarts import ServedCell
from backend.core.sample.record import TrialRecord
from backend.core.topology.deployment import EngineSpec
from backend.core.topology.feasible import infeasible
from backend.core.topology.paths import PATHS
from tests.live.folders import forget_engines, remove_interrupted
from tests.live.seeding import link_image
from tests.machine_lock import ROOT
from worker.engine.names import InstallPaths, engine_names
from worker.topology.testbed import RELAY, Testbed
from worker.trial.measurement import Measurement
from worker.trial.trial_record import TrialSpec
from worker.workload.hooks import NoHooks

INSTALL = "livetest"
TRIES = 3
OF_EVERY_PATH = "test_a_path_is_proven_under_its_own_name"

SMALL: dict[str, Level] = {"clients": 4, "duration_s": 1, "warm_up_s": 0, "scale": 1, "engine": "lab"}
WORKLOADS: dict[str, dict[str, Level]] = {
    "postgres": {"tool": "pgbench", "service": "postgres", "threads": 1},
    "pong": {"tool": "wrk", "service": "pong", "threads": 2},
    "flask": {"tool": "wrk", "service": "flask", "threads": 2},
    "iperf3_server": {"tool": "iperf3", "service": "iperf3_server"},
}


def pytest_configure(config: pytest.Config) -> None:
    """PostgreSQL and Redis for the tests of this folder."""
    config.pluginmanager.import_plugin("tests.service_fixtures")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        item.add_marker("live")
        if os.geteuid() != 0:
            item.add_marker(pytest.mark.skip(reason="lab engines need root"))


@pytest.fixture(scope="session")
def install() -> InstallPaths:
    """The tests' own installation; its image is kept between test runs."""
    return InstallPaths(INSTALL, Path("/run") / f"plimsoll-{INSTALL}", ROOT / "var" / "live-tests")


@pytest.fixture(scope="session")
def testbed(install: InstallPaths) -> Iterator[Testbed]:
    """A testbed with both lab engines, for the whole session."""
    remove_interrupted(install.var)
    running = Testbed(install, print)
    running.start()
    try:
        others = ("swarm", "remote", EngineSpec("lab", True, RELAY).key)
        link_image(engine_names(install, "on"), *(engine_names(install, key) for key in others))
        yield running
    finally:
        running.stop()
        forget_engines(install.var)


@pytest.fixture(scope="session")
def path_servers(request: pytest.FixtureRequest, testbed: Testbed) -> None:
    """The servers of all paths that tests of this session take, started at the same time."""
    cells = {
        (item.callspec.params["path"], item.callspec.params["userland_proxy"])
        for item in request.session.items
        if isinstance(item, pytest.Function)
        and item.originalname == "test_a_path_is_proven_under_its_own_name"
    }
    levels = [levels_of(str(path), bool(setting)) for path, setting in sorted(cells, key=str)]
    served = [ServedCell(cell) for cell in levels if infeasible(cell, testbed.capabilities()) is None]
    testbed.prepare("run_paths", 0, lambda: served)


def levels_of(path: str, userland_proxy: bool = True, **levels: Level) -> dict[str, Level]:
    """One level of every factor that applies, for a trial of a second along a path."""
    services = PATHS[path].services or tuple(WORKLOADS)
    workload = WORKLOADS[str(levels.get("service", services[0]))]
    given = SMALL | workload | levels | {"path": path, "userland_proxy": userland_proxy}
    return applicable({name: given.get(name, factor.default) for name, factor in FACTORS.items()})


def measured(testbed: Testbed, levels: Mapping[str, Level], client_path: str | None = None) -> Measurement:
    """One real trial, labelled with the levels' path; its client takes `client_path`, by default the same.

    On a busy machine a sample of the connections may come too early or too late and prove nothing: only such
    a trial is repeated.
    """
    for _ in range(TRIES):
        measurement = _measured(testbed, levels, client_path)
        assert measurement.record is not None
        if measurement.record.evidence.verdict != "not_proven":
            break
    return measurement


def _measured(testbed: Testbed, levels: Mapping[str, Level], client_path: str | None) -> Measurement:
    setup = testbed.setup(levels, PATHS[client_path] if client_path else None)
    spec = TrialSpec("trl_0000000000000000", 1, PATHS[str(levels["path"])], levels)
    measurement = Measurement(setup, spec, NoHooks(), testbed.tools)
    try:
        measurement.run()
    finally:
        setup.close()
    return measurement


def trial(
    testbed: Testbed, label: str, userland_proxy: bool, *, client_path: str | None = None, **levels: Level
) -> TrialRecord:
    """The record of one real trial."""
    record = measured(testbed, levels_of(label, userland_proxy, **levels), client_path).record
    assert record is not None
    return record
