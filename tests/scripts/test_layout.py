"""Where things live: ids, socket paths, the lock, the port, and what is removed at the end."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from scripts.starter import layout
from scripts.starter.layout import Layout, install_id
from scripts.starter.lock import hold
from scripts.starter.postgres import binaries
from scripts.starter.sandbox import account
from scripts.starter.terminal import Refusal


def place(tmp_path: Path) -> Layout:
    return Layout(tmp_path, tmp_path / "var", tmp_path / "run", "0a1b2c", 8420)


def test_the_install_id_is_made_once(tmp_path: Path) -> None:
    first = install_id(tmp_path)
    assert len(first) == 6 and int(first, 16) >= 0
    assert install_id(tmp_path) == first
    assert (tmp_path / "install-id").read_text() == f"{first}\n"


def test_a_damaged_install_id_is_made_anew(tmp_path: Path) -> None:
    (tmp_path / "install-id").write_text("../../etc\n")
    assert len(install_id(tmp_path)) == 6


def test_sockets_fit_into_107_bytes() -> None:
    runtime = layout.RUNTIME_PARENT / "plimsoll-0a1b2c"
    found = Layout(Path("/a" * 200), Path("/a" * 200), runtime, "0a1b2c", 8420)
    assert len(str(found.postgres_socket / ".s.PGSQL.5432.lock")) < 107
    assert len(str(found.redis_socket)) < 107


def test_a_second_lock_is_refused_and_a_released_one_is_free(tmp_path: Path) -> None:
    first = hold(tmp_path / "lock", None)
    with pytest.raises(Refusal, match="Plimsoll already runs from"):
        hold(tmp_path / "lock", None)
    os.close(first)
    os.close(hold(tmp_path / "lock", None))


def test_an_inherited_lock_does_not_reach_the_children(tmp_path: Path) -> None:
    descriptor = os.open(tmp_path / "lock", os.O_RDWR | os.O_CREAT)
    os.set_inheritable(descriptor, True)
    assert hold(tmp_path / "lock", descriptor) == descriptor
    assert not os.get_inheritable(descriptor)
    os.close(descriptor)


def test_the_runtime_directory_goes(tmp_path: Path) -> None:
    found = place(tmp_path)
    (found.runtime / "postgres").mkdir(parents=True)
    layout.remove_runtime(found)
    assert not found.runtime.exists()
    layout.remove_runtime(found)


def test_the_runtime_directory_stays_while_something_is_mounted_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = place(tmp_path)
    found.runtime.mkdir()
    monkeypatch.setattr(layout, "mount_points", lambda: ["/", f"{found.runtime}/engines/on"])
    with pytest.raises(Refusal, match="still mounted"):
        layout.remove_runtime(found)
    assert found.runtime.exists()


def test_only_new_and_empty_traces_are_removed(tmp_path: Path) -> None:
    traces = tuple(tmp_path / name for name in ("old", "new", "new/inner", "filled"))
    traces[0].mkdir()
    note = tmp_path / "note"
    layout.note_absent(note, traces)
    traces[2].mkdir(parents=True)
    traces[3].mkdir()
    (traces[3] / "socket").touch()
    layout.note_absent(note, traces)
    layout.remove_noted(note)
    layout.remove_noted(note)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["filled", "old"]


def installed(home: Path, *majors: int) -> Path:
    for major in majors:
        (home / str(major) / "bin").mkdir(parents=True)
        (home / str(major) / "bin" / "postgres").touch()
    return home


def test_a_new_cluster_takes_the_newest_postgresql(tmp_path: Path) -> None:
    home = installed(tmp_path / "lib", 9, 15, 17)
    assert binaries(tmp_path / "data", home) == home / "17/bin"


def test_an_old_cluster_keeps_its_postgresql(tmp_path: Path) -> None:
    home = installed(tmp_path / "lib", 15, 17)
    (tmp_path / "PG_VERSION").write_text("15\n")
    assert binaries(tmp_path, home) == home / "15/bin"


def test_a_cluster_whose_postgresql_is_gone_is_refused(tmp_path: Path) -> None:
    (tmp_path / "PG_VERSION").write_text("13\n")
    with pytest.raises(Refusal, match="created by PostgreSQL 13, which is no longer installed"):
        binaries(tmp_path, installed(tmp_path / "lib", 15))


def test_no_postgresql_at_all_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Refusal, match="no PostgreSQL server is installed"):
        binaries(tmp_path, tmp_path / "lib")


def test_a_missing_user_is_named() -> None:
    with pytest.raises(Refusal, match="no user no-such-user"):
        account("no-such-user")
    assert account("no-such-user", "nobody").name == "nobody"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can mount")
def test_what_engines_left_mounted_is_unmounted_and_nothing_else(tmp_path: Path) -> None:
    found = place(tmp_path)
    mine, theirs = found.var / "engines/on/docker", tmp_path / "elsewhere"
    for path in (mine, theirs):
        path.mkdir(parents=True)
        subprocess.run(["mount", "--bind", str(path), str(path)], check=True)
    try:
        assert layout.remove_mounts(found) == [str(mine)]
        assert layout.remove_mounts(found) == []
        assert str(theirs) in layout.mount_points()
    finally:
        subprocess.run(["umount", str(theirs)], check=True)
