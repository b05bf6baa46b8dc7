"""Join a server: enrol where that was not done, then start the worker."""

from __future__ import annotations

import hashlib
import os
import sys
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

from backend.worker_installation import update_advice
from backend.worker_protocol import release
from scripts.joining import host_settings, run, tree, unit
from scripts.joining.certificates import read_trust
from scripts.joining.enrolment import Enrolled, EnrolmentFiles
from scripts.joining.join_url import read_join_url
from scripts.joining.server import NoAnswer, Server
from scripts.joining.unit import Unit
from scripts.starter import environment, layout
from scripts.starter.reach import LOOPBACK
from scripts.starter.stopping import Stop
from scripts.starter.terminal import Refusal, Terminal

PROGRAM = "program"
"""The file in var/enrolment with a hash of the program that the unit was started with."""


class Unanswered(Refusal):
    """The server did not answer; later it may."""


@dataclass(frozen=True)
class Options:
    """The options of scripts/join; `url` is empty for a host that has joined."""

    root: Path
    var: Path
    url: str = ""
    name: str = ""
    fingerprint: str = ""
    cacert: Path | None = None
    foreground: bool = False
    start: bool = True
    lock_fd: int | None = None


def join(options: Options, terminal: Terminal, stop: Stop) -> int:
    """Enrol and start; returns the exit code. Raises Refusal, Stopped."""
    enrolled = enrol(options, terminal)
    if not options.start:
        terminal.say("join", "the worker is not started; scripts/join starts it")
        return 0
    if options.foreground or not unit.booted():
        if not options.foreground:
            terminal.say(
                "join", "systemd does not run here: the worker runs until Ctrl-C, and not after a boot"
            )
        if options.lock_fd is not None:
            os.close(options.lock_fd)  # scripts/leave may end it from now on
        return run.run(options.root, options.var, terminal, stop)
    return _start_unit(options, enrolled, terminal)


def enrol(options: Options, terminal: Terminal) -> Enrolled:
    """The enrolment, made where there is none yet. Raises Refusal, Unanswered."""
    files = EnrolmentFiles(options.var)
    known = files.read()
    found = _enrol(options, files, terminal) if known is None else _again(options, known, files, terminal)
    host_settings.keep(options.var)
    return found


def _enrol(options: Options, files: EnrolmentFiles, terminal: Terminal) -> Enrolled:
    url = read_join_url(options.url)
    trust = read_trust(options.cacert, options.fingerprint)
    if trust.is_own and not url.server.startswith("https:"):
        raise Refusal(f"--fingerprint and --cacert need https, not {url.server}")
    name = options.name or environment.host_name()
    try:
        verified = trust.verified(url.server)
        installed = str(tree.installation(options.root))
        with closing(
            Server(url.server, verified.verify, allow_http=_allows_http(), installed=installed)
        ) as server:
            found = server.enrol(url.secret, name, files.nonce(url.secret))
    except NoAnswer as error:
        raise Unanswered(f"{error}; nothing has changed, and the same command may be repeated") from None
    redis = found.redis or {}
    enrolled = Enrolled(url.server, found.host_id, found.host_name, trust.pinned, str(redis.get("url") or ""))
    files.write(enrolled, found.token, trust.certificate, verified.certificates or redis.get("ca") or None)
    terminal.say("join", f"{enrolled.host_name} has joined {enrolled.server}")
    if found.release and found.release != release():
        advice = update_advice(tree.installation(options.root), release(), found.release)
        terminal.say("join", f"the server has release {found.release}, this program {release()}: {advice}")
    return enrolled


def _again(options: Options, known: Enrolled, files: EnrolmentFiles, terminal: Terminal) -> Enrolled:
    """A host that has joined: other certificates are stored, everything else must agree."""
    if options.url and read_join_url(options.url).server != known.server:
        raise Refusal(
            f"this host has joined {known.server} already: run scripts/leave first, or set PLIMSOLL_VAR_DIR "
            "for a second worker"
        )
    if options.name and options.name != known.host_name:
        raise Refusal(
            f"this host has joined as {known.host_name}: to rename it, run scripts/leave and join again"
        )
    if options.url:
        terminal.say(
            "join", f"{known.host_name} has joined {known.server} before; the enrolment stays unused"
        )
    trust = read_trust(options.cacert, options.fingerprint)
    # A container starts with the same options again, also while its server is away.
    is_known = trust.pinned == known.fingerprint != ""
    if trust.is_own and not is_known:
        try:
            verified = trust.verified(known.server)
        except NoAnswer as error:
            raise Unanswered(str(error)) from None
        known = replace(known, fingerprint=trust.pinned)
        files.trust(known, trust.certificate, verified.certificates)
        terminal.say("join", "the certificate to trust was replaced")
    return known


def _start_unit(options: Options, enrolled: Enrolled, terminal: Terminal) -> int:
    host_settings.load(options.var)  # the time limits of the unit are among them
    installation = layout.prepare(options.root, options.var, LOOPBACK)
    found = Unit(installation.install_id)
    text = unit.unit_text(
        options.root, options.var, Path(sys.executable), enrolled.host_name, enrolled.server
    )
    started = options.var / "enrolment" / PROGRAM
    wanted = program_hash(options.root, text + host_settings.text(options.var))
    if found.is_active() and started.exists() and started.read_text() == wanted:
        terminal.say("join", f"{found.name} runs already with this program")
        return 0
    found.install(text)
    found.start()
    started.write_text(wanted)
    terminal.say("join", f"{found.name} starts now and at every boot; the first start also builds the image")
    terminal.say(
        "join", f"journalctl -fu {found.name} shows its progress; the server's page Hosts lists the host"
    )
    return 0


def program_hash(root: Path, unit_file: str) -> str:
    """A hash of the worker's code, its packages and its unit."""
    found = hashlib.sha256(unit_file.encode())
    for path in sorted(
        (
            *(file for part in ("backend", "worker", "scripts") for file in (root / part).rglob("*.py")),
            root / "uv.lock",
        )
    ):
        found.update(f"{path.relative_to(root)}\n".encode() + path.read_bytes())
    return found.hexdigest()


def _allows_http() -> bool:
    return os.environ.get("PLIMSOLL_ALLOW_HTTP", "").lower() in ("1", "true", "yes")
