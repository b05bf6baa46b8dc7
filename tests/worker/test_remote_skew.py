"""A worker and a server of different releases, and measured trials over TLS."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from backend.api import served_protocols
from backend.core.errors import WorkerRejected
from backend.settings import Settings
from backend.store import invariants
from backend.worker_protocol import PROTOCOL, header
from scripts.starter.certificate import make
from tests.worker.conftest import FakeTestbed
from tests.worker.remote_site import MadeUp, Site, begin, remote_site
from worker.http_queue import connection
from worker.http_queue.connection import ServerConnection


@pytest.fixture
def site(
    owner_settings: Settings, testbed: FakeTestbed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Site]:
    with remote_site(owner_settings, testbed, tmp_path, monkeypatch) as found:
        yield found


@pytest.fixture
def made_up(monkeypatch: pytest.MonkeyPatch) -> MadeUp:
    return MadeUp(monkeypatch)


def work(site: Site) -> None:
    site.runtime.open()
    site.until(lambda: site.has_ended() or site.runtime.rejected is not None)
    site.runtime.close()


def test_a_worker_one_protocol_behind_works_while_the_server_speaks_it(
    site: Site, made_up: MadeUp, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(served_protocols, "NEWEST", PROTOCOL + 1)
    work(site)
    site.assert_whole()
    assert site.queued.sql("SELECT protocol FROM host WHERE name = 'far-1'") == [(PROTOCOL,)]


def test_a_server_that_is_updated_in_mid_run_refuses_its_worker_with_the_command_that_updates_it(
    site: Site,
    made_up: MadeUp,
    testbed: FakeTestbed,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """The running trial is measured to its end, and the updated worker delivers its record."""

    def update() -> None:
        monkeypatch.setattr(served_protocols, "OLDEST", PROTOCOL + 1)
        monkeypatch.setattr(served_protocols, "NEWEST", PROTOCOL + 1)

    made_up.failed, made_up.after = True, update
    work(site)
    rejected = site.runtime.rejected
    assert rejected is not None and rejected.code == "worker_outdated"
    assert "./scripts/join" in str(rejected) and "stays enrolled" in str(rejected)
    assert sum(record.levelno == logging.CRITICAL for record in caplog.records) == 1
    (waiting,) = site.runtime._spool.waiting()
    assert waiting.trial_id in made_up.measured and site.runtime._spool.quarantined() == []
    made_up.after = lambda: None
    monkeypatch.setattr(connection, "header", lambda *_: header(protocol=PROTOCOL + 1))
    site.runtime = begin(site.worker_settings, testbed, tmp_path, monkeypatch)
    work(site)
    site.assert_whole()
    assert len(made_up.measured) == len(set(made_up.measured)), "nothing was measured twice"


def test_a_worker_that_is_newer_than_the_server_is_refused(
    site: Site, made_up: MadeUp, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "header", lambda *_: header(protocol=PROTOCOL + 1))
    with pytest.raises(WorkerRejected, match="update the server first"):
        site.runtime.open()
    assert site.queued.sql("SELECT DISTINCT state FROM trial") == [("queued",)]


def test_each_side_ignores_fields_that_only_the_other_one_knows(
    site: Site, made_up: MadeUp, monkeypatch: pytest.MonkeyPatch
) -> None:
    added = {"of_another_release": {"a": [1, None]}}
    site.proxy.unknown = added
    call = ServerConnection.call

    def with_more(
        self: ServerConnection, method: str, path: str, body: Any = None, *rest: Any, **more: Any
    ) -> Any:
        return call(self, method, path, None if body is None else body | added, *rest, **more)

    monkeypatch.setattr(ServerConnection, "call", with_more)
    work(site)
    site.assert_whole()


def test_a_trial_measured_on_the_fake_engine_is_recorded_over_tls(
    owner_settings: Settings, testbed: FakeTestbed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is made up here but the engine; the server's certificate is known by its fingerprint."""
    pair = make(["elsewhere.example.org"], datetime.now(UTC))
    with remote_site(owner_settings, testbed, tmp_path, monkeypatch, certificate=pair) as site:
        site.queued.sql('UPDATE trial SET levels = levels || \'{"path": "container_address"}\'')
        assert site.runtime._begin()
        assert site.runtime.one_trial() in ("done", "failed")
        ((sha256, fence),) = site.queued.sql("SELECT sha256, fence FROM result")
        assert len(sha256) == 64 and fence == 1
        assert list(site.runtime._spool.waiting()) == []
        site.runtime.close()
        assert site.queued.call(invariants.violations) == []
