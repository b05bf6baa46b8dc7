"""A worker that comes back with spooled records; a server that was restored; a host that has to stop."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import make_url

from backend.core.topology.host_policy import HostPolicy
from backend.settings import Settings
from backend.store import grants, invariants
from backend.store.repositories import host_settings, host_tokens
from backend.store.session import dispose
from tests.accounts import add_account
from tests.services import PostgresServer
from tests.worker.conftest import FakeTestbed
from tests.worker.remote_site import LIMIT_S, MadeUp, Site, add_run, begin, remote_site
from worker.trial import claimed

pytestmark = pytest.mark.new_database  # a restore wants nobody connected


@pytest.fixture
def site(
    owner_settings: Settings, testbed: FakeTestbed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Site]:
    with remote_site(owner_settings, testbed, tmp_path, monkeypatch) as found:
        yield found


@pytest.fixture
def made_up(monkeypatch: pytest.MonkeyPatch) -> MadeUp:
    found = MadeUp(monkeypatch)
    found.failed = True  # no fault of the host: these tests have others
    return found


def vanish(site: Site, made_up: MadeUp, recorded: int = 0) -> str:
    """Let the worker record trials, and measure one whose record does not arrive; returns that trial's id."""
    assert site.runtime._begin()
    for _ in range(recorded):
        assert site.runtime.one_trial() == "done"
    made_up.after = lambda: setattr(site.proxy, "is_down", True)
    assert site.runtime.one_trial() == "done"
    made_up.after = lambda: None
    site.runtime.close()
    (spooled,) = site.runtime._spool.waiting()
    assert site.queued.sql("SELECT count(*) FROM result WHERE run_id = :id", id=site.queued.run_id) == [
        (recorded,)
    ]
    site.proxy.is_down = False
    return spooled.trial_id


def come_back(site: Site, testbed: FakeTestbed, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Start the worker again, and run it to the end of the run."""
    site.runtime = begin(site.worker_settings, testbed, folder, monkeypatch)
    site.runtime.open()
    site.until(site.has_ended)
    site.runtime.close()


def an_hour_passes(site: Site) -> None:
    site.queued.sql("UPDATE trial SET lease_until = lease_until - interval '1 hour' WHERE state = 'running'")


def attempts(site: Site, trial_id: str) -> list[str]:
    """How the attempts of a trial ended, in their order."""
    rows = site.queued.sql(
        "SELECT outcome FROM attempt WHERE trial_id = :id AND entry = 'ended' ORDER BY fence", id=trial_id
    )
    return [outcome for (outcome,) in rows]


def test_a_record_that_comes_an_hour_late_counts(
    site: Site, made_up: MadeUp, testbed: FakeTestbed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trial_id = vanish(site, made_up)
    an_hour_passes(site)
    come_back(site, testbed, tmp_path, monkeypatch)
    site.assert_whole()
    assert attempts(site, trial_id) == ["recorded"] and made_up.measured.count(trial_id) == 1


def test_a_record_that_comes_after_another_claim_is_dropped(
    site: Site,
    made_up: MadeUp,
    testbed: FakeTestbed,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """A second worker of the host, on a machine that replaced the first, has claimed the trial meanwhile."""
    trial_id = vanish(site, made_up)
    an_hour_passes(site)
    other = site.joined.must_claim()
    assert (other["trial_id"], other["fence"]) == (trial_id, 2)
    assert site.joined.outcome(other) == "recorded"
    with caplog.at_level(logging.WARNING):
        come_back(site, testbed, tmp_path, monkeypatch)
    site.assert_whole()
    assert attempts(site, trial_id) == ["lost", "recorded"]
    assert f"a record of {trial_id} was dropped" in caplog.text


# --- a server restored from a backup -------------------------------------------------------------


class Backup:
    """A copy of the site's database, which can take its place again."""

    def __init__(self, postgres: PostgresServer, site: Site) -> None:
        self._postgres = postgres
        self._settings = site.owner
        name = make_url(site.owner.database_url).database
        assert name is not None
        self._name, self._copy = name, f"{name}_backup"
        self._execute(f'CREATE DATABASE "{self._copy}" TEMPLATE "{self._name}" OWNER {grants.MIGRATE}')

    def restore(self) -> None:
        self._execute(f'DROP DATABASE "{self._name}"')
        self._execute(f'ALTER DATABASE "{self._copy}" RENAME TO "{self._name}"')

    def _execute(self, statement: str) -> None:
        dispose(self._settings)
        with self._postgres.connect("postgres") as connection:
            connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", [self._name]
            )
            connection.execute(statement.encode())


def test_a_server_restored_from_before_the_spool_loses_nothing_and_records_nothing_twice(
    site: Site,
    made_up: MadeUp,
    testbed: FakeTestbed,
    postgres: PostgresServer,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The backup knows none of the claims: one trial was recorded since, another one waits in the spool."""
    backup = Backup(postgres, site)
    spooled = vanish(site, made_up, recorded=1)
    recorded = made_up.measured[0]
    backup.restore()
    assert site.queued.sql("SELECT DISTINCT state, fence FROM trial") == [("queued", 0)]
    come_back(site, testbed, tmp_path, monkeypatch)
    site.assert_whole()
    assert made_up.measured.count(spooled) == 1, "the spooled record counts"
    assert made_up.measured.count(recorded) == 2, "what only the lost database had is measured again"


def test_a_record_of_a_run_that_the_backup_lacks_is_kept_aside(
    site: Site,
    made_up: MadeUp,
    testbed: FakeTestbed,
    postgres: PostgresServer,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    site.runtime._begin()
    while site.runtime.one_trial() != "idle":
        pass
    backup = Backup(postgres, site)
    kept = site.queued
    site.queued = add_run(site.owner, site.joined.host_id)
    spooled = vanish(site, made_up)
    backup.restore()
    site.queued = kept
    come_back(site, testbed, tmp_path, monkeypatch)
    (aside,) = site.runtime._spool.quarantined()
    assert aside.name.startswith(spooled) and aside.reason == "NotFound: there is no such trial"
    aside_file = site.runtime._spool.quarantine_folder / aside.name
    assert aside_file.stat().st_size > 1000


# --- a host that has to stop -----------------------------------------------------------------


def test_a_drained_host_ends_its_trial_and_claims_none_until_it_resumes(site: Site, made_up: MadeUp) -> None:
    account = add_account(site.owner, name="Grace")
    made_up.after = lambda: site.queued.call(host_settings.drain, site.joined.name, account)
    site.runtime.open()
    site.until(lambda: site.count("done") == 1)
    claims = site.claims()
    site.until(lambda: site.claims() > claims + 2)
    assert site.count("done") == 1 and site.count("running") == 0 and len(made_up.measured) == 1
    made_up.after = lambda: None
    site.queued.call(host_settings.resume, site.joined.name)
    site.until(site.has_ended)
    site.runtime.close()
    site.assert_whole()


def test_a_trial_that_the_policy_forbids_ends_before_anything_is_built(
    site: Site, made_up: MadeUp, testbed: FakeTestbed
) -> None:
    """The policy was changed after the run was queued; the worker itself checks each trial."""
    site.queued.call(host_settings.set_policy, site.joined.name, HostPolicy(engines=("off",)))
    site.runtime.open()
    site.until(site.has_ended)
    site.runtime.close()
    assert made_up.measured == [] and site.testbed.prepared == []
    ended = "SELECT DISTINCT failure_code, failure_detail FROM trial WHERE state = 'failed'"
    ((code, detail),) = site.queued.sql(ended)
    assert code == claimed.POLICY_CODE and site.count("done") == 0
    assert detail.startswith("/userland_proxy: the policy of this host: lab daemons with userland-proxy on")
    assert site.queued.call(invariants.violations) == []


def test_a_policy_that_was_opened_meanwhile_is_read_again_before_a_trial_is_refused(
    site: Site, made_up: MadeUp
) -> None:
    site.queued.call(
        host_settings.set_policy, site.joined.name, HostPolicy(longest_trial_s=1, engines=("off",))
    )
    assert site.runtime._begin()
    site.queued.call(host_settings.set_policy, site.joined.name, HostPolicy())
    while site.runtime.one_trial() != "idle":
        pass
    site.assert_whole()


@pytest.mark.parametrize("in_trial", [True, False])
def test_a_revoked_token_ends_the_worker_and_keeps_the_spool(
    site: Site, made_up: MadeUp, in_trial: bool, caplog: pytest.LogCaptureFixture
) -> None:
    """A running trial is stopped within a heartbeat; a record that is ready stays on this host."""
    ended = threading.Event()
    site.runtime.on_rejected = ended.set
    made_up.after = lambda: site.queued.call(host_tokens.revoke_named, site.joined.name)
    made_up.waits_for_stop = in_trial
    site.runtime.open()
    assert ended.wait(LIMIT_S)
    site.runtime.close()
    assert site.runtime.rejected is not None and "was revoked" in str(site.runtime.rejected)
    said = [record for record in caplog.records if record.levelno == logging.CRITICAL]
    assert len(said) == 1 and "Traceback" not in caplog.text
    assert len(list(site.runtime._spool.waiting())) == (0 if in_trial else 1)
    assert site.runtime._spool.quarantined() == [] and site.count("done") == 0
