"""Start the services in order, watch them until a stop is requested, stop them in reverse order."""

from __future__ import annotations

import argparse
import importlib
import json
import os
import signal
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from backend.cli.local_access import LocalAccess
from scripts.starter import access, api, confinement, environment, layout, leftovers, lock, parts, worker
from scripts.starter.layout import Layout
from scripts.starter.listening import open_listener
from scripts.starter.migration import Migration
from scripts.starter.parts import PAGE, Part, Parts
from scripts.starter.postgres import Postgres
from scripts.starter.private import UMASK
from scripts.starter.processes import Service, Supervisor
from scripts.starter.reach import Reach, choose
from scripts.starter.redis import Redis
from scripts.starter.redis_hosts import HostUsers, host_users
from scripts.starter.sandbox import api_uid
from scripts.starter.stopping import Stop, Stopped
from scripts.starter.terminal import Refusal, Terminal
from scripts.starter.time_limits import limit, time_factor
from scripts.starter.tls import ServerCertificate
from scripts.starter.trust import trust

if TYPE_CHECKING:
    from scripts.starter.demo import Demo

EXIT_INTERRUPTED = 130
READY_FILE = "ready.json"


@dataclass(frozen=True)
class Options:
    """The options of `scripts/up`."""

    root: Path
    var: Path
    reach: Reach
    elapsed: float
    lock_fd: int | None
    demo: bool
    once: bool
    restore: Path | None = None
    replace: bool = False
    parts: tuple[Part, ...] = ()


def parse(arguments: list[str] | None = None) -> Options:
    """The options from the command line."""
    parser = argparse.ArgumentParser(prog="python -m scripts.starter", description=__doc__)
    parser.add_argument("--root", type=Path, required=True)
    parser.add_argument("--var", type=Path, required=True)
    parser.add_argument("--port", type=int, default=8420)
    parser.add_argument("--listen", default="127.0.0.1")
    parser.add_argument("--public-url", default="")
    parser.add_argument("--behind-proxy", default="")
    parser.add_argument("--plain-http", action="store_true")
    parser.add_argument("--tls-cert", type=Path)
    parser.add_argument("--tls-key", type=Path)
    parser.add_argument("--began", type=float, default=time.time())
    parser.add_argument("--lock-fd", type=int)
    parser.add_argument("--demo", action="store_true")
    parser.add_argument("--once", action="store_true")
    parser.add_argument("--restore", type=Path)
    parser.add_argument("--replace", action="store_true")
    parser.add_argument("--worker-redis", type=int)
    parser.add_argument("--part", action="append", default=[])
    found = parser.parse_args(arguments)
    return Options(
        root=found.root.resolve(),
        var=found.var.resolve(),
        reach=Reach(
            listen=found.listen,
            port=found.port,
            public_url=found.public_url,
            allowed_hosts=os.environ.get("PLIMSOLL_ALLOWED_HOSTS", ""),
            behind_proxy=found.behind_proxy,
            plain_http=found.plain_http,
            tls_cert=found.tls_cert,
            tls_key=found.tls_key,
            worker_redis=found.worker_redis,
        ),
        elapsed=max(0.0, time.time() - found.began),
        lock_fd=found.lock_fd,
        demo=found.demo,
        once=found.once,
        restore=found.restore,
        replace=found.replace,
        parts=tuple(parts.parse(found.part)),
    )


class Starter:
    """One start of one installation: `bring_up`, `serve`, and always `tear_down`."""

    def __init__(
        self,
        installation: Layout,
        options: Options,
        listener: socket.socket,
        terminal: Terminal,
        stop: Stop,
    ) -> None:
        self._layout = installation
        self._options = options
        self._listener = listener
        self._terminal = terminal
        self._stop = stop
        self._access: LocalAccess
        self._demo: Demo | None = None
        self._redis = Redis(installation)
        self._host_users: HostUsers | None = None
        self._certificate = ServerCertificate(
            installation, environment.host_name(), terminal, self._use_new_certificate
        )
        layout.note_absent(installation.absent_note)
        self._parts = Parts(installation.logs, terminal, list(options.parts))
        self._announced = False
        self._supervisor = Supervisor(
            installation.logs, terminal, stop, on_spawn=self._note, on_watch=self._parts.watch
        )

    def _note(self, name: str, pid: int) -> None:
        leftovers.note(self._layout.runtime, name, pid)

    def bring_up(self) -> None:
        """Start everything in order, each after the one before is ready. Raises Refusal, Stopped."""
        postgres, redis = Postgres(self._layout), self._redis
        self._supervisor.time_factor = time_factor()
        self._remove_leftovers()
        if postgres.prepare(self._stop):
            self._terminal.say("postgres", "new cluster in var/postgres")
        self._start(postgres.service())
        postgres.ensure_database()
        user = api_uid(self._layout.install_id)
        self._certificate.prepare(owner=(user, user))
        redis.prepare()
        self._start(redis.service())
        if self._options.restore is not None:
            said = api.restore(self._layout, self._stop, self._options.restore, self._options.replace)
            for line in said.splitlines():
                self._terminal.say("restore", line)
        Migration(self._layout, postgres.revision).run(self._stop)
        self._terminal.say("migrate", "the schema is current")
        if (port := self._layout.reach.worker_redis) is not None:
            self._host_users = host_users(self._layout, self._terminal)
            self._host_users.start()
            self._terminal.say("redis", f"open to workers of enrolled hosts, by TLS on port {port}")
        self._start_api_and_worker()
        if self._parts.runs(PAGE):
            self._terminal.say("page", "still being built; the API answers")

    def _start_api_and_worker(self) -> None:
        """Side by side: each imports for seconds, and needs only the database from the other."""
        confinement.prepare(self._layout)
        answering = self._supervisor.begin(api.service(self._layout, self._listener.fileno()))
        self._terminal.say("worker", "starting; the first start also needs the image, see var/log/worker.log")
        working = self._supervisor.begin(worker.service(self._layout, lambda: self._access.token))
        self._access = access.prepare(self._layout, self._stop)
        self._supervisor.await_ready(answering)
        self._supervisor.await_ready(working)

    def _start(self, service: Service) -> None:
        self._supervisor.start(service)

    def _use_new_certificate(self) -> None:
        self._redis.deliver_certificate()
        if self._host_users is not None:
            self._host_users.use_new_certificate(self._redis.pair)

    def _remove_leftovers(self) -> None:
        for name, number in (
            ("worker", signal.SIGQUIT),
            ("api", signal.SIGTERM),
            ("redis", signal.SIGTERM),
            ("postgres", signal.SIGINT),
        ):
            if leftovers.end(self._layout.runtime, name, number, limit(worker.STOP_LIMIT), self._stop):
                self._terminal.say(name, "ended a process of an earlier start")
        worker.reap(self._layout)

    def _announce(self) -> None:
        """Once the page is built: write the file that says so, and print where it is."""
        if self._announced or self._parts.runs(PAGE):
            return
        self._announced = True
        ready = {"url": self._layout.url, "pid": os.getpid()}
        (self._layout.var / READY_FILE).write_text(json.dumps(ready) + "\n")
        reached = self._layout.reach.settings(environment.host_name()).base_url
        self._terminal.say("ready", f"{reached}   Ctrl-C stops everything")
        self._terminal.say("ready", f"sign in, once: {self._access.sign_in_link}")

    def _remove_mounts(self) -> None:
        for point in layout.remove_mounts(self._layout):
            self._terminal.say("stop", f"unmounted {point}")

    def serve(self) -> int:
        """Watch the services until a stop is requested, or the demo of `--once` has ended."""
        demo: Demo | None = None
        if self._options.demo:
            demo = self._demo = self._begin_demo()
        while not self._stop.requested:
            self._announce()
            self._supervisor.watch()
            self._certificate.refresh()
            if self._options.once and demo is not None and demo.exit_code is not None:
                return demo.exit_code
            self._supervisor.wait()
        return EXIT_INTERRUPTED if self._options.once else 0

    def _begin_demo(self) -> Demo:
        # Its module imports SciPy, which no other start needs here.
        demo: Demo = importlib.import_module("scripts.starter.demo").Demo(
            self._layout.url,
            self._access.token,
            self._layout.var / "demo.json",
            self._terminal,
            self._stop,
            trust(self._layout.tls_pins),
        )
        demo.start()
        return demo

    def tear_down(self) -> None:
        """Stop everything in reverse order; a failed step does not prevent the next."""
        demo = self._demo
        if demo is None or demo.exit_code is None:
            run = "a run in progress" if demo is None or demo.run_id is None else demo.run_id
            self._terminal.say(
                "stop",
                f"stopping everything; {run} goes on at the next start, and its recorded trials are kept",
            )
        else:
            self._terminal.say("stop", "stopping everything")
        (self._layout.var / READY_FILE).unlink(missing_ok=True)
        access.file_of(self._layout).unlink(missing_ok=True)
        if self._host_users is not None:
            self._host_users.stop()
        steps: tuple[Callable[[], None], ...] = (
            self._supervisor.stop_all,
            self._parts.end,
            self._listener.close,
            lambda: worker.reap(self._layout),
            self._remove_mounts,
            lambda: layout.remove_runtime(self._layout),
            lambda: layout.remove_noted(self._layout.absent_note),
        )
        for step in steps:
            try:
                step()
            except (Refusal, OSError) as error:
                self._terminal.fail(str(error))
        self._terminal.say("stop", "everything is stopped; the data stay in var/")


def main(arguments: list[str] | None = None) -> int:
    """Start, serve and stop; returns the exit code."""
    options = parse(arguments)
    terminal, stop = Terminal(options.elapsed), Stop()
    stop.install()
    os.umask(UMASK)
    try:
        options.var.mkdir(parents=True, exist_ok=True)
        lock.hold(options.var / "lock", options.lock_fd)
        reach = choose(options.reach, environment.host_name())
        listener = open_listener(reach.listen, reach.port)
        installation = layout.prepare(options.root, options.var, reach)
    except Refusal as refusal:
        terminal.fail(str(refusal))
        Parts(options.var, terminal, list(options.parts)).end()
        return 1
    starter = Starter(installation, options, listener, terminal, stop)
    try:
        starter.bring_up()
        return starter.serve()
    except Stopped:
        return EXIT_INTERRUPTED
    except Refusal as refusal:
        terminal.fail(str(refusal))
        return 1
    finally:
        starter.tear_down()
