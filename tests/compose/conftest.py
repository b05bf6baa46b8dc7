"""The one installation of these tests. They run in the order of their files: start, TLS and hosts, end."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.compose.in_namespace import NetworkNamespace
from tests.compose.installation import BUILD_S, INSTALL, RUNTIME, VAR, Compose, Engine, build_settings
from tests.compose.server import Server
from tests.live.conftest import ROOT
from tests.live.host import snapshot
from worker.engine.names import InstallPaths
from worker.host.ledger import Ledger
from worker.images.bootstrap import ensure_image

LIMIT_S = 2400
"""Of a test with the set-up of all, which builds the images; it ends only what hangs."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        item.add_marker("live")
        item.add_marker(pytest.mark.timeout(LIMIT_S))
        if os.geteuid() != 0:
            item.add_marker(pytest.mark.skip(reason="a private engine needs root"))
        elif shutil.which("docker") is None:
            item.add_marker(pytest.mark.skip(reason="Docker's command line is not installed"))


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """An engine with the images, without a container; afterwards the host is as it was."""
    folder = tmp_path_factory.mktemp("compose")
    live = InstallPaths(INSTALL, RUNTIME, ROOT / "var" / "live-tests")
    before = host_state()
    engine = Engine()
    compose = Compose(engine, folder)
    try:
        engine.start(isolated=False)
        with ThreadPoolExecutor(1) as other:
            tools = other.submit(ensure_image, live, Ledger(VAR / "image-ledger.jsonl"), print)
            build(compose, folder)
            tools.result()
        engine.start(isolated=True)
        assert engine.running is not None
        namespace = NetworkNamespace(engine.running.netns_path)
        try:
            yield Server(engine, compose, namespace)
        finally:
            compose("--profile", "*", "down", "--volumes", "--timeout", "60")
            namespace.close()
    finally:
        engine.stop()
    assert host_state() == before
    shutil.rmtree(VAR)


def build(compose: Compose, folder: Path) -> None:
    """The images of compose.yaml, without what only their build needs."""
    settings = compose.settings
    compose.settings = settings | build_settings(folder)
    compose.script("scripts/compose/base-images")
    compose("build", limit_s=BUILD_S)
    compose.settings = settings
    compose.docker("builder", "prune", "--all", "--force")


def host_state() -> dict[str, str]:
    """The host's network and Docker, without the named namespaces of other installations."""
    state = snapshot(INSTALL, (VAR,))
    names = state["ip netns list"].splitlines()
    return state | {"ip netns list": "\n".join(name for name in names if f"plm{INSTALL}" in name)}
