"""The image of servers and tools in another engine without loading it: its layers are linked.

Loading takes seconds of CPU for each engine. An engine never changes a layer of an image, so engines may
share the files of one.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from worker.engine.names import EngineNames

DRIVER = "overlay2"
"""Where dockerd keeps its layers otherwise, nothing is linked, and the engine loads the image as always."""

LINK = 'umount --lazy "$0" 2>/dev/null; exec cp --archive --link "$@"'
"""dockerd mounts its folder on itself, and no link leaves a mount: cp sees what is below it."""


def link_image(source: EngineNames, *targets: EngineNames) -> None:
    """Give engines that were never started the images of a running one."""
    for target in targets:
        _link(source.data / "docker", target.data / "docker")


def _link(source: Path, target: Path) -> None:
    if target.exists() or not (source / "image" / DRIVER).is_dir():
        return
    layers = source / "image" / DRIVER / "layerdb"
    of_containers = {file.read_text() for file in layers.glob("mounts/*/*-id")}
    partial = target.with_name("docker.partial")
    shutil.rmtree(partial, ignore_errors=True)
    shutil.copytree(source / "image", partial / "image", ignore=shutil.ignore_patterns("mounts"))
    (partial / DRIVER).mkdir()
    kept = [str(layer) for layer in (source / DRIVER).iterdir() if layer.name not in of_containers]
    argv = [
        "unshare",
        "--mount",
        "--",
        "sh",
        "-c",
        LINK,
        str(source),
        f"--target-directory={partial / DRIVER}",
    ]
    subprocess.run([*argv, *kept], check=True)
    partial.rename(target)
