"""The contract of the REST API: an OpenAPI document reduced to it, and what a later one lacks."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import Any, Final, Literal

Schema = dict[str, Any]
Direction = Literal["request", "response"]
REF: Final = "#/components/schemas/"
_LEAVES: Final = ("type", "enum", "required")
_MANY: Final = ("anyOf", "oneOf", "prefixItems")


def reduced(document: Schema) -> Schema:
    """Paths, methods, parameters, status codes and bodies with their fields, types and enum values.

    Component schemas keep no names, only numbers in the order of the names.
    """
    components = document["components"]["schemas"]
    numbers = {name: str(number) for number, name in enumerate(sorted(components))}
    return {
        "operations": {
            f"{method.upper()} {path}": {
                "parameters": {
                    f"{each['in']} {each['name']}": {
                        "required": each.get("required", False),
                        "schema": _schema(each["schema"], numbers),
                    }
                    for each in operation.get("parameters", ())
                },
                "request": _contents(operation.get("requestBody", {}), numbers),
                "responses": {
                    status: _contents(answer, numbers) for status, answer in operation["responses"].items()
                },
            }
            for path, operations in document["paths"].items()
            for method, operation in operations.items()
        },
        "schemas": {numbers[name]: _schema(schema, numbers) for name, schema in components.items()},
    }


def _contents(body: Schema, numbers: dict[str, str]) -> Schema:
    return {
        media: _schema(content.get("schema") or content.get("itemSchema") or {}, numbers)
        for media, content in body.get("content", {}).items()
    }


def _schema(schema: Schema, numbers: dict[str, str]) -> Schema:
    if "$ref" in schema:
        return {"$ref": numbers[schema["$ref"].removeprefix(REF)]}
    kept = {key: schema[key] for key in _LEAVES if key in schema}
    if "const" in schema:
        kept["enum"] = [schema["const"]]
    for key in _MANY:
        if key in schema:
            kept[key] = [_schema(each, numbers) for each in schema[key]]
    for key in ("items", "additionalProperties"):
        if isinstance(schema.get(key), dict):
            kept[key] = _schema(schema[key], numbers)
    if "properties" in schema:
        kept["properties"] = {name: _schema(each, numbers) for name, each in schema["properties"].items()}
    return kept


class Comparison:
    """Finds what a reduced document lacks of an older one; additions are allowed."""

    def __init__(self, old: Schema, new: Schema) -> None:
        self._old, self._new = old, new
        self._known: dict[tuple[str, str, Direction], list[str]] = {}

    def missing(self) -> Iterator[str]:
        """One line for each operation, parameter, status code, field, type or enum value that is missing."""
        for name, old in self._old["operations"].items():
            new = self._new["operations"].get(name)
            if new is None:
                yield f"{name}: missing"
            else:
                yield from self._operation(name, old, new)

    def _operation(self, name: str, old: Schema, new: Schema) -> Iterator[str]:
        for key, parameter in old["parameters"].items():
            found = new["parameters"].get(key)
            if found is None:
                yield f"{name}: parameter {key} is missing"
                continue
            if found["required"] and not parameter["required"]:
                yield f"{name}: parameter {key} became required"
            yield from self._schema(f"{name} {key}", parameter["schema"], found["schema"], "request")
        for key, found in new["parameters"].items():
            if found["required"] and key not in old["parameters"]:
                yield f"{name}: the new parameter {key} is required"
        yield from self._bodies(f"{name} request", old["request"], new["request"], "request")
        for status, contents in old["responses"].items():
            if status not in new["responses"]:
                yield f"{name}: status {status} is missing"
            else:
                yield from self._bodies(f"{name} {status}", contents, new["responses"][status], "response")

    def _bodies(self, where: str, old: Schema, new: Schema, direction: Direction) -> Iterator[str]:
        for media, schema in old.items():
            if media not in new:
                yield f"{where}: {media} is missing"
            else:
                yield from self._schema(where, schema, new[media], direction)

    def _schema(self, where: str, old: Schema, new: Schema, direction: Direction) -> Iterator[str]:
        if "$ref" not in old or "$ref" not in new:
            yield from self._plain(where, old, new, direction)
            return
        key = (old["$ref"], new["$ref"], direction)
        if key not in self._known:
            self._known[key] = []  # of a recursive schema: compared by the call that began it
            self._known[key] = list(self._plain(where, old, new, direction))
        yield from self._known[key]

    def _plain(self, where: str, old: Schema, new: Schema, direction: Direction) -> Iterator[str]:
        old, new = _resolved(old, self._old), _resolved(new, self._new)
        news = list(_alternatives(new, self._new))
        for alternative in _alternatives(old, self._old):
            tries = [list(self._alternative(where, alternative, each, direction)) for each in news]
            if [] not in tries:
                yield from min(tries, key=len)

    def _alternative(self, where: str, old: Schema, new: Schema, direction: Direction) -> Iterator[str]:
        if "type" in old and old["type"] != new.get("type"):
            yield f"{where}: {old['type']} became {new.get('type', 'a value of any type')}"
            return
        if "enum" in new:
            lost = [value for value in old.get("enum", ()) if value not in new["enum"]]
            if lost or "enum" not in old:
                yield f"{where}: of the enum {old.get('enum', 'any value')} only {new['enum']} is left"
        was, now = set(old.get("required", ())), set(new.get("required", ()))
        for name in sorted(now - was if direction == "request" else was - now):
            yield f"{where}.{name}: {'became' if direction == 'request' else 'is no longer'} required"
        for name, schema in old.get("properties", {}).items():
            if name not in new.get("properties", {}):
                yield f"{where}.{name}: missing"
            else:
                yield from self._schema(f"{where}.{name}", schema, new["properties"][name], direction)
        for key in ("items", "additionalProperties"):
            if key in old:
                yield from self._schema(f"{where}[]", old[key], new.get(key, {}), direction)
        if len(old.get("prefixItems", ())) != len(new.get("prefixItems", ())):
            yield f"{where}: another number of items"
        for number, pair in enumerate(
            zip(old.get("prefixItems", ()), new.get("prefixItems", ()), strict=False)
        ):
            yield from self._schema(f"{where}[{number}]", *pair, direction)


def _resolved(schema: Schema, document: Schema) -> Schema:
    while "$ref" in schema:
        schema = document["schemas"][schema["$ref"]]
    return schema


def _alternatives(schema: Schema, document: Schema) -> Iterator[Schema]:
    """The schemas of which a value has to fit one."""
    for key in ("anyOf", "oneOf"):
        if key in schema:
            for each in schema[key]:
                yield from _alternatives(_resolved(each, document), document)
            return
    yield schema


if __name__ == "__main__":
    json.dump(reduced(json.load(sys.stdin)), sys.stdout, sort_keys=True, separators=(",", ":"))
