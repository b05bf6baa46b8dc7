"""The installation that the tests share, in their order: what they all ask of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from tests.compose.in_namespace import NetworkNamespace
from tests.compose.installation import OWN_HOST, PROJECT, Browser, Compose, Engine
from tests.compose.remains import network
from tests.live.conftest import TRIES

LOCAL: Final = "http://127.0.0.1:8420"
CELLS: Final[dict[str, Any]] = {
    "path": ["same_container", "published_loopback"],
    "userland_proxy": [True, False],
    "scale": [1],
    "duration_s": [1],
    "warm_up_s": [0],
}

PAIR: Final = CELLS | {"path": ["same_container"], "userland_proxy": [True]}
"""One cell and its duplicate, where only that a run ends matters."""


class Server:
    """compose.yaml in its engine. `small` is a run with a result, `share` the token of a link to it."""

    def __init__(self, engine: Engine, compose: Compose, namespace: NetworkNamespace) -> None:
        self.engine = engine
        self.compose = compose
        self.namespace = namespace
        self.browser = Browser(namespace, LOCAL)
        self.network_before = network(engine.names.netns)
        self.small = self.share = ""

    @property
    def install_id(self) -> str:
        return (self.volume("secrets") / "install-id").read_text().strip()

    def volume(self, name: str) -> Path:
        return self.engine.volumes / f"{PROJECT}_{name}" / "_data"

    def proven(
        self,
        name: str,
        host: str = OWN_HOST,
        meanwhile: Callable[[str], None] = lambda run_id: None,
        rounds: int = 1,
    ) -> str:
        """The id of a new run of CELLS in which every path is proven; `meanwhile` happens while it runs.

        On a busy machine a sample of the connections may come too early or too late: then once more.
        """
        for _ in range(TRIES):
            run_id = self.browser.start_run(name, CELLS, rounds=rounds, host=host)
            meanwhile(run_id)
            done = self.browser.await_run(run_id, ended)
            assert done["state"] == "done" and done["progress"]["failed"] == 0, done
            verdicts = [t["evidence_verdict"] for t in self.browser.get(f"/runs/{run_id}/trials")["data"]]
            assert len(verdicts) == 5 * rounds
            if set(verdicts) == {"proven"}:
                break
        assert set(verdicts) == {"proven"}
        chart = self.browser.get(f"/runs/{run_id}/result")
        assert all(cell["evidence"]["proven"] == rounds for cell in chart["cells"])
        return run_id

    def host(self, name: str) -> dict[str, Any]:
        """A host on the server's list."""
        return next(host for host in self.browser.get("/hosts")["data"] if host["name"] == name)

    def container(self, service: str, form: str) -> str:
        """What `docker inspect` says about a service's container."""
        container = self.compose("ps", "--all", "--quiet", service).strip()
        return self.compose.docker("inspect", "--format", form, container).strip()


def ended(run: dict[str, Any]) -> bool:
    """Whether nothing more happens in this run."""
    return run["state"] in ("done", "cancelled", "incomplete")


def measuring_after(done: int) -> Callable[[dict[str, Any]], bool]:
    """Whether more trials than these are done, and one is being measured."""
    return lambda run: run["progress"]["done"] > done and run["current"] is not None
