"""The bench image: pulled base where a registry answers, otherwise a base made from Debian's packages.

Both go through the same Dockerfile. The result is kept as an archive under `var/images`, named by
the digest of what it was made from, and loaded into each lab engine.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from worker.engine.lab import LabEngine
from worker.engine.names import engine_names
from worker.host.commands import run
from worker.host.ledger import Ledger

RECIPE = Path(__file__).parent / "bench"
SUITE = "bookworm"
REGISTRY_BASE = f"debian:{SUITE}-slim"
LOCAL_BASE = f"plimsoll-base:{SUITE}"
PULL_LIMIT_S = 60.0
DEBOOTSTRAP_LIMIT_S = 600.0


@dataclass(frozen=True)
class ImageArchive:
    """An image as a file: its tag, and the archive that holds it."""

    tag: str
    path: Path


def recipe_tag() -> str:
    """The bench image's tag: a digest of everything in the recipe's folder."""
    digest = hashlib.sha256()
    for file in sorted(RECIPE.iterdir()):
        digest.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    return f"plimsoll-bench:{digest.hexdigest()[:12]}"


def ensure_image(
    install_id: str, runtime_dir: Path, var_dir: Path, ledger: Ledger, say: Callable[[str], None]
) -> ImageArchive:
    """The bench image's archive, made when it is not there yet (one to three minutes)."""
    tag = recipe_tag()
    folder = var_dir / "images"
    archive = ImageArchive(tag, folder / f"{tag.replace(':', '-')}.tar")
    if archive.path.exists():
        return archive
    folder.mkdir(parents=True, exist_ok=True)
    say("image: starting an engine to build it")
    engine = LabEngine(engine_names(install_id, runtime_dir, var_dir, "build"), ledger, False, isolated=False)
    docker = engine.start()
    try:
        base = REGISTRY_BASE
        say(f"image: asking a registry for {base}")
        if not docker.pull(base, PULL_LIMIT_S):
            base = LOCAL_BASE
            if docker.image_id(base) is None:
                say("image: no registry answers; making the base from Debian's packages (about 30 s)")
                docker.import_base(str(_debian_base(folder)), base)
        say("image: installing PostgreSQL and the tools into it (about 60 s)")
        with (folder / "build.log").open("w", encoding="utf-8") as lines:
            docker.build(str(RECIPE), tag, base, lambda line: print(line, file=lines, flush=True))
        say("image: saving it")
        docker.save(tag, archive.path)
    finally:
        engine.stop()
    return archive


def _debian_base(folder: Path) -> Path:
    archive = folder / f"{SUITE}.tar"
    partial = folder / f"{SUITE}.partial.tar"
    partial.unlink(missing_ok=True)
    run(
        ["mmdebstrap", "--variant=minbase", "--include=ca-certificates", SUITE, str(partial)],
        timeout_s=DEBOOTSTRAP_LIMIT_S,
    )
    partial.rename(archive)
    return archive
