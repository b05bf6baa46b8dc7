"""Folders of the installations that live tests start, and what of them need not stay on the disk."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from tests.live.seeding import link_image
from tests.machine_lock import ROOT
from worker.engine.names import InstallPaths, engine_names
from worker.host.ledger import Ledger
from worker.host.reaper import sweep


def new_folder(name: str, install: InstallPaths) -> Path:
    """An empty folder of an installation that has the images of the live tests, also in its engines."""
    var = ROOT / "var" / name
    shutil.rmtree(var, ignore_errors=True)
    give_images(var, install)
    own = InstallPaths(name, Path("/run") / name, var)
    link_image(engine_names(install, "on"), *(engine_names(own, setting) for setting in ("on", "off")))
    return var


def give_images(var: Path, install: InstallPaths) -> None:
    """Link the images of the live tests, which are larger than all else, into an installation's folder."""
    (var / "images").mkdir(parents=True, exist_ok=True)
    for archive in (install.var / "images").glob("*.tar"):
        if not (link := var / "images" / archive.name).exists():
            os.link(archive, link)


def forget_engines(var: Path) -> None:
    """Remove the images and containers of stopped lab engines, 281 MB an engine; logs and records stay."""
    subprocess.run(["rm", "--recursive", "--force", str(var / "engines")], check=True)


def remove_interrupted(var: Path) -> None:
    """End what an interrupted run of these tests left; remove its engines, whose folders may be cut off."""
    for remains in sweep(Ledger(var / "ledger.jsonl")):
        print(f"removed what an interrupted run left: {remains}")
    forget_engines(var)
