"""The script of a cell fills the tables as the worker does: the rest is in tests/core/export."""

from __future__ import annotations

from typing import Any

import pytest

from backend.core.export.replay_script import database
from backend.core.workload.services import SERVICES
from backend.core.workload.services.model import Listen
from worker.topology.deployment import Deployment


@pytest.mark.parametrize("socket", [False, True])
def test_tables_are_filled_and_vacuumed_as_by_the_worker(socket: bool) -> None:
    statements: list[tuple[str, ...]] = []

    class Recorder(Deployment):
        def __init__(self) -> None:
            self.service = SERVICES["postgres"]
            self.listen = Listen("0.0.0.0", 5432, socket=socket)

        def _must(self, argv: Any, limit_s: float, hooks: Any) -> None:
            statements.append(tuple(argv))

        class _Lock:
            def __enter__(self) -> None: ...
            def __exit__(self, *_: object) -> None: ...

    recorder: Any = Recorder()
    recorder._lock, recorder._filled = Recorder._Lock(), set()
    recorder.ensure_database(5)
    recorder.maintain(5)
    target = recorder.local_target
    assert tuple(statements) == (*database.fill(5, target), *database.vacuum(5, target))
