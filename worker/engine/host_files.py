"""/etc/docker/key.json, the identity key that every dockerd before version 23 writes.

No option moves it. Where the host had no such file, it is removed as soon as every engine that is starting
has read it.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from pathlib import Path

from worker.host.ledger import Entry, Ledger
from worker.host.reaper import remove_file

KEY = Path("/etc/docker/key.json")

_lock = threading.Lock()
_starting: list[object] = []
_ours: list[Entry] = []


@contextlib.contextmanager
def identity_key_removed(ledger: Ledger) -> Iterator[None]:
    """Around the start of engines: leaves /etc/docker as it was before the first of them started."""
    token = object()
    with _lock:
        if not _starting and not KEY.exists():
            _ours.append(Entry("file", str(KEY), "" if KEY.parent.exists() else "with its folder"))
            ledger.making(_ours[0])
        _starting.append(token)
    try:
        yield
    finally:
        with _lock:
            _starting.remove(token)
            if not _starting and _ours:
                entry = _ours.pop()
                remove_file(entry)
                ledger.gone(entry)
