"""Build the image before the worker starts: `python -m worker.images.early --var FOLDER [--elapsed SECONDS]`.

A first start runs this with the host's own Python, beside the installation of everything else. Where Debian's
packages cannot make the image, the worker tries again, and may ask a registry.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path

from backend.core.errors import HostFault
from worker.engine.names import InstallPaths
from worker.host.time_limits import read_factor
from worker.images.debian import build_of_debian, building
from worker.images.recipe import archive_of


def progress(elapsed: float) -> Callable[[str], None]:
    """Prints lines as the scripts do, with the seconds since their start."""
    began = time.monotonic()

    def report(text: str) -> None:
        seconds = int(elapsed + time.monotonic() - began)
        print(f"{seconds:4d} s  {'image':<10} {text.removeprefix('image: ')}", flush=True)

    return report


def main(arguments: list[str] | None = None) -> int:
    """Build it unless it is there; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m worker.images.early", description=__doc__)
    parser.add_argument("--var", type=Path, required=True)
    parser.add_argument("--elapsed", type=float, default=0.0)
    given = parser.parse_args(arguments)
    read_factor()
    report = progress(given.elapsed)
    archive = archive_of(InstallPaths("", Path(), given.var.resolve()))
    try:
        with building(archive.path.parent, report):
            if not archive.path.exists():
                build_of_debian(archive, report)
    except HostFault as error:
        print(f"plimsoll: the image of servers and tools could not be built: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
