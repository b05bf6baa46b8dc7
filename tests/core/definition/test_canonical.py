"""The canonical form of an experiment."""

from __future__ import annotations

import json

from backend.core.definition.canonical import canonical, digest
from backend.core.definition.factors import FACTORS
from backend.core.definition.submitted import validate_document
from tests.core.definition.documents import SMALL


def test_canonical_is_whole_and_stable() -> None:
    first = validate_document(SMALL | {"baseline": {"clients": 1, "path": "same_container"}})
    second = validate_document(
        dict(reversed((SMALL | {"baseline": {"path": "same_container", "clients": 1}, "rounds": 10}).items()))
    )
    names = [name for name in FACTORS if name in canonical(first)["factors"]]
    assert list(canonical(first)["factors"]) == names
    assert {"path", "tool", "scale", "duration_s"} <= set(names)
    assert not {"gomaxprocs", "front_workers", "transport"} & set(names)
    assert list(canonical(first)["baseline"]) == ["path", "clients"]
    assert json.dumps(canonical(first)) == json.dumps(canonical(second))
    assert digest(first) == digest(second)
    assert digest(first) != digest(validate_document(SMALL))
    assert validate_document(canonical(first)) == first
