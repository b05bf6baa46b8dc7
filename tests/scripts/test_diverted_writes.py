"""Links that another user puts where root writes or changes a mode: what they lead to stays as it is."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from scripts.compose import prepare
from scripts.starter import confinement, private
from scripts.starter.layout import Layout
from scripts.starter.postgres import HBA, Postgres
from scripts.starter.private import write_private
from scripts.starter.sandbox import account
from scripts.starter.stopping import Stop

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files to other users")
NOBODY = 65534


@pytest.fixture
def victim(tmp_path: Path) -> Path:
    """A file of root that others may not read."""
    found = tmp_path / "shadow"
    found.write_text("secret\n")
    found.chmod(0o600)
    return found


def untouched(victim: Path) -> bool:
    found = victim.stat()
    return (victim.read_text(), found.st_uid, stat.S_IMODE(found.st_mode)) == ("secret\n", 0, 0o600)


def swapping(monkeypatch: pytest.MonkeyPatch, path: Path, victim: Path) -> list[str]:
    """After the first reading of `path`, a link is there in its place."""
    done: list[str] = []

    def after(real: Callable[..., Any]) -> Callable[..., Any]:
        def wrapped(name: Any, *given: Any, **options: Any) -> Any:
            found = real(name, *given, **options)
            if isinstance(name, (str, Path)) and Path(name).name == path.name and not done:
                done.append(str(name))
                path.unlink()
                path.symlink_to(victim)
            return found

        return wrapped

    for function in ("stat", "lstat"):
        monkeypatch.setattr(os, function, after(getattr(os, function)))
    return done


@pytest.mark.parametrize("name", ["pg_hba.conf", "pg_hba.conf.new", "pg_ident.conf"])
def test_the_servers_user_gets_no_file_of_root(tmp_path: Path, victim: Path, name: str) -> None:
    user = account("postgres")
    place = Layout(tmp_path, tmp_path / "var", tmp_path / "run", "0a1b2c", 8420)
    data = place.var / "postgres"
    data.mkdir(parents=True)
    (data / "PG_VERSION").write_text("15\n")
    os.chown(data, user.uid, user.gid)
    (data / name).symlink_to(victim)
    Postgres(place).prepare(Stop())
    assert untouched(victim)
    hba = data / "pg_hba.conf"
    assert (hba.read_text(), hba.is_symlink()) == (HBA, False)
    assert (hba.stat().st_uid, stat.S_IMODE(hba.stat().st_mode)) == (user.uid, 0o600)


@pytest.mark.parametrize("name", ["users.acl", "users.acl.new"])
def test_a_private_file_replaces_a_link_and_does_not_follow_it(
    tmp_path: Path, victim: Path, name: str
) -> None:
    (tmp_path / name).symlink_to(victim)
    write_private(tmp_path / "users.acl", b"new", (NOBODY, NOBODY))
    assert untouched(victim) and (tmp_path / "users.acl").read_bytes() == b"new"
    assert not (tmp_path / "users.acl").is_symlink()


def test_settings_of_a_service_replace_a_link(tmp_path: Path, victim: Path) -> None:
    (tmp_path / "api").mkdir()
    for name in ("environment", "environment.new"):
        (tmp_path / "api" / name).symlink_to(victim)
    prepare.write(tmp_path / "api", "environment", "export A=1\n", NOBODY)
    assert untouched(victim) and (tmp_path / "api/environment").read_text() == "export A=1\n"


def test_code_that_becomes_a_link_while_it_is_opened_to_readers(
    tmp_path: Path, victim: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The clone may belong to another user than root."""
    code = tmp_path / "backend/code.py"
    code.parent.mkdir()
    code.write_text("x")
    code.chmod(0o600)
    done = swapping(monkeypatch, code, victim)
    confinement._open_to_readers(tmp_path / "backend")
    assert done and untouched(victim)


def test_a_file_that_becomes_a_link_while_it_is_closed(
    tmp_path: Path, victim: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    victim.chmod(0o644)
    file = tmp_path / "var/log"
    file.parent.mkdir()
    file.write_text("x")
    file.chmod(0o644)
    done = swapping(monkeypatch, file, victim)
    private.tighten(tmp_path / "var")
    assert done and stat.S_IMODE(victim.stat().st_mode) == 0o644


def test_another_users_folder_is_closed_and_not_entered(tmp_path: Path) -> None:
    data = tmp_path / "var/redis"
    data.mkdir(parents=True)
    (data / "file").write_text("x")
    for path, mode in ((data, 0o755), (data / "file", 0o644)):
        path.chmod(mode)
        os.chown(path, NOBODY, NOBODY)
    private.tighten(tmp_path / "var")
    assert stat.S_IMODE(data.stat().st_mode) == 0o700
    assert stat.S_IMODE((data / "file").stat().st_mode) == 0o644
