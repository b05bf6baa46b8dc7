"""Two hosts for the tests of this folder."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from backend.settings import Settings
from tests.live.two_hosts.pair import TwoHosts, two_hosts_in
from tests.store.queued_run import QueuedRun, queue_run
from worker.engine.names import InstallPaths
from worker.topology.testbed import Testbed


@pytest.fixture(scope="package")
def two_hosts(
    testbed: Testbed, install: InstallPaths, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[TwoHosts]:
    with two_hosts_in(tmp_path_factory.mktemp("two"), install) as two:
        yield two


@pytest.fixture
def queued(owner_settings: Settings) -> QueuedRun:
    return queue_run(owner_settings)
