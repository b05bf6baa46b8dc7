"""The bench: both lab engines with their deployments, up at the same time for as long as the worker lives."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from backend.core.topology.paths import PATHS
from worker.engine import templates
from worker.engine.lab import HOST_ADDRESS, LabEngine, docker_proxy_digest, missing_program
from worker.engine.names import engine_names
from worker.engine.protocol import EngineUnavailable
from worker.host.environment import host_environment
from worker.host.ledger import Ledger
from worker.host.reaper import sweep
from worker.images.bootstrap import ImageArchive, ensure_image
from worker.measure.cgroup import find_hierarchy
from worker.measure.roles import irq_time_is_separate
from worker.trial.provision import Deployment

log = logging.getLogger(__name__)

SETTINGS = {"on": True, "off": False}
IRQ_TIME = {True: "yes", False: "no", None: "unknown"}


@dataclass(frozen=True)
class Places:
    """Where an installation keeps its things."""

    install_id: str
    runtime: Path
    var: Path


class Bench:
    """Engines and deployments by userland-proxy setting. `start` is all or nothing."""

    def __init__(self, places: Places, say: Callable[[str], None] = log.info) -> None:
        self._places = places
        self._say = say
        self._ledger = Ledger(places.var / "ledger.jsonl")
        self._engines: dict[str, LabEngine] = {}
        self._deployments: dict[str, Deployment] = {}
        self._image: ImageArchive | None = None

    def start(self) -> None:
        """Remove what a crash left, then bring up both engines side by side.

        Raises EngineUnavailable in one sentence where the host lacks something.
        """
        if (program := missing_program()) is not None:
            raise EngineUnavailable(f"{program} is not installed; install Docker Engine and iptables")
        for remains in sweep(self._ledger):
            self._say(f"removed what an earlier start left: {remains}")
        self._image = ensure_image(
            self._places.install_id, self._places.runtime, self._places.var, self._ledger, self._say
        )
        self._say("starting two lab engines, userland-proxy on and off")
        try:
            with ThreadPoolExecutor(len(SETTINGS)) as pool:
                for done in [pool.submit(self._bring_up, setting) for setting in SETTINGS]:
                    done.result()
        except BaseException:
            self.stop()
            raise
        self._say("lab engines are ready")

    def stop(self) -> None:
        """Take everything down; repeatable."""
        for setting in list(SETTINGS):
            self._take_down(setting)
        self._ledger.clear_if_empty()

    def deployment(self, userland_proxy: bool) -> Deployment:
        """The deployment with this setting, brought up again where its engine has died."""
        setting = "on" if userland_proxy else "off"
        engine = self._engines.get(setting)
        if engine is None or engine.docker is None or not engine.docker.answers():
            self._say(f"engine {setting} does not answer; starting it again")
            self._take_down(setting)
            self._bring_up(setting)
        return self._deployments[setting]

    def discard(self, userland_proxy: bool) -> None:
        """Take an engine down after a failure that it may have caused; the next use starts it afresh."""
        self._take_down("on" if userland_proxy else "off")

    def capabilities(self) -> dict[str, Any]:
        """What this host can run, as plans read it."""
        return {
            "engines": [setting for setting in SETTINGS if setting in self._deployments],
            "paths": list(PATHS),
            "reasons": {},
            "max_scale": templates.max_scale(),
            "cores": int(host_environment()["cores"]),
        }

    def inspect(self, userland_proxy: bool, container: str) -> dict[str, Any]:
        """What Docker itself says of one of an engine's containers."""
        engine = self._engines["on" if userland_proxy else "off"]
        assert engine.docker is not None, "the engine is up"
        return engine.docker.inspect(container)

    def environment(self) -> dict[str, str]:
        """Host, engines, image and tools, by name."""
        facts = host_environment()
        facts["docker-proxy sha256"] = docker_proxy_digest()
        facts["cgroup version"] = str(find_hierarchy().version)
        facts["interrupt time kept apart"] = IRQ_TIME[irq_time_is_separate()]
        facts |= {f"server {name}": value for name, value in templates.SERVER_SETTINGS.items()}
        for setting, engine in sorted(self._engines.items()):
            if engine.docker is not None:
                found = engine.docker.version() | {"bridge-nf-call-iptables": engine.bridge_netfilter()}
                facts |= {f"engine {setting} {name}": value for name, value in found.items()}
        if self._deployments:
            facts |= next(iter(self._deployments.values())).tools
        if self._image is not None:
            facts["image"] = self._image.tag
        return facts

    def _bring_up(self, setting: str) -> None:
        assert self._image is not None, "start() makes the image first"
        names = engine_names(self._places.install_id, self._places.runtime, self._places.var, setting)
        engine = LabEngine(names, self._ledger, SETTINGS[setting])
        docker = engine.start()
        self._engines[setting] = engine
        docker.load_image(str(self._image.path), self._image.tag)
        self._deployments[setting] = Deployment(
            docker,
            image=self._image.tag,
            engine_pid=engine.pid,
            engine_cgroup=names.cgroup,
            netns=names.netns,
            host_address=HOST_ADDRESS,
            userland_proxy=SETTINGS[setting],
            versions=docker.version(),
        )

    def _take_down(self, setting: str) -> None:
        deployment = self._deployments.pop(setting, None)
        if deployment is not None:
            with contextlib.suppress(OSError):
                deployment.close()
        engine = self._engines.pop(setting, None)
        if engine is not None:
            engine.stop()
