"""The recipe of the bench image: built by a worker, written out for whoever repeats a cell without it."""

from __future__ import annotations

from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).parent / "image"
"""Dockerfile and every file that it copies; all that is in it belongs to the image's digest."""
