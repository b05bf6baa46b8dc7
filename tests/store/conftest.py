"""A queued run to work on."""

from __future__ import annotations

import pytest

from backend.settings import Settings
from tests.store.book import Book, open_book


@pytest.fixture
def book(settings: Settings) -> Book:
    """A queued run of four trials: two cells, two rounds, host bench-1."""
    return open_book(settings)
