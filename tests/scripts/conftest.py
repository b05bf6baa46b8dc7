"""PostgreSQL and Redis for some tests of the scripts."""

from __future__ import annotations

import pytest


def pytest_configure(config: pytest.Config) -> None:
    """PostgreSQL and Redis for the tests of this folder."""
    config.pluginmanager.import_plugin("tests.service_fixtures")
