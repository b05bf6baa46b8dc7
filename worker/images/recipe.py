"""The recipe of the image: its files, the name that follows from them, and what containers get from it.

Only the standard library is needed here, because a first start builds the image before it has other packages.
"""

from __future__ import annotations

import hashlib
import json
import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from backend.core.workload import image_recipe
from worker.engine.names import InstallPaths

RECIPE: Final = image_recipe.FOLDER
SUITE: Final = "bookworm"
RELAY: Final = "/usr/local/bin/epoll-relay"
PROGRAMS: Final = ("pong", "epoll-relay")
"""What the recipe compiles; both go to /usr/local/bin."""


@dataclass(frozen=True)
class ImageArchive:
    """An image as a file: its tag, and the archive that holds it."""

    tag: str
    path: Path

    @property
    def digest(self) -> str:
        """The part of the tag that identifies the recipe."""
        return self.tag.partition(":")[2]

    @property
    def relay(self) -> Path:
        """The relay as a file of the host."""
        return self.path.with_name(f"epoll-relay-{self.digest}")

    @property
    def root(self) -> Path:
        """The root file system as a folder of the host."""
        return self.path.with_name(f"rootfs-{self.digest}")


def recipe_tag(recipe: Path = RECIPE) -> str:
    """The image's tag: a digest of every file below the recipe's folder."""
    digest = hashlib.sha256()
    for file in sorted(path for path in recipe.rglob("*") if path.is_file()):
        name = file.relative_to(recipe).as_posix()
        digest.update(name.encode() + b"\0" + file.read_bytes() + b"\0")
    return f"plimsoll-bench:{digest.hexdigest()[:12]}"


def archive_of(install: InstallPaths) -> ImageArchive:
    """The archive of this recipe, whether or not it was built."""
    tag = recipe_tag()
    return ImageArchive(tag, install.var / "images" / f"{tag.replace(':', '-')}.tar")


def packages(name: str) -> list[str]:
    """The Debian packages that a file of the recipe lists, one a line."""
    return (RECIPE / name).read_text("utf-8").split()


def destinations() -> dict[str, str]:
    """Files of the recipe and the folders of the image that the Dockerfile copies them to."""
    lines = [words for words in _last_stage() if words[0] == "COPY" and not words[1].startswith("--")]
    return {name: words[-1] for words in lines for name in words[1:-1] if words[-1].startswith("/usr/")}


def container_config() -> dict[str, Any]:
    """What containers get from the image: the environment, user and command of the Dockerfile."""
    config: dict[str, Any] = {"Env": []}
    for words in _last_stage():
        if words[0] == "ENV":
            config["Env"] += words[1:]
        elif words[0] == "USER":
            config["User"] = words[1]
        elif words[0] == "CMD":
            config["Cmd"] = json.loads(" ".join(words[1:]))
    return config


def _last_stage() -> list[list[str]]:
    """The instructions of the Dockerfile's last stage, each as its words; CMD keeps its quotes."""
    text = (RECIPE / "Dockerfile").read_text("utf-8").replace("\\\n", " ")
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    first = max(index for index, line in enumerate(lines) if line.startswith("FROM "))
    return [line.split() if line.startswith("CMD") else shlex.split(line) for line in lines[first:]]
