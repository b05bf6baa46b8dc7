"""The image of all servers and tools, built on a pulled base or, without a registry, on Debian's packages.

Both bases go through the same Dockerfile. The result is kept as an archive under `var/images`, named by
the digest of its recipe, and loaded into each engine. Programs that run outside Docker are extracted from
the same archive: the relay that an engine starts on the host, and the root file system of a bare host.
"""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from backend.core.workload import image_recipe
from worker.engine.lab import LabEngine, LabSettings
from worker.engine.names import EngineNames, InstallPaths, engine_names
from worker.host.commands import run
from worker.host.ledger import Ledger
from worker.images.archive import extract, unpack

RECIPE = image_recipe.FOLDER
SUITE = "bookworm"
REGISTRY_BASE = f"debian:{SUITE}-slim"
LOCAL_BASE = f"plimsoll-base:{SUITE}"
PULL_LIMIT_S = 60.0
DEBOOTSTRAP_LIMIT_S = 600.0
UNREAD = ("doc", "man", "info", "locale")
RELAY = "/usr/local/bin/epoll-relay"


@dataclass(frozen=True)
class ImageArchive:
    """An image as a file: its tag, and the archive that holds it."""

    tag: str
    path: Path

    @property
    def digest(self) -> str:
        """The part of the tag that identifies the recipe."""
        return self.tag.partition(":")[2]


def recipe_tag() -> str:
    """The image's tag: a digest of every file below the recipe's folder."""
    digest = hashlib.sha256()
    for file in sorted(path for path in RECIPE.rglob("*") if path.is_file()):
        name = file.relative_to(RECIPE).as_posix()
        digest.update(name.encode() + b"\0" + file.read_bytes() + b"\0")
    return f"plimsoll-bench:{digest.hexdigest()[:12]}"


def archive_of(install: InstallPaths) -> ImageArchive:
    """The archive of this recipe, whether or not it was built."""
    tag = recipe_tag()
    return ImageArchive(tag, install.var / "images" / f"{tag.replace(':', '-')}.tar")


def ensure_image(install: InstallPaths, ledger: Ledger, report: Callable[[str], None]) -> ImageArchive:
    """The image's archive, built where it is missing (two to four minutes)."""
    archive = archive_of(install)
    tag, folder = archive.tag, archive.path.parent
    names = engine_names(install, "build")
    if archive.path.exists():
        _forget_builder(names)
        return archive
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    report("image: starting an engine to build it")
    engine = LabEngine(names, ledger, LabSettings(userland_proxy=True), segment=None)
    docker = engine.start()
    try:
        base = REGISTRY_BASE
        report(f"image: asking a registry for {base}")
        if not docker.images.pull(base, PULL_LIMIT_S):
            base = LOCAL_BASE
            if docker.images.id_of(base) is None:
                report("image: no registry answers; building the base from Debian's packages (about 30 s)")
                debian = _debian_base(folder)
                docker.images.import_base(str(debian), base)
                debian.unlink()
        report(
            "image: installing servers, proxies and tools, and compiling two of them (one to three minutes)"
        )
        with (folder / "build.log").open("w", encoding="utf-8") as lines:
            docker.images.build(str(RECIPE), tag, base, lambda line: print(line, file=lines, flush=True))
        report("image: saving it")
        docker.images.save(tag, archive.path)
    finally:
        engine.stop()
        _forget_builder(names)
    return archive


def _forget_builder(names: EngineNames) -> None:
    """Remove what the engine that builds the image keeps, 1.3 GB, nearly all of it also in the archive."""
    shutil.rmtree(names.data, ignore_errors=True)


def root_file_system(image: ImageArchive) -> Path:
    """The image's root file system as a folder beside the archive, unpacked on first use; needs root."""
    folder = image.path.with_name(f"rootfs-{image.digest}")
    unpack(image.path, folder)
    return folder


def relay_program(image: ImageArchive) -> Path:
    """The image's relay for `--userland-proxy-path` as a file of the host, extracted on first use."""
    program = image.path.with_name(f"epoll-relay-{image.digest}")
    if not program.exists():
        extract(image.path, RELAY, program)
    return program


def _debian_base(folder: Path) -> Path:
    archive = folder / f"{SUITE}.tar"
    partial = folder / f"{SUITE}.partial.tar"
    partial.unlink(missing_ok=True)
    # dpkg keeps these options in the base, so they also hold for what the recipe installs on it.
    unread = [f"--dpkgopt=path-exclude=/usr/share/{part}/*" for part in UNREAD]
    run(
        ["mmdebstrap", "--variant=minbase", *unread, "--include=ca-certificates", SUITE, str(partial)],
        timeout_s=DEBOOTSTRAP_LIMIT_S,
    )
    partial.rename(archive)
    return archive
