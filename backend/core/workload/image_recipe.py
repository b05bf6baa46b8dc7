"""The image of servers, tools and reverse proxies; a replay script contains parts of it."""

from __future__ import annotations

from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).parent / "image"
"""Dockerfile and every file that it copies; all that is in it belongs to the image's digest."""
