"""How a field that has a better name is marked in the schema."""

from __future__ import annotations

from typing import Any


def deprecated(schema: dict[str, Any]) -> None:
    """Mark a computed field as deprecated, for `json_schema_extra`.

    pydantic's own `deprecated=True` warns at each serialisation too. `readOnly` goes, because of it page
    generators write every schema twice.
    """
    schema["deprecated"] = True
    schema.pop("readOnly", None)
