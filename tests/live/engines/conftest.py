"""One lab of single engines for the tests of this folder."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.live.lab import Lab, new_lab
from worker.engine.names import InstallPaths
from worker.topology.testbed import Testbed


@pytest.fixture(scope="package")
def lab(testbed: Testbed, install: InstallPaths) -> Iterator[Lab]:
    """Engines by key, started on first use; the host is unchanged afterwards."""
    with new_lab(install) as lab:
        yield lab
