"""Build the image of servers and tools of Debian's packages alone: no engine, no registry, no Docker.

mmdebstrap makes the root file system with the recipe's packages in one installation, and beside it extracts
the compilers to a folder of their own, in which the two programs are compiled. Only the standard library is
needed here, because a first start does this before it has other packages.
"""

from __future__ import annotations

import fcntl
import os
import platform
import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from backend.core.errors import EngineUnavailable, HostCommandFailed
from worker.host.time_limits import limit
from worker.images import recipe
from worker.images.layer import write_image
from worker.images.recipe import ImageArchive

LIMIT_S: Final = 900.0
LOGS: Final = ("build.log", "build-programs.log")
LOCK: Final = "build.lock"
NO_SPACE: Final = "no space left on device"
UNREAD: Final = ("*/go-*/pkg/linux_*_*", "./usr/share/go-*/test", "./usr/share/doc", "./usr/share/locale")
"""Of the compilers' packages: Go's library in other forms (race, shared), tests, texts; 0.3 of 0.7 GB."""
BOUNDED: Final = (
    *("setpriv", "--pdeathsig", "KILL", "--"),
    *("unshare", "--mount", "--propagation", "private"),
    *("--pid", "--fork", "--mount-proc", "--kill-child", "--"),
)
"""Mounts and processes of a build end with it, also when it is killed."""
PREPARE: Final = 'cp "$RECIPE/prepare" "$1/tmp/prepare" && chroot "$1" sh /tmp/prepare'
FINISH: Final = 'cp "$RECIPE/finish" "$1/tmp/finish" && chroot "$1" sh /tmp/finish'
PATH: Final = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


BESIDE: Final = 5
"""Nice value of the shorter of the two steps that run side by side."""
NO_VARIABLES: Final[Mapping[str, str]] = {}


@contextmanager
def building(folder: Path, report: Callable[[str], None]) -> Iterator[None]:
    """Hold the lock of a build in this folder; waits where another process builds there, and reports it."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with (folder / LOCK).open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            report("image: being built beside; waiting for it")
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def build_of_debian(archive: ImageArchive, report: Callable[[str], None]) -> None:
    """Build the archive and the relay beside it, under the lock of `building`. Leaves nothing else behind.

    Raises HostCommandFailed, with the end of the log; EngineUnavailable where the disk became full.
    """
    folder = archive.path.parent
    root, tools = folder / "root.partial", folder / "compilers.partial"
    logs = [folder / name for name in LOGS]
    try:
        _remove(root, tools)
        report("image: installing servers, proxies and tools of Debian's packages")
        with ThreadPoolExecutor(1) as beside:
            programs = beside.submit(_compile, tools, logs[1])
            _install(root, logs[0])
            programs.result()
        report("image: saving it")
        for name in recipe.PROGRAMS:
            shutil.copy(tools / "out" / name, root / "usr/local/bin" / name)
        write_image(root, archive.path, archive.tag, recipe.container_config(), platform.machine())
        shutil.copy(tools / "out" / Path(recipe.RELAY).name, archive.relay)
    except (HostCommandFailed, OSError) as error:
        if NO_SPACE in " ".join((str(error), *map(_text, logs))).lower():
            raise EngineUnavailable(f"the disk became full while the image was built in {folder}") from error
        raise error if isinstance(error, HostCommandFailed) else HostCommandFailed(str(error)) from error
    finally:
        _remove(root, tools)


def _install(root: Path, log: Path) -> None:
    """Make the root file system with everything but the compiled programs."""
    # No fsync: what a power failure leaves is thrown away. dpkg keeps this option in the image.
    options = ["--dpkgopt=force-unsafe-io"]
    # Only these: mmdebstrap keeps apt's configuration there, and without it cleans the host's package lists.
    finish = [FINISH, 'rm "$1/tmp/prepare" "$1/tmp/finish"']
    copies = [
        f'mkdir -p "$1{to}" && cp "$RECIPE/{name}" "$1{to}"' for name, to in recipe.destinations().items()
    ]
    hooks = [f"--essential-hook={PREPARE}", *(f"--customize-hook={hook}" for hook in copies + finish)]
    include = f"--include={','.join(recipe.packages('packages'))}"
    _mmdebstrap(log, ["--variant=essential", *options, *hooks, include, recipe.SUITE, str(root)])


def _compile(tools: Path, log: Path) -> None:
    """Extract the compilers, without an installation, and compile the programs to `tools`/out."""
    include = ",".join((*recipe.packages("compilers"), "dash"))
    excluded = " ".join(f"--exclude={pattern}" for pattern in UNREAD)
    argv = ["--variant=extract", f"--include={include}", recipe.SUITE, str(tools)]
    _mmdebstrap(log, argv, {"TAR_OPTIONS": excluded}, BESIDE)
    for name in ("src", "out", "tmp"):
        (tools / name).mkdir(exist_ok=True)
    shutil.copytree(recipe.RECIPE, tools / "src", dirs_exist_ok=True)
    _run(log, ["chroot", str(tools), "/bin/dash", "/src/compile", "/src", "/out"])
    _remove(tools / "usr")


def _mmdebstrap(
    log: Path, arguments: Sequence[str], variables: Mapping[str, str] = NO_VARIABLES, niceness: int = 0
) -> None:
    log.unlink(missing_ok=True)
    _run(log, ["mmdebstrap", "--format=directory", *arguments], variables, niceness)


def _run(
    log: Path, argv: Sequence[str], variables: Mapping[str, str] = NO_VARIABLES, niceness: int = 0
) -> None:
    """Run a step with its output in the log. Raises HostCommandFailed with its error or last line."""
    with log.open("ab") as output:
        try:
            done = subprocess.run(
                ["nice", "-n", str(niceness), *BOUNDED, *argv],
                env={**os.environ, "PATH": PATH, "RECIPE": str(recipe.RECIPE), **variables},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                timeout=limit(LIMIT_S),
                check=False,
            )
        except FileNotFoundError as error:
            raise HostCommandFailed(f"{error.filename} is not installed") from error
        except subprocess.TimeoutExpired as error:
            raise HostCommandFailed(f"{argv[0]} did not end within {limit(LIMIT_S):g} s") from error
    if done.returncode != 0:
        lines = _text(log).strip().splitlines()
        errors = [line for line in lines if line.startswith("E:")] or lines[-1:] or [str(done.returncode)]
        raise HostCommandFailed(f"{argv[0]}: {errors[0]}; see {log}")


def _remove(*folders: Path) -> None:
    """Several times faster than shutil.rmtree for a root file system."""
    subprocess.run(["rm", "-rf", "--one-file-system", "--", *folders], check=False)


def _text(log: Path) -> str:
    return log.read_text(errors="replace") if log.exists() else ""
