"""Prints the OpenAPI document: `python -m backend.api.openapi`.

docs/openapi.json is its copy in the repository; the page's types are generated from it.
"""

from __future__ import annotations

import sys

from backend.api.app import create_app
from backend.api.description.document import dump
from backend.settings import Settings

if __name__ == "__main__":
    sys.stdout.write(dump(create_app(Settings())))
