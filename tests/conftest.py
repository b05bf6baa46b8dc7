"""What holds for every test. Nothing here needs a service: see tests/service_fixtures.py."""

from __future__ import annotations

import gc
import os
from collections.abc import Generator
from contextlib import nullcontext

import pytest
from hypothesis import HealthCheck, settings

from backend.gc_threshold import raise_gc_threshold
from tests.machine_lock import machine_lock

# Properties are tried on the same examples every time, and a busy machine fails none of them.
settings.register_profile(
    "plimsoll", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("plimsoll")

pytest.register_assert_rewrite("tests.service_fixtures")  # a plugin of some folders, and imported by others

DEX_FIXTURES = {"dex", "shared_dex"}
"""Start the real identity provider Dex, which takes minutes to build."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Long tests begin first: at the end, one of them would leave the other CPUs without work.

    What needs Dex belongs to the part `identity` of the full suite.
    """
    for item in items:
        if DEX_FIXTURES & set(getattr(item, "fixturenames", ())):
            item.add_marker("dex")
        if item.get_closest_marker("dex"):
            item.add_marker("full")
    items.sort(key=lambda item: item.get_closest_marker("begins_first") is None)


def pytest_collection_finish() -> None:
    """Loaded modules are no garbage: searching them again and again takes a tenth of the CPU time."""
    gc.collect()
    gc.freeze()
    raise_gc_threshold()


@pytest.hookimpl(wrapper=True)
def pytest_runtestloop(session: pytest.Session) -> Generator[None, object, object]:
    """Tests on real daemons wait for those of another clone, and hold the machine's lock until they end."""
    items = () if session.config.option.collectonly else getattr(session, "items", ())
    live = os.geteuid() == 0 and any(item.get_closest_marker("live") for item in items)
    terminal = session.config.pluginmanager.get_plugin("terminalreporter")
    report = terminal.write_line if terminal is not None else print
    with machine_lock(report) if live else nullcontext():
        return (yield)
