"""The guard around apt: nothing may start, and what was there comes back, whatever happens."""

from __future__ import annotations

import fcntl
import os
import signal
import stat
from pathlib import Path

import pytest

from tests.scripts.shell import run, start
from tests.scripts.waiting import eventually

PARTS = ("progress", "guard")
THEIRS = "#!/bin/sh\n# the administrator's own\nexit 0\n"


@pytest.fixture
def places(tmp_path: Path) -> dict[str, str]:
    """Where the guard's files lie in this test."""
    default = tmp_path / "default.conf"
    default.write_text("# the package's default\n")
    return {
        "PLIMSOLL_PACKAGES_LOCK": str(tmp_path / "packages.lock"),
        "PLIMSOLL_POLICY_RC_D": str(tmp_path / "sbin/policy-rc.d"),
        "PLIMSOLL_CREATECLUSTER_CONF": str(tmp_path / "etc/createcluster.conf"),
        "PLIMSOLL_CREATECLUSTER_DEFAULT": str(default),
    }


@pytest.fixture
def policy(places: dict[str, str]) -> Path:
    """The policy-rc.d of this test, which is not there yet."""
    path = Path(places["PLIMSOLL_POLICY_RC_D"])
    path.parent.mkdir()
    return path


def theirs(policy: Path) -> None:
    policy.write_text(THEIRS)
    policy.chmod(0o751)


def is_theirs(policy: Path) -> bool:
    mode = stat.S_IMODE(policy.stat().st_mode)
    return policy.read_text() == THEIRS and mode == 0o751 and list(policy.parent.iterdir()) == [policy]


def test_denies_every_start_while_open(policy: Path, places: dict[str, str], tmp_path: Path) -> None:
    body = 'guard_open; status=0; "$guard_policy" redis-server start || status=$?; echo "denied $status"'
    result = run(PARTS, body, tmp_path, places)
    assert result.stdout.strip() == "denied 101", result.stderr


def test_postgresql_makes_no_cluster_while_open(policy: Path, places: dict[str, str], tmp_path: Path) -> None:
    result = run(PARTS, 'guard_open; cat "$guard_cluster"', tmp_path, places)
    assert "create_main_cluster = false" in result.stdout


@pytest.mark.parametrize("ending", ["true", "false", "exit 7", "guard_close; guard_close"])
def test_an_existing_policy_comes_back(
    ending: str, policy: Path, places: dict[str, str], tmp_path: Path
) -> None:
    theirs(policy)
    run(PARTS, f"guard_open; {ending}", tmp_path, places)
    assert is_theirs(policy)


def test_without_a_policy_before_none_is_left(policy: Path, places: dict[str, str], tmp_path: Path) -> None:
    run(PARTS, "guard_open", tmp_path, places)
    assert list(policy.parent.iterdir()) == []


def test_a_symbolic_link_comes_back_as_one(policy: Path, places: dict[str, str], tmp_path: Path) -> None:
    policy.symlink_to("/bin/true")
    run(PARTS, "guard_open", tmp_path, places)
    assert policy.readlink() == Path("/bin/true")


def test_a_new_cluster_file_becomes_the_packages_default(
    policy: Path, places: dict[str, str], tmp_path: Path
) -> None:
    run(PARTS, "guard_open", tmp_path, places)
    assert Path(places["PLIMSOLL_CREATECLUSTER_CONF"]).read_text() == "# the package's default\n"


def test_a_cluster_file_that_was_there_comes_back(
    policy: Path, places: dict[str, str], tmp_path: Path
) -> None:
    cluster = Path(places["PLIMSOLL_CREATECLUSTER_CONF"])
    cluster.parent.mkdir()
    cluster.write_text("create_main_cluster = true\n")
    run(PARTS, "guard_open", tmp_path, places)
    assert cluster.read_text() == "create_main_cluster = true\n"


def test_a_cluster_file_that_was_removed_stays_removed(
    policy: Path, places: dict[str, str], tmp_path: Path
) -> None:
    run(PARTS, "guard_close", tmp_path, places)
    assert not Path(places["PLIMSOLL_CREATECLUSTER_CONF"]).exists()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_while_apt_runs_puts_everything_back(
    number: signal.Signals, policy: Path, places: dict[str, str], tmp_path: Path
) -> None:
    theirs(policy)
    child = start(
        PARTS, f'guard_open; run_logged apt sh -c "echo > {tmp_path}/runs; sleep 60"', tmp_path, places
    )
    assert eventually((tmp_path / "runs").exists)
    child.send_signal(number)
    out, err = child.communicate(timeout=20)
    assert child.returncode == 128 + number, out + err
    assert is_theirs(policy)


def test_a_second_installation_waits_for_the_first_and_says_so(
    places: dict[str, str], tmp_path: Path
) -> None:
    with Path(places["PLIMSOLL_PACKAGES_LOCK"]).open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        child = start(PARTS, "guard_open; echo opened", tmp_path, places)
        assert child.stdout is not None
        assert "waiting for another clone of Plimsoll that installs packages" in child.stdout.readline()
        assert child.poll() is None
    out, _ = child.communicate(timeout=60)
    assert (child.returncode, out.strip()) == (0, "opened")


def test_a_killed_installation_is_put_right_by_the_next(
    policy: Path, places: dict[str, str], tmp_path: Path
) -> None:
    theirs(policy)
    child = start(PARTS, f"guard_open; : >{tmp_path}/open; sleep 60", tmp_path, places)
    assert eventually((tmp_path / "open").exists)
    os.killpg(child.pid, signal.SIGKILL)
    child.communicate()
    assert policy.read_text() != THEIRS
    run(PARTS, "guard_open", tmp_path, places)
    assert is_theirs(policy)
