"""A queued run to work on."""

from __future__ import annotations

import pytest

from backend.settings import Settings
from tests.store.queued_run import QueuedRun, queue_run


@pytest.fixture
def settings(owner_settings: Settings) -> Settings:
    """These tests read and write behind the repositories, too, and change the schema."""
    return owner_settings


@pytest.fixture
def queued(settings: Settings) -> QueuedRun:
    """A queued run of four trials: two cells, two rounds, host bench-1."""
    return queue_run(settings)
