"""Folders of the installations that live tests start, and what of them need not stay on the disk."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from tests.live.conftest import ROOT
from worker.engine.names import InstallPaths


def new_folder(name: str, install: InstallPaths) -> Path:
    """An empty folder of an installation that has the images of the live tests."""
    var = ROOT / "var" / name
    shutil.rmtree(var, ignore_errors=True)
    give_images(var, install)
    return var


def give_images(var: Path, install: InstallPaths) -> None:
    """Link the images of the live tests, which are larger than all else, into an installation's folder."""
    (var / "images").mkdir(parents=True, exist_ok=True)
    for archive in (install.var / "images").glob("*.tar"):
        if not (link := var / "images" / archive.name).exists():
            os.link(archive, link)


def forget_engines(var: Path) -> None:
    """Remove the images and containers of stopped lab engines, 281 MB an engine; logs and records stay."""
    shutil.rmtree(var / "engines")
