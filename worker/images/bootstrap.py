"""The image of all servers and tools: made of Debian's packages, or where that fails on a pulled base.

Both ways follow one recipe. The result is kept as an archive under `var/images`, named by the digest of the
recipe, and loaded into each engine. Programs that run outside Docker come from it: the relay that
an engine starts on the host, and the root file system of a bare host.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

from backend.core.errors import EngineUnavailable, HostCommandFailed
from worker.engine.lab import LabEngine, LabSettings
from worker.engine.names import EngineNames, InstallPaths, engine_names
from worker.host.ledger import Ledger
from worker.host.time_limits import limit
from worker.images.archive import extract, unpack
from worker.images.debian import build_of_debian, building
from worker.images.recipe import RECIPE, RELAY, SUITE, ImageArchive, archive_of

REGISTRY_BASE = f"debian:{SUITE}-slim"
PULL_LIMIT_S = 60.0


def ensure_image(install: InstallPaths, ledger: Ledger, report: Callable[[str], None]) -> ImageArchive:
    """The image's archive, built where it is missing, in about a minute.

    Waits where another process builds it. Raises EngineUnavailable.
    """
    archive = archive_of(install)
    names = engine_names(install, "build")
    if not archive.path.exists():
        with building(archive.path.parent, report):
            if not archive.path.exists():
                _build(archive, names, ledger, report)
    _forget_builder(names)
    return archive


def _build(archive: ImageArchive, names: EngineNames, ledger: Ledger, report: Callable[[str], None]) -> None:
    try:
        build_of_debian(archive, report)
    except HostCommandFailed as error:
        report(f"image: {error}")
        try:
            _build_on_pulled_base(archive, names, ledger, report)
        except EngineUnavailable as second:
            raise EngineUnavailable(f"the image could not be built: {error}; {second}") from second


def _build_on_pulled_base(
    archive: ImageArchive, names: EngineNames, ledger: Ledger, report: Callable[[str], None]
) -> None:
    """Build it by the recipe's Dockerfile in an engine of its own. Raises EngineUnavailable."""
    report(f"image: asking a registry for {REGISTRY_BASE}")
    engine = LabEngine(names, ledger, LabSettings(userland_proxy=True), segment=None)
    docker = engine.start()
    try:
        if not docker.images.pull(REGISTRY_BASE, limit(PULL_LIMIT_S)):
            raise EngineUnavailable(f"no registry gives {REGISTRY_BASE}")
        report("image: installing servers, proxies and tools on it (one to three minutes)")
        with (archive.path.parent / "build.log").open("a", encoding="utf-8") as lines:
            docker.images.build(
                str(RECIPE), archive.tag, REGISTRY_BASE, lambda line: print(line, file=lines, flush=True)
            )
        report("image: saving it")
        docker.images.save(archive.tag, archive.path)
    finally:
        engine.stop()
        _forget_builder(names)


def _forget_builder(names: EngineNames) -> None:
    """Remove what the engine that builds the image keeps, 1.3 GB, nearly all of it also in the archive."""
    shutil.rmtree(names.data, ignore_errors=True)


def root_file_system(image: ImageArchive) -> Path:
    """The image's root file system as a folder beside the archive, unpacked on first use; needs root."""
    unpack(image.path, image.root)
    return image.root


def relay_program(image: ImageArchive) -> Path:
    """The image's relay for `--userland-proxy-path` as a file of the host, extracted on first use."""
    if not image.relay.exists():
        extract(image.path, RELAY, image.relay)
    return image.relay
