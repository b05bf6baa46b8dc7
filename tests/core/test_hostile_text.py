"""Every reader of outside text does work that grows with the length of the text, and no faster.

A reader that hangs fails by the time limit of its test; one that merely grows too fast fails by its ratio.
tests/large repeats this with a mebibyte.
"""

from __future__ import annotations

import pytest

from tests.core.hostile import superlinear
from tests.core.readers import READERS


@pytest.mark.timeout(120)
@pytest.mark.parametrize("reader", READERS)
def test_work_grows_no_faster_than_a_short_text(reader: str) -> None:
    assert superlinear(READERS[reader], 16 * 1024) == []
