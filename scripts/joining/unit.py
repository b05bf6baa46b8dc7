"""The systemd unit of a joined host's worker, and the few commands of systemctl that it needs.

What is hardened, and what is not: docs/decisions/0046-how-a-host-joins.md.
"""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path
from string import Template
from typing import Final

from backend.worker_protocol import EXIT_REJECTED
from scripts.starter.terminal import Refusal
from scripts.starter.time_limits import limit

UNITS: Final = Path("/etc/systemd/system")
SYSTEMD_RUNS: Final = Path("/run/systemd/system")
"""It exists where systemd is the system manager (sd_booted(3))."""
LIMIT_S: Final = 300.0
START_S: Final = 600.0
STOP_S: Final = 240.0
DROPPED: Final = (
    *("CAP_SYS_BOOT", "CAP_SYS_TIME", "CAP_WAKE_ALARM", "CAP_BLOCK_SUSPEND", "CAP_SYS_PACCT"),
    *("CAP_SYS_TTY_CONFIG", "CAP_LINUX_IMMUTABLE", "CAP_SYS_RAWIO", "CAP_LEASE", "CAP_AUDIT_CONTROL"),
)
"""Capabilities that neither worker, engines nor measured containers use."""

_UNIT: Final = Template("""\
# Written by scripts/join; scripts/leave removes it.
[Unit]
Description=Plimsoll worker $name of $server
Documentation=file:$root/docs/hosts.md
Wants=network-online.target
After=network-online.target docker.service
ConditionPathExists=$var/enrolment/enrolment.json
StartLimitIntervalSec=0

[Service]
Type=notify
ExecStart=$python -m scripts.joining run --root $root --var $var
ExecStopPost=$python -m scripts.joining reap --root $root --var $var
WorkingDirectory=$root
# It is ready when the worker was started, which waits for its server itself; before, remains are removed.
TimeoutStartSec=$start
# SIGTERM returns the running trial to the queue and stops the engines; what is left then is killed.
KillMode=mixed
TimeoutStopSec=$stop
Restart=on-failure
RestartSec=10
RestartPreventExitStatus=$final
OOMPolicy=continue
Delegate=yes
LimitNOFILE=1048576
LimitNPROC=infinity
LimitCORE=infinity
TasksMax=infinity
UMask=0077
KeyringMode=private
CapabilityBoundingSet=~$dropped

[Install]
WantedBy=multi-user.target
""")


@dataclass(frozen=True)
class Unit:
    """The unit of one installation."""

    install_id: str
    folder: Path = UNITS

    @property
    def name(self) -> str:
        """Its name, with the installation's id: a host may have more than one."""
        return f"plimsoll-worker-{self.install_id}.service"

    @property
    def file(self) -> Path:
        """Its file."""
        return self.folder / self.name

    def install(self, text: str) -> None:
        """Write the file and let systemd read it; it starts at boot from now on."""
        new = self.file.with_name(f"{self.name}.new")
        new.write_text(text, encoding="utf-8")
        new.chmod(0o644)
        new.replace(self.file)
        systemctl("daemon-reload")
        systemctl("enable", "--quiet", self.name)

    def start(self) -> None:
        """Start it, or start it again with the program of now; does not wait until the worker is ready."""
        systemctl("restart", "--no-block", self.name)

    def is_active(self) -> bool:
        """Whether it runs or starts."""
        done = subprocess.run(
            ["systemctl", "show", "--property=ActiveState", "--value", self.name],
            check=False, capture_output=True, text=True, timeout=limit(LIMIT_S),
        )  # fmt: skip
        return done.stdout.strip() in ("active", "activating", "reloading")

    def stop(self) -> None:
        """Stop it and wait for its end; without it nothing happens."""
        if self.file.exists() and booted():
            systemctl("stop", self.name)

    def remove(self) -> bool:
        """Remove a stopped one; False if there was none."""
        if not self.file.exists():
            return False
        if not booted():
            for link in self.folder.glob(f"*.wants/{self.name}"):
                link.unlink()
            self.file.unlink()
            return True
        systemctl("disable", "--quiet", self.name)
        self.file.unlink()
        systemctl("daemon-reload")
        subprocess.run(["systemctl", "reset-failed", self.name], check=False, capture_output=True)
        return True


def booted() -> bool:
    """Whether systemd is this host's system manager."""
    return SYSTEMD_RUNS.is_dir()


def unit_text(root: Path, var: Path, python: Path, name: str, server: str) -> str:
    """The unit's file. Raises Refusal for a path that systemd could not take literally."""
    for path in (root, var, python):
        if any(letter in "\\\"'$;" or letter.isspace() for letter in str(path)):
            raise Refusal(
                f"a systemd unit cannot name {path}: clone the repository into a folder without spaces, "
                "quotes, $ and ;, or use --foreground"
            )
    texts = {"root": str(root), "var": str(var), "python": str(python), "name": name, "server": server}
    # "%" begins a specifier (systemd.unit(5)).
    escaped = {key: text.replace("%", "%%") for key, text in texts.items()}
    times = {"start": f"{limit(START_S):.0f}", "stop": f"{limit(STOP_S):.0f}"}
    return _UNIT.substitute(escaped, **times, final=str(EXIT_REJECTED), dropped=" ".join(DROPPED))


def systemctl(*arguments: str) -> None:
    """Run systemctl. Raises Refusal with its last line if it fails."""
    done = subprocess.run(
        ["systemctl", *arguments], check=False, capture_output=True, text=True, timeout=limit(LIMIT_S)
    )
    if done.returncode != 0:
        lines = (done.stderr or done.stdout).strip().splitlines() or [f"exit code {done.returncode}"]
        raise Refusal(f"systemctl {' '.join(arguments)} failed: {lines[-1]}")
