"""Single real engines in an installation of their own, for the tests of the engines themselves."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tests.live.folders import forget_engines, remove_interrupted
from tests.live.host import snapshot
from tests.live.seeding import link_image
from tests.machine_lock import ROOT
from worker.engine.docker_engine import DockerEngine
from worker.engine.lab import LabEngine, LabSettings
from worker.engine.names import LINK_ADDRESSES, EngineNames, InstallPaths, engine_names, program_address
from worker.engine.protocol import Container, ContainerSpec, Engine
from worker.engine.segment import Segment
from worker.host.commands import run
from worker.host.ledger import Ledger
from worker.images.bootstrap import ensure_image
from worker.images.recipe import ImageArchive

INSTALL = "engtest"
RUNTIME = Path("/run/plimsoll-engtest")
VAR = ROOT / "var" / "live-engines"
PORT = 8080
MIB = 2**20
REPLY_LIMIT_S = 20.0


@dataclass
class Lab:
    """Linked engines by key, with the image of the engine `source`; `close` removes everything."""

    var: Path
    image: ImageArchive
    source: EngineNames
    engines: dict[str, LabEngine] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.ledger = Ledger(self.var / "ledger.jsonl")
        self.segment = Segment(INSTALL, self.ledger)

    def names(self, key: str) -> EngineNames:
        return engine_names(InstallPaths(INSTALL, RUNTIME, self.var), key)

    def up(self, *keys: str, program: Path | None = None) -> None:
        """Start these engines at the same time, those that are up already excepted."""
        with ThreadPoolExecutor(max(1, len(keys))) as pool:
            list(pool.map(lambda key: self._start(key, program), keys))

    def _start(self, key: str, program: Path | None) -> None:
        if key not in self.engines:
            address = LINK_ADDRESSES.get(key) or program_address(0)
            settings = LabSettings(key != "off", program, address)
            link_image(self.source, self.names(key))
            engine = LabEngine(self.names(key), self.ledger, settings, self.segment)
            engine.start().images.load(str(self.image.path), self.image.tag)
            self.engines[key] = engine

    def docker(self, key: str) -> DockerEngine:
        docker = self.engines[key].docker
        assert docker is not None
        return docker

    def spec(self, name: str, network: str, *command: str, **more: object) -> ContainerSpec:
        """A container that serves pong on PORT, or runs another command."""
        return ContainerSpec(
            name=name,
            image=self.image.tag,
            command=command or ("pong", "-listen", f"0.0.0.0:{PORT}"),
            network=network,
            memory_bytes=512 * MIB,
            **more,  # type: ignore[arg-type]  # the caller's own fields of the spec
        )

    def close(self) -> None:
        for engine in self.engines.values():
            engine.stop()
        self.segment.stop()
        self.ledger.clear_if_empty()


@contextmanager
def new_lab(install: InstallPaths) -> Iterator[Lab]:
    """A lab with the image of the live tests, of which nothing stays."""
    remove_interrupted(VAR)
    image = ensure_image(install, Ledger(VAR / "ledger.jsonl"), print)
    before = snapshot(INSTALL, (VAR,))
    lab = Lab(VAR, image, engine_names(install, "on"))
    try:
        yield lab
    finally:
        lab.close()
        forget_engines(VAR)
    assert snapshot(INSTALL, (VAR,)) == before
    assert lab.ledger.entries() == []
    assert not RUNTIME.exists()


def said(engine: Engine, container: Container, argv: Sequence[str]) -> tuple[int, str]:
    """Exit code and all output of one command in a container."""
    execution = engine.execute(container, argv)
    execution.release()
    text = b""
    while (frames := execution.read(10.0)) is not None:
        text += b"".join(data for _, data in frames)
    return execution.exit_code(), text.decode(errors="replace")


def reply(engine: Engine, container: Container, address: str, port: int = PORT) -> str:
    """The reply to GET /ping at an address from a container; repeated until there is one."""
    argv = ("curl", "-sS", "--max-time", "2", f"http://{address}:{port}/ping")
    return until(lambda: said(engine, container, argv), lambda answer: answer[0] == 0)[1]


def until(ask: Callable[[], tuple[int, str]], good: Callable[[tuple[int, str]], bool]) -> tuple[int, str]:
    """Repeat a request until its answer is good; returns the last answer."""
    deadline = time.monotonic() + REPLY_LIMIT_S
    while not good(answer := ask()) and time.monotonic() < deadline:
        time.sleep(0.05)  # each try is a request of its own; bounded by the deadline
    return answer


def tiny_root(folder: Path) -> Path:
    """A root file system with `sleep` and nothing else."""
    listed = run(["ldd", "/usr/bin/sleep"])
    for place in ("/usr/bin/sleep", *(word for word in listed.split() if word.startswith("/"))):
        inside = folder / place.lstrip("/")
        inside.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(place, inside)
    return folder
