"""Remove what engines left behind: processes, mounts, cgroups, namespaces and sockets.

Only things with this installation's runtime directory or engine key are touched; processes are ended by pid
after their command line or cgroup was read.
"""

from __future__ import annotations

import contextlib
import logging
import os
import shutil
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from backend.core.errors import AlreadyRunning, HostCommandFailed
from backend.settings import Settings
from worker.host.commands import in_namespace, run
from worker.host.host_docker import remove_image, remove_labelled
from worker.host.ledger import Entry, Ledger
from worker.host.locks import InstanceLock
from worker.host.time_limits import limit, set_factor

log = logging.getLogger(__name__)

END_LIMIT_S = 15.0
CGROUP_ROOT = Path("/sys/fs/cgroup")
NAMESPACES = Path("/run/netns")
BARE = "bare-"
"""Prefix of the cgroup of a program outside Docker, below the cgroup of its engine."""


def sweep(ledger: Ledger) -> list[str]:
    """Remove everything in the ledger, newest first; returns what was found."""
    found: list[str] = []
    for entry in ledger.entries():
        found.append(f"{entry.kind} {entry.name}")
        _remove(entry)
        ledger.gone(entry)
    ledger.clear_if_empty()
    return found


def _remove(entry: Entry) -> None:
    if entry.kind == "process":
        # Containers' processes first: a daemon waits ten seconds for each one that ignores SIGTERM.
        end_processes(processes_in_cgroup(entry.name.partition("/")[0]), signal.SIGKILL)
        end_processes(processes_naming(entry.detail))
    elif entry.kind == "mount_root":
        remove_engine_remains(Path(entry.name), entry.detail)
    elif entry.kind == "mounts":
        unmount_below(Path(entry.name))
    elif entry.kind == "netns":
        remove_namespace(entry.name)
    elif entry.kind == "link":
        remove_link(*entry.name.split("/"))
    elif entry.kind == "host_link":
        remove_host_link(entry.name, entry.detail)
    elif entry.kind == "folder":
        shutil.rmtree(entry.name, ignore_errors=True)
    elif entry.kind == "file":
        remove_file(entry)
    elif entry.kind == "bare":
        remove_bare(Path(entry.name), entry.detail)
    elif entry.kind == "host_image":
        remove_image(Path(entry.name), entry.detail)
    elif entry.kind == "host_engine":
        remove_labelled(Path(entry.name), entry.detail)
        remove_cgroup(entry.detail)


def remove_engine_remains(runtime: Path, key: str) -> None:
    """End the engine's processes, unmount below its runtime directory, delete directory and cgroup."""
    end_processes(processes_in_cgroup(key), signal.SIGKILL)
    end_processes(processes_naming(str(runtime)))
    unmount_below(runtime)
    shutil.rmtree(runtime, ignore_errors=True)
    for parent in (runtime.parent, runtime.parent.parent):
        with contextlib.suppress(OSError):  # another engine's directory, or the host's services, are in it
            parent.rmdir()
    remove_empty_folders()
    remove_cgroup(key)


EMPTIED = {
    # containerd's shims keep their sockets here whatever its configuration.
    "containerd": (Path("/run/containerd/s"), Path("/run/containerd")),
    # Every dockerd creates its folder for plugins here.
    "dockerd": (Path("/run/docker/plugins"), Path("/run/docker")),
}
"""Folders that daemons create outside their own roots, by program."""


def remove_empty_folders() -> None:
    """Remove those that are empty, unless a daemon of that kind runs: ours or the host's own."""
    running = set(programs_running())
    for program, folders in EMPTIED.items():
        if program not in running:
            for folder in folders:
                with contextlib.suppress(OSError):
                    folder.rmdir()


def programs_running() -> Iterator[str]:
    """The program names of all processes."""
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            yield Path(entry.read_text().partition("\0")[0]).name


def remove_file(entry: Entry) -> None:
    """Remove a file, and the folder that was created for it if it is empty."""
    Path(entry.name).unlink(missing_ok=True)
    if entry.detail:
        with contextlib.suppress(OSError):
            Path(entry.name).parent.rmdir()


def remove_namespace(netns: str) -> None:
    """Delete a named network namespace; already gone is fine."""
    if (NAMESPACES / netns).exists():
        try:
            run(["ip", "netns", "delete", netns])
        except HostCommandFailed as error:
            log.warning("network namespace %s was not removed: %s", netns, error)
    # `ip netns add` mounts this folder on itself; an empty one is unmounted and removed.
    if NAMESPACES.is_dir() and not any(NAMESPACES.iterdir()):
        with contextlib.suppress(HostCommandFailed, OSError):
            run(["umount", str(NAMESPACES)])
            NAMESPACES.rmdir()


def remove_link(netns: str, link: str) -> None:
    """Delete a device in a named network namespace, and its peer with it; already gone is fine."""
    if (NAMESPACES / netns).exists():
        with contextlib.suppress(HostCommandFailed):
            run(["ip", "-n", netns, "link", "delete", link])


def remove_host_link(device: str, netns: str) -> None:
    """Delete a device of ours in a host's own network; already gone is fine.

    `netns` is the file of the network namespace in which it was made. That of a process is another one after
    a reboot or a restart of the daemon, so this process's and the first one's are searched as well.
    """
    for found in dict.fromkeys((netns, "/proc/self/ns/net", "/proc/1/ns/net")):
        with contextlib.suppress(HostCommandFailed):
            run(in_namespace(found, ["ip", "link", "delete", device]))


def remove_bare(folder: Path, key: str) -> None:
    """End the programs outside Docker below an engine's cgroup; delete their cgroups and their folder."""
    for top in cgroup_directories(key):
        for group in top.glob(f"{BARE}*"):
            end_processes(processes_in_cgroup(f"{key}/{group.name}"), signal.SIGKILL)
            remove_cgroup(f"{key}/{group.name}")
        with contextlib.suppress(OSError):  # it still holds the engine's own containers
            top.rmdir()
    shutil.rmtree(folder, ignore_errors=True)


def processes_naming(text: str) -> list[int]:
    """Processes whose command line names this runtime directory (daemons and shims)."""
    found = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit() or int(entry.name) == os.getpid():
            continue
        with contextlib.suppress(OSError):
            if f"{text}/".encode() in (entry / "cmdline").read_bytes():
                found.append(int(entry.name))
    return found


def processes_in_cgroup(key: str) -> list[int]:
    """Processes in the engine's cgroup subtree, which are those of its containers."""
    found: set[int] = set()
    for top in cgroup_directories(key):
        for file in top.rglob("cgroup.procs"):
            with contextlib.suppress(OSError):
                found.update(int(line) for line in file.read_text().split())
    return sorted(found)


def cgroup_directories(key: str) -> list[Path]:
    """The engine's cgroup in every hierarchy (one on version 2, one a controller on version 1)."""
    folders = [CGROUP_ROOT / key, *(top / key for top in CGROUP_ROOT.glob("*") if top.is_dir())]
    return [folder for folder in folders if folder.is_dir()]


def end_processes(pids: list[int], first: signal.Signals = signal.SIGTERM) -> None:
    """Send the first signal, wait, SIGKILL what remains; returns when all are gone."""
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, first)
    deadline = time.monotonic() + limit(END_LIMIT_S)
    remaining = pids
    killed = False
    while remaining := [pid for pid in remaining if _alive(pid)]:
        if time.monotonic() > deadline and not killed:
            killed = True
            for pid in remaining:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
        if time.monotonic() > deadline + limit(END_LIMIT_S):
            log.warning("processes %s did not end", remaining)
            return
        time.sleep(0.05)  # processes of another parent cannot be waited for; bounded by the deadline


def _alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state not in "ZX"


def unmount_below(directory: Path) -> None:
    """Unmount everything below a directory; dockerd leaves its data root and a namespace mounted."""
    for mount in mounts_below(directory):
        with contextlib.suppress(HostCommandFailed):
            run(["umount", "--lazy", mount])


def mounts_below(directory: Path) -> list[str]:
    """Mount points below a directory, deepest first."""
    points = [line.split()[4] for line in Path("/proc/self/mountinfo").read_text().splitlines()]
    return sorted((point for point in points if point.startswith(f"{directory}/")), key=len, reverse=True)


def remove_cgroup(key: str) -> None:
    """Remove the engine's cgroup subtree in every hierarchy; retries busy ones for a limited time."""
    deadline = time.monotonic() + limit(END_LIMIT_S)
    for top in cgroup_directories(key):
        while top.is_dir() and time.monotonic() < deadline:
            for group in sorted((p for p in top.rglob("*") if p.is_dir()), key=lambda p: -len(p.parts)):
                with contextlib.suppress(OSError):
                    group.rmdir()
            with contextlib.suppress(OSError):
                top.rmdir()
                break
            time.sleep(0.05)  # the kernel frees a cgroup's last task asynchronously; bounded


def main() -> None:
    """`python -m worker.host.reaper --all`: remove everything that this installation's ledger names."""
    settings = Settings()
    set_factor(settings.time_factor)
    if sys.argv[1:] != ["--all"]:
        sys.exit("usage: python -m worker.host.reaper --all")
    instance = InstanceLock(settings.runtime_dir)
    try:
        instance.acquire("reaper")
    except AlreadyRunning as error:
        sys.exit(f"nothing is removed: {error}")
    for remains in sweep(Ledger(settings.var_dir / "ledger.jsonl")):
        print(f"removed {remains}", flush=True)
    instance.release()


if __name__ == "__main__":
    main()
