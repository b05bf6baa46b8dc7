"""Comparisons of ended runs in the memory of this process."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Hashable
from typing import Final

KEPT_BYTES: Final = 16_000_000
"""The one used longest ago is forgotten first."""

RunVersion = tuple[int, bool, int, int]
"""Of a compared run, as `result_rows.version` returns it."""
Key = Hashable
"""Everything that a comparison depends on: the runs, the query, the versions of the runs, and each further
run with its last event and exclusion. Access is checked before, at each request."""


class KeptComparisons:
    """JSON of comparisons by everything that they depend on. Thread-safe."""

    def __init__(self) -> None:
        self._kept: OrderedDict[Key, bytes] = OrderedDict()
        self._size = 0
        self._lock = threading.Lock()

    def find(self, key: Key) -> bytes | None:
        """The comparison, if it is kept."""
        with self._lock:
            found = self._kept.get(key)
            if found is not None:
                self._kept.move_to_end(key)
        return found

    def put(self, key: Key, body: bytes) -> None:
        """Keep a comparison, and forget others where there are too many bytes."""
        with self._lock:
            before = self._kept.pop(key, b"")
            self._kept[key] = body
            self._size += len(body) - len(before)
            while self._size > KEPT_BYTES and len(self._kept) > 1:
                self._size -= len(self._kept.popitem(last=False)[1])
