"""Every reader of outside text does work that grows with the length of the text, and no faster.

A reader that hangs fails by the time limit of its test; one that merely grows too fast fails by its ratio.
"""

from __future__ import annotations

from typing import Final

import pytest

from tests.hostile import superlinear
from tests.large.readers import READERS

MEBIBYTE: Final = 1024 * 1024
LONGEST: Final = {"markdown": 64 * 1024}
"""Readers that are never given more than this."""


@pytest.mark.timeout(120)
@pytest.mark.parametrize("reader", READERS)
def test_work_grows_no_faster_than_a_short_text(reader: str) -> None:
    assert superlinear(READERS[reader], 16 * 1024) == []


@pytest.mark.full
@pytest.mark.timeout(120)
@pytest.mark.parametrize("reader", READERS)
def test_work_grows_no_faster_than_a_long_text(reader: str) -> None:
    assert superlinear(READERS[reader], LONGEST.get(reader, MEBIBYTE), heads=("",)) == []
