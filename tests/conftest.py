"""What holds for every test. Nothing here needs a service: see tests/service_fixtures.py."""

from __future__ import annotations

import gc

import pytest

from backend.gc_threshold import raise_gc_threshold


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Long tests begin first: at the end, one of them would leave the other CPUs without work."""
    items.sort(key=lambda item: item.get_closest_marker("begins_first") is None)


def pytest_collection_finish() -> None:
    """Loaded modules are no garbage: searching them again and again takes a tenth of the CPU time."""
    gc.collect()
    gc.freeze()
    raise_gc_threshold()
