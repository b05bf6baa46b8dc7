"""A machine for tests: systemd as process 1 of its own namespaces, with this host's files below a layer."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from tests.live.control_groups import Groups, hierarchies

SYSTEMD: Final = Path("/lib/systemd/systemd")
OWN, ITS = "198.51.100.1", "198.51.100.2"
DEVICE: Final = f"plmt{os.getpid() % 10**6}"
LIMIT_S: Final = 120.0
# Control groups belong to their hierarchy, which namespaces share: systemd sees those below the machine's
# own, which a cgroup namespace makes its root. A machine of version 2 has that hierarchy alone.
ENTER: Final = r"""
while [ "$1" != -- ]; do echo $$ >"$1/cgroup.procs"; shift; done
shift
exec "$@"
"""
BOOT: Final = r"""
set -e
mount --make-rprivate /
m=$1/root
mount -t overlay overlay -o lowerdir=/,upperdir=$1/up,workdir=$1/work $m
mount -t proc proc $m/proc
mount -t sysfs sysfs $m/sys
if [ -s $1/controllers ]; then
    mount -t tmpfs tmpfs $m/sys/fs/cgroup
    while read -r name options; do
        mkdir -p $m/sys/fs/cgroup/$name
        mount $options cgroup $m/sys/fs/cgroup/$name
    done <$1/controllers
else
    mount -t cgroup2 cgroup $m/sys/fs/cgroup
fi
for place in run tmp; do mount -t tmpfs tmpfs $m/$place; done
mount -t tmpfs -o mode=755 tmpfs $m/dev
for name in null zero full random urandom tty; do
    touch $m/dev/$name
    mount --bind /dev/$name $m/dev/$name
done
mkdir $m/dev/pts $m/dev/shm
mount -t devpts devpts $m/dev/pts -o newinstance,ptmxmode=0666
ln -s pts/ptmx $m/dev/ptmx
ln -s /proc/self/fd $m/dev/fd
touch $m/dev/console
mount --bind $1/console $m/dev/console
mkdir -p $m/plimsoll-var
mount --bind $1/var $m/plimsoll-var
cd $m
pivot_root . mnt
umount -l /mnt
exec env -i container=plimsoll-test PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    /lib/systemd/systemd --log-target=console --unit=multi-user.target
"""


@dataclass
class Machine:
    """`folder` has what survives a reboot; `pid` is systemd's, 0 while it is off.

    `version` is that of its control groups.
    """

    folder: Path
    version: int = 1
    pid: int = 0
    _processes: list[subprocess.Popen[bytes]] = field(default_factory=list)
    _groups: Groups = field(init=False)

    def __post_init__(self) -> None:
        for name in ("up", "work", "root", "var"):
            (self.folder / name).mkdir(parents=True)
        (self.folder / "console").touch()
        is_second = self.version == 2
        first = [found for found in hierarchies() if found.is_first_version and not is_second]
        (self.folder / "controllers").write_text("".join(f"{row.name} {row.mount}\n" for row in first))
        self._groups = Groups(
            DEVICE, self.folder / "groups", lambda found: not (is_second and found.is_first_version)
        )
        # What this host has enabled is not started: the layer hides the folder (overlayfs, "opaque").
        units = self.folder / "up/etc/systemd/system"
        units.mkdir(parents=True)
        os.setxattr(units, "trusted.overlay.opaque", b"y")

    def boot(self, connected: bool = True) -> None:
        """Start it, wait until systemd has its basic units, and connect it to this host."""
        flags = ("--pid", "--mount", "--uts", "--ipc", "--net", "--cgroup", "--fork")
        outer = subprocess.Popen(
            ["sh", "-c", ENTER, "enter", *map(str, self._groups.make()), "--",
             "unshare", *flags, "bash", "-c", BOOT, "boot", str(self.folder)],
            stdin=subprocess.DEVNULL, start_new_session=True,
        )  # fmt: skip
        self._processes.append(outer)
        deadline = time.monotonic() + LIMIT_S
        while not self.is_up(outer.pid):
            assert outer.poll() is None and time.monotonic() < deadline, self.console()
            with contextlib.suppress(subprocess.TimeoutExpired):
                outer.wait(0.2)
        if connected:
            self.connect()

    def connect(self) -> None:
        """Give it a link to this host."""
        argv = f"link add {DEVICE} type veth peer name eth0 netns {self.pid}"
        subprocess.run(["ip", *argv.split()], check=True)
        for words in (f"address add {OWN}/30 dev {DEVICE}", f"link set {DEVICE} up"):
            subprocess.run(["ip", *words.split()], check=True)
        for words in (f"address add {ITS}/30 dev eth0", "link set eth0 up", "link set lo up"):
            assert self.run("ip", *words.split()).returncode == 0

    def is_up(self, outer: int) -> bool:
        children = Path(f"/proc/{outer}/task/{outer}/children").read_text().split()
        if not children or Path(f"/proc/{children[0]}/comm").read_text().strip() != "systemd":
            return False
        self.pid = int(children[0])
        return self.run("systemctl", "is-active", "--quiet", "basic.target").returncode == 0

    def controllers(self) -> set[str]:
        """The controllers of version 2 that its systemd passes on to groups below the root."""
        return set(self.run("cat", "/sys/fs/cgroup/cgroup.subtree_control").stdout.split())

    def run(self, *argv: str, **environment: str) -> subprocess.CompletedProcess[str]:
        """Run a program inside it."""
        names = [f"{name}={value}" for name, value in environment.items()]
        enter = ("nsenter", f"--target={self.pid}", "--mount", "--pid", "--net", "--uts", "--ipc", "--cgroup")
        return subprocess.run(
            [*enter, "--", "env", "--chdir=/", *names, *argv],
            check=False,
            capture_output=True,
            text=True,
            timeout=600,
        )

    def state(self, unit: str) -> str:
        return self.run("systemctl", "is-active", unit).stdout.strip()

    def off(self) -> None:
        """Cut its power; repeatable."""
        if self.pid:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)
        for process in self._processes:
            process.wait(30)
        self.pid = 0
        self._groups.remove()

    def reboot(self, connected: bool = True) -> None:
        """Stop its units in order and boot it again: reboot(2) ends the namespace's process 1."""
        self.run("systemctl", "reboot")
        self._processes[-1].wait(LIMIT_S)
        self.pid = 0
        self._groups.remove()
        self.boot(connected)

    def console(self) -> str:
        return (self.folder / "console").read_text(errors="replace")[-4000:]
