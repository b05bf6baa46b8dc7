"""Every reader of outside text, given a mebibyte: work grows with the length of the text, and no faster."""

from __future__ import annotations

from typing import Final

import pytest

from tests.core.hostile import superlinear
from tests.core.readers import READERS

MEBIBYTE: Final = 1024 * 1024
LONGEST: Final = {"markdown": 64 * 1024}
"""Readers that are never given more than this."""


@pytest.mark.timeout(120)
@pytest.mark.parametrize("reader", READERS)
def test_work_grows_no_faster_than_a_long_text(reader: str) -> None:
    assert superlinear(READERS[reader], LONGEST.get(reader, MEBIBYTE), heads=("",)) == []
