"""Disk space for the image of servers and tools: needed and free, before it is used.

`python -m worker.images.room` waits until there is enough for the start of this host's worker: a container's
start that failed would be repeated by Docker without end.
"""

from __future__ import annotations

import math
import os
import shutil
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

from backend.core.errors import EngineUnavailable
from backend.settings import Settings
from worker.engine.docker_engine import DockerEngine
from worker.engine.names import EngineNames, InstallPaths, engine_names
from worker.images.recipe import ImageArchive, archive_of

MIB: Final = 2**20
BUILD_BYTES: Final = 2300 * MIB
"""The largest that building takes, measured: engine, base and archive were 2,154 MiB."""
COPIES: Final = 2.2
"""What an engine takes to load the archive, as a multiple of it. dockerd unpacks it to a file first:
1,078 MiB were measured for two engines and an archive of 261 MiB."""
STARTED_AT_ONCE: Final = ("on", "off")
"""Engines that load the image at each worker's start."""
NO_SPACE: Final = "no space left on device"
UNFINISHED: Final = "loading"
"""A file beside an engine's data from the start of a load to its success."""
PAUSE_S: Final = 10.0
REMINDER_S: Final = 3600.0


def load_image(docker: DockerEngine, image: ImageArchive, names: EngineNames) -> str:
    """Load an image unless the engine has it; returns its id. Raises EngineUnavailable."""
    unfinished = names.data / UNFINISHED
    if (known := docker.images.id_of(image.tag)) is not None:
        return known
    needed = round(COPIES * image.path.stat().st_size)
    check_room(names.data, needed, f"loading the image of servers and tools into engine {names.key}")
    unfinished.touch()
    try:
        found = docker.images.load(str(image.path), image.tag)
    except EngineUnavailable as error:
        if NO_SPACE in str(error):
            raise EngineUnavailable(
                f"{_file_system(names.data)} became full while the image of servers and tools was loaded "
                f"into engine {names.key}, which needs {_mib(needed)} there"
            ) from error
        raise
    unfinished.unlink(missing_ok=True)
    return found


def check_start(install: InstallPaths) -> None:
    """Raise EngineUnavailable where a worker's start would fill the disk."""
    archive = archive_of(install).path
    if not archive.exists():
        check_room(install.var, BUILD_BYTES, "building the image of servers and tools")
    elif loads := len(list(_without_image(install, STARTED_AT_ONCE))):
        purpose = f"loading the image of servers and tools into {loads} engine{'s' * (loads > 1)}"
        check_room(install.var, round(loads * COPIES * archive.stat().st_size), purpose)


def _without_image(install: InstallPaths, settings: Iterable[str]) -> Iterable[EngineNames]:
    """The engines that were never started, or did not finish loading the image."""
    for names in (engine_names(install, setting) for setting in settings):
        if not (names.data / "docker").exists() or (names.data / UNFINISHED).exists():
            yield names


def check_room(folder: Path, needed: int, purpose: str) -> None:
    """Raise EngineUnavailable, with figures and remedy, where less than `needed` bytes are free."""
    free = shutil.disk_usage(_existing(folder)).free
    if free < needed:
        raise EngineUnavailable(
            f"{_file_system(folder)} is too full: {purpose} needs {_mib(needed)} and {_mib(free)} are free; "
            f"free {_mib(needed - free)} more there"
        )


def _file_system(folder: Path) -> str:
    """The file system of a folder by its device and the folder: in a container both help to find it."""
    device = _existing(folder).stat().st_dev
    numbers = f"{os.major(device)}:{os.minor(device)}"
    sources = [
        line.split(" - ")[1].split()[1]
        for line in Path("/proc/self/mountinfo").read_text().splitlines()
        if line.split()[2] == numbers
    ]
    return f"the file system of {folder}" + (f" ({sources[0]})" if sources else "")


def _existing(folder: Path) -> Path:
    return next(path for path in (folder, *folder.parents) if path.exists())


def _mib(count: int) -> str:
    return f"{math.ceil(count / MIB):,} MiB"


def wait_for_room(
    install: InstallPaths, report: Callable[[str], None], pause: Callable[[float], None]
) -> None:
    """Return as soon as a worker can start; what is needed is reported once, then every hour."""
    reported = -math.inf
    waited = 0.0
    while True:
        try:
            check_start(install)
            return
        except EngineUnavailable as error:
            if waited - reported >= REMINDER_S:
                report(f"the worker waits: {error}")
                reported = waited
        pause(PAUSE_S)
        waited += PAUSE_S


def main() -> None:
    """Wait with the settings of the environment."""
    settings = Settings()
    install = InstallPaths(settings.install_id, settings.runtime_dir, settings.var_dir)
    wait_for_room(install, lambda line: print(line, file=sys.stderr, flush=True), time.sleep)


if __name__ == "__main__":
    main()
