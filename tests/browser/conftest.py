"""The time limit of a test here: above that of its program, so that the program's report is kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.browser.program import PROGRAM_S

HERE = Path(__file__).parent


def pytest_configure(config: pytest.Config) -> None:
    """PostgreSQL and Redis for the tests of this folder."""
    config.pluginmanager.import_plugin("tests.service_fixtures")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give every test of this folder its limit."""
    for item in items:
        if item.path.is_relative_to(HERE):
            item.add_marker(pytest.mark.timeout(PROGRAM_S + 120))
