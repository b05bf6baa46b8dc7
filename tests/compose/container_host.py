"""Another Docker host beside the compose server, which joins by one `docker run`: an engine of its own."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from backend.worker_container import IMAGE, NAME
from tests.compose.installation import VAR, Compose, Engine, await_condition, give_image
from tests.live.conftest import ROOT
from tests.live.seeding import link_image
from worker.host.ledger import Ledger

HOST: Final = "contained-1"
ADDRESS: Final = "198.18.1.21"


class ContainerHost:
    """The host; `run` is a shell line of its user, `docker` a command of its Docker."""

    def __init__(self, engine: Engine, folder: Path) -> None:
        self.engine = engine
        commands = Compose(engine, folder)
        self.run = commands.shell
        self.docker = commands.docker

    @property
    def install_id(self) -> str:
        """Of its worker."""
        return (self.engine.volumes / NAME / "_data" / "install-id").read_text().strip()

    def await_worker(self) -> None:
        """Wait until the worker of a container that has just been made was started."""

        def logs() -> str:
            return self.run(f"docker logs {NAME} 2>&1")

        def measures() -> bool:
            printed = self.docker("logs", NAME)
            assert "this container only waits now" not in printed, logs()
            return f"{HOST} measures for" in printed

        await_condition(measures, logs)


@contextmanager
def container_host(other: Engine, folder: Path) -> Iterator[ContainerHost]:
    """A host beside the other's, with the same image; its engine and data are removed at the end."""
    engine = Engine("joined", ADDRESS, Ledger(VAR / "joined-ledger.jsonl"))
    link_image(other.names, engine.names)
    try:
        engine.start_beside(other)
        host = ContainerHost(engine, folder)
        host.docker("image", "inspect", IMAGE)
        host.docker("volume", "create", NAME)
        give_image(engine, ROOT / "var" / "live-tests" / "images", NAME)
        yield host
    finally:
        engine.stop()
        shutil.rmtree(engine.names.data, ignore_errors=True)
