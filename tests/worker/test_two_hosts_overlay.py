"""An overlay of two hosts: neither worker leads or joins a swarm, whoever asks for one."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from backend.settings import Settings
from tests.services import ROOT
from tests.worker.two_hosts import CLIENT, LEVELS, LIMIT_S, SERVER, Two, two_in
from worker.engine.fake import FakeEngine
from worker.trial import client_side, session_side

OVERLAY = {**LEVELS, "path": "overlay"}
SWARM = {"manager": f"{SERVER}:2377", "token": "SWMTKN-1-of-an-attacker"}


@pytest.fixture
def two(
    settings: Settings,
    owner_settings: Settings,
    engine: FakeEngine,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Two]:
    monkeypatch.setattr(session_side, "SIGN_OF_LIFE_S", 0.2)
    monkeypatch.setattr(client_side, "own_addresses", lambda _netns: (CLIENT,))
    with two_in(tmp_path, settings, owner_settings, engine, OVERLAY) as made:
        yield made


def test_the_client_joins_no_swarm_of_another_host(two: Two) -> None:
    """Its manager would run what it likes on the client's host, as root."""
    trial = two.server.claim({})
    assert trial is not None
    two.server.request_client(trial.trial_id, trial.fence, {"levels": OVERLAY})
    assert two.serve() == "failed"
    seen = two.server.move_session(trial.trial_id, trial.fence)
    assert seen.phase == "ended" and "joins no swarm that another host leads" in seen.reason
    assert two.client_bed.swarm == [] and two.client_bed.engine.commands == []


def test_a_swarm_in_the_offer_of_another_path_is_not_joined(two: Two) -> None:
    trial = two.server.claim({})
    assert trial is not None
    two.server.request_client(trial.trial_id, trial.fence, {"levels": LEVELS})
    with ThreadPoolExecutor(1) as threads:
        served = threads.submit(two.serve)
        side = session_side.SessionSide(two.server, trial.trial_id, trial.fence)
        with side:
            side.wait("accepted", LIMIT_S)
            side.enter("offered", {"address": SERVER, "port": 20001, "swarm": SWARM})
            side.wait("ready", LIMIT_S)
            side.end("enough was seen")
        assert served.result(LIMIT_S) == "ended"
    assert two.client_bed.swarm == []


def test_the_servers_host_begins_none(two: Two) -> None:
    assert two.measure() == "failed"
    ((code, detail),) = two.queued.sql(
        "SELECT failure_code, failure_detail FROM trial WHERE state = 'failed'"
    )
    assert code == "invalid_levels" and "joins no swarm that another host leads" in detail
    assert two.server_bed.swarm == []
    assert two.queued.sql("SELECT count(*) FROM client_session") == [(0,)]


def test_an_engine_joins_only_a_swarm_that_this_worker_has_begun() -> None:
    """`swarm.form` makes one of two lab engines; nothing else in the worker joins."""
    callers = set()
    for file in (ROOT / "worker").rglob("*.py"):
        for function in ast.walk(ast.parse(file.read_text())):
            if isinstance(function, ast.FunctionDef):
                names = [node.func for node in ast.walk(function) if isinstance(node, ast.Call)]
                joins = [one for one in names if isinstance(one, ast.Name) and one.id == "join"]
                joins += [one for one in names if ast.unparse(one).endswith("swarm.join")]  # type: ignore[misc]
                if joins:
                    callers.add(f"{file.name}:{function.name}")
    assert callers == {"swarm.py:_form", "swarm.py:join"}
