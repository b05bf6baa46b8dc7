"""Print the OpenAPI document: `python -m backend.api.openapi`. docs/openapi.json is its checked-in copy,
from which the page's types are generated."""

from __future__ import annotations

import sys

from backend.api.app import create_app
from backend.api.description.document import dump
from backend.settings import Settings

if __name__ == "__main__":
    sys.stdout.write(dump(create_app(Settings())))
