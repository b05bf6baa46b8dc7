"""Samples call stacks of all CPUs with perf(1), by a software event: cpu-clock needs no hardware counter.

perf's data are in a temporary folder that is removed however the recording ends. perf ends by itself after
the requested time, so that none outlives a worker that was killed.
"""

from __future__ import annotations

import logging
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Final

from backend.core.errors import HostCommandFailed, TrialFailed
from backend.core.sample.perf_script import ParsedScript, parse
from backend.core.sample.profile import FREQUENCY_HZ
from worker.host.commands import run
from worker.host.time_limits import limit

log = logging.getLogger(__name__)

EVENT: Final = "cpu-clock"
RECORD: Final = (
    *("perf", "record", "-q", "--no-buildid", "--no-buildid-cache", "-F", str(FREQUENCY_HZ), "-e", EVENT),
    *("-a", "-g", "-m", "512"),
)
SCRIPT: Final = ("perf", "script", "--no-inline", "--show-task-events", "-F", "comm,pid,tid,ip,sym,dso")
END_LIMIT_S: Final = 20.0
"""Seconds after the requested time in which perf has to write its data."""
READ_LIMIT_S: Final = 120.0
LARGEST_DATA: Final = 512 * 2**20
"""Bytes of perf's data; a profile with more is not read."""
FAILED: Final = "profiler_failed"
FOLDER_PREFIX: Final = "profile-"


def why_not() -> str | None:
    """Why this host cannot take a profile, with the remedy; None where it can. Tries it for a moment."""
    if shutil.which("perf") is None:
        return "perf is not installed; install the package linux-perf (Debian) or linux-tools (Ubuntu)"
    with tempfile.TemporaryDirectory(prefix="plimsoll-perf-") as folder:
        try:
            run([*RECORD, "-o", f"{folder}/data", "--", "sleep", "0.05"], timeout_s=10.0)
        except HostCommandFailed as error:
            return f"perf cannot sample all CPUs ({_reason(error)}); {_remedy()}"
    return None


def _reason(error: HostCommandFailed) -> str:
    return str(error).removesuffix(".").strip()[:300]


def _remedy() -> str:
    try:
        level = Path("/proc/sys/kernel/perf_event_paranoid").read_text().strip()
    except OSError:
        return "use a kernel with CONFIG_PERF_EVENTS"
    return f"the worker needs CAP_PERFMON, or kernel.perf_event_paranoid of -1 (it is {level})"


def program_version() -> str:
    """The version of perf, as it prints it; empty where it prints none."""
    try:
        return run(["perf", "version"], timeout_s=10.0).strip()
    except HostCommandFailed:
        return ""


def remove_left(folder: Path) -> None:
    """Remove the data of recordings that a killed worker left; call it before the first recording."""
    for left in folder.glob(f"{FOLDER_PREFIX}*"):
        log.warning("%s is removed; the worker ended while it took a profile", left.name)
        shutil.rmtree(left, ignore_errors=True)


class Recording:
    """One recording of all CPUs; a context manager that ends perf and removes its data."""

    def __init__(self, folder: Path) -> None:
        self._parent = folder
        self._folder: Path | None = None
        self._perf: subprocess.Popen[bytes] | None = None
        self._seconds = 0

    def __enter__(self) -> Recording:
        self._parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._folder = Path(tempfile.mkdtemp(prefix=FOLDER_PREFIX, dir=self._parent))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._perf is not None and self._perf.poll() is None:
            self._perf.kill()
            self._perf.wait()
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)

    @property
    def started(self) -> bool:
        """Whether `start` was called."""
        return self._perf is not None

    @property
    def _data(self) -> Path:
        assert self._folder is not None, "a recording is used as a context manager"
        return self._folder / "data"

    def start(self, seconds: int) -> None:
        """Sample for so many seconds, from a moment after this call."""
        self._seconds = seconds
        with (self._data.with_name("errors")).open("wb") as errors:
            self._perf = subprocess.Popen(
                [*RECORD, "-o", str(self._data), "--", "sleep", str(seconds)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=errors,
            )

    def stacks(self) -> ParsedScript:
        """Wait for perf's end and read its samples. Raises TrialFailed (`profiler_failed`).

        Call it while the sampled processes still run: perf finds their programs' symbols in their files.
        """
        assert self._perf is not None, "start() comes first"
        try:
            code = self._perf.wait(self._seconds + limit(END_LIMIT_S))
        except subprocess.TimeoutExpired:
            raise TrialFailed(FAILED, "perf record did not end in time") from None
        if code != 0:
            errors = self._data.with_name("errors").read_text(errors="replace").strip().splitlines()
            raise TrialFailed(FAILED, f"perf record: {errors[-1][:300] if errors else code}")
        if self._data.stat().st_size > LARGEST_DATA:
            raise TrialFailed(FAILED, f"perf recorded more than {LARGEST_DATA // 2**20} MiB")
        with _lines([*SCRIPT, "-i", str(self._data)]) as lines:
            return parse(lines)


@contextmanager
def _lines(argv: list[str]) -> Iterator[Iterator[str]]:
    """The output of a command, line by line; it is killed if it takes longer than READ_LIMIT_S."""
    limited = ["timeout", "-k", "5", str(int(limit(READ_LIMIT_S))), *argv]
    with subprocess.Popen(
        limited,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        encoding="utf-8",
        errors="replace",
    ) as script:
        assert script.stdout is not None, "stdout is a pipe"
        try:
            yield iter(script.stdout)
        except BaseException:
            script.kill()
            raise
    if script.returncode != 0:
        raise TrialFailed(FAILED, f"perf script ended with exit code {script.returncode}")
