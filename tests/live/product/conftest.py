"""One installation of the whole product for the tests of this folder, as scripts/up starts it."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from scripts.starter.sandbox import api_uid
from tests.live.conftest import ROOT
from tests.live.folders import forget_engines, new_folder
from tests.live.host import snapshot
from tests.live.product.installation import Product, await_ready, free_port, terminal
from worker.engine.names import InstallPaths
from worker.topology.testbed import Testbed

LIMITS = ("ADDRESS_READS", "ADDRESS_WRITES", "CALLER_READS", "CALLER_WRITES", "SECRET_GUESSES")
UNLIMITED = {f"PLIMSOLL_RATE_{name}": "off" for name in LIMITS}
"""Each request is to be refused for what it is, however fast they are sent."""


@pytest.fixture(scope="package")
def product(testbed: Testbed, install: InstallPaths) -> Iterator[Product]:
    """A complete installation; after its stop the host must be unchanged."""
    var = new_folder("live-product", install)
    before = snapshot("none")
    port = free_port()
    starter = subprocess.Popen(
        [ROOT / "scripts/up", "--port", str(port)],
        cwd=ROOT,
        env=os.environ | {"PLIMSOLL_VAR_DIR": str(var), "SECRET_OF_ROOT": "hidden"} | UNLIMITED,
    )
    try:
        await_ready(starter, var)
        running = Product(f"http://127.0.0.1:{port}", starter, var, (var / "install-id").read_text().strip())
        yield running
    finally:
        starter.send_signal(signal.SIGTERM)
        code = starter.wait(120)
        forget_engines(var)
    assert code == 0
    after = snapshot(running.install_id, (var,))
    assert after == before
    assert not Path("/run", f"plimsoll-{running.install_id}").exists()
    assert _processes_of(api_uid(running.install_id)) == []


def _processes_of(uid: int) -> list[str]:
    return [entry.name for entry in Path("/proc").glob("[0-9]*") if entry.stat().st_uid == uid]


@pytest.fixture(scope="package")
def study(product: Product) -> dict[str, Any]:
    """The first run of the installation, as soon as it has ended."""
    return product.await_run(product.run("study-small", rounds=1), terminal)
