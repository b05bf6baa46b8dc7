"""Free space before the image is built or loaded: what is said, and no endless starts."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from backend.core.errors import EngineUnavailable
from worker.engine.names import InstallPaths, engine_names
from worker.images import room
from worker.images.bootstrap import archive_of

SIZE = 10 * room.MIB


@pytest.fixture
def install(tmp_path: Path) -> Iterator[InstallPaths]:
    """An installation on a file system of 64 MiB that has an image of 10 MiB."""
    var = tmp_path / "var"
    var.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64m", "small", str(var)], check=True)
    found = InstallPaths("room", tmp_path / "run", var)
    archive = archive_of(found).path
    archive.parent.mkdir()
    archive.write_bytes(bytes(SIZE))
    yield found
    subprocess.run(["umount", str(var)], check=True)


def fill(install: InstallPaths, left: int) -> None:
    """Leave this many bytes."""
    found = os.statvfs(install.var)
    (install.var / "filler").write_bytes(bytes(found.f_bavail * found.f_frsize - left))


class Images:
    """Of an engine whose disk becomes full in a load, or does not."""

    def __init__(self, error: Exception | None = None, has: str | None = None) -> None:
        self.error = error
        self.has = has
        self.loads = 0

    def id_of(self, _tag: str) -> str | None:
        return self.has

    def load(self, _path: str, _tag: str) -> str:
        self.loads += 1
        if self.error is not None:
            raise self.error
        self.has = "sha256:1"
        return self.has


def load(install: InstallPaths, images: Images) -> str:
    names = engine_names(install, "on")
    (names.data / "docker").mkdir(parents=True, exist_ok=True)
    docker: Any = SimpleNamespace(images=images)
    return room.load_image(docker, archive_of(install), names)


def test_with_room_nothing_is_said(install: InstallPaths) -> None:
    room.check_start(install)
    assert load(install, Images()) == "sha256:1"


def test_a_start_says_what_is_full_how_much_is_needed_and_how_much_is_free(install: InstallPaths) -> None:
    fill(install, 30 * room.MIB)
    with pytest.raises(EngineUnavailable) as refused:
        room.check_start(install)
    assert str(refused.value) == (
        f"the file system of {install.var} (small) is too full: loading the image of servers and tools "
        "into 2 engines needs 44 MiB and 30 MiB are free; free 14 MiB more there"
    )


def test_a_build_needs_more_than_what_it_leaves(install: InstallPaths) -> None:
    archive_of(install).path.unlink()
    with pytest.raises(EngineUnavailable, match="building the image of servers and tools needs 2,300 MiB"):
        room.check_start(install)


def test_engines_that_have_the_image_need_nothing(install: InstallPaths) -> None:
    for setting in room.STARTED_AT_ONCE:
        (engine_names(install, setting).data / "docker").mkdir(parents=True)
    fill(install, 0)
    room.check_start(install)
    assert load(install, Images(has="sha256:1")) == "sha256:1"


def test_a_load_without_room_is_not_tried(install: InstallPaths) -> None:
    fill(install, 12 * room.MIB)
    images = Images()
    with pytest.raises(EngineUnavailable, match=r"engine plmroom-on needs 22 MiB and 12 MiB are free"):
        load(install, images)
    assert images.loads == 0


def test_a_disk_that_becomes_full_in_a_load_is_named_and_the_load_is_counted_again(
    install: InstallPaths,
) -> None:
    full = EngineUnavailable("loading an image: ImageLoadError: write /usr/lib/x: no space left on device")
    with pytest.raises(
        EngineUnavailable, match=r"^the file system of .* \(small\) became full .* needs 22 MiB"
    ):
        load(install, Images(full))
    (engine_names(install, "off").data / "docker").mkdir(parents=True)
    fill(install, 0)
    with pytest.raises(EngineUnavailable, match=r"into 1 engine needs"):
        room.check_start(install)


def test_a_worker_waits_in_one_line_and_goes_on_when_there_is_room(install: InstallPaths) -> None:
    """Not by further starts: each would fail, and fill the log."""
    fill(install, 0)
    lines: list[str] = []
    pauses: list[float] = []

    def pause(seconds: float) -> None:
        pauses.append(seconds)
        if sum(pauses) > room.REMINDER_S * 1.5:
            (install.var / "filler").unlink()

    room.wait_for_room(install, lines.append, pause)
    assert len(lines) == 2 and set(pauses) == {room.PAUSE_S}
    assert lines[0].startswith(f"the worker waits: the file system of {install.var} (small) is too full: ")
