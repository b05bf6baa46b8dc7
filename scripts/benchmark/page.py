"""How much JavaScript the first view loads."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

SCRIPT = re.compile(r'<(?:script[^>]* src|link[^>]*rel="modulepreload"[^>]* href)="/?([^"]+\.js)"')


def first_view(dist: Path) -> dict[str, float]:
    """Kilobytes, gzipped, of the scripts that index.html names: what loads before anything is clicked."""
    names = SCRIPT.findall((dist / "index.html").read_text(encoding="utf-8"))
    sizes = {name: len(gzip.compress((dist / name).read_bytes(), 9)) for name in names}
    everything = sum(len(gzip.compress(file.read_bytes(), 9)) for file in dist.glob("**/*.js"))
    return {
        "first_view_kb_gzipped": round(sum(sizes.values()) / 1000, 1),
        "all_scripts_kb_gzipped": round(everything / 1000, 1),
    }
