"""What every endpoint may ask of its request: the settings, and the submitted document."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from email.message import Message
from typing import Annotated, Any, Final

from fastapi import Depends, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.routing import APIRoute
from starlette.convertors import Convertor, register_url_convertor

from backend.api.capacity import ConcurrencyLimit
from backend.api.errors import UnsupportedMedia
from backend.core.definition.document_parser import DOCUMENT, Bounds, Media, parse_document
from backend.core.definition.experiment import Experiment
from backend.core.definition.submitted import read_submitted
from backend.settings import Settings


class _Id(Convertor[str]):
    """An id in an address: what follows a colon is a verb, and no part of it."""

    regex = "[^/:]+"

    def convert(self, value: str) -> str:
        return value

    def to_string(self, value: str) -> str:
        return value


register_url_convertor("id", _Id())

JSON_TYPE = "application/json"
YAML_TYPES = ("application/yaml", "application/x-yaml", "text/yaml")


def _settings(request: Request) -> Settings:
    settings: Settings = request.app.state.settings
    return settings


Config = Annotated[Settings, Depends(_settings)]


def media_type(request: Request) -> str:
    """The media type of the body without its parameters, "" where none is given."""
    given = request.headers.get("content-type", "")
    if not given:
        return ""
    message = Message()
    message["content-type"] = given
    return message.get_content_type()


async def json_only(request: Request) -> None:
    """Refuse a body that is not JSON: a form of another site can send text/plain, not JSON."""
    media = media_type(request)
    if media == JSON_TYPE or (not media and not await request.body()):
        return
    raise UnsupportedMedia((JSON_TYPE,), media)


class StrictRequest(Request):
    """A request whose JSON is read as documents are: no duplicate key, no NaN, bounded depth and size."""

    bounds = DOCUMENT

    async def json(self) -> Any:
        """The body as plain values; read outside the event loop. Raises Malformed."""
        return await run_in_threadpool(parse_document, await self.body(), "json", self.bounds)


Handler = Callable[[Request], Coroutine[Any, Any, Response]]


class StrictRoute(APIRoute):
    """A route whose body is read by StrictRequest."""

    def get_route_handler(self) -> Handler:
        """FastAPI's own handler with the stricter request."""
        handler = super().get_route_handler()

        async def strict(request: Request) -> Response:
            return await handler(StrictRequest(request.scope, request.receive))

        return strict


IMPORT_BOUNDS: Final = Bounds(length=8 * DOCUMENT.length, nodes=200_000)


class ImportRequest(StrictRequest):
    """A request that brings many logs."""

    bounds = IMPORT_BOUNDS


class ImportRoute(APIRoute):
    """A route whose bodies are large: so few are read at the same time that memory stays bounded."""

    def get_route_handler(self) -> Handler:
        """FastAPI's own handler, between taking and giving back a place."""
        handler = super().get_route_handler()

        async def in_turn(request: Request) -> Response:
            capacity: ConcurrencyLimit = request.app.state.import_slots
            bounded = ImportRequest(request.scope, request.receive)
            await bounded.body()  # before a place is taken: a slow sender holds none
            async with capacity.slot():
                return await handler(bounded)

        return in_turn


@dataclass(frozen=True)
class Document:
    """A submitted experiment, not yet read."""

    text: bytes
    media: Media

    def read(self) -> Experiment:
        """The experiment. Raises Malformed and Invalid."""
        return read_submitted(self.text, self.media)


async def _document(request: Request) -> Document:
    media = media_type(request)
    if media != JSON_TYPE and media not in YAML_TYPES:
        raise UnsupportedMedia((JSON_TYPE, YAML_TYPES[0]), media)
    return Document(await request.body(), "json" if media == JSON_TYPE else "yaml")


Submitted = Annotated[Document, Depends(_document)]

DOCUMENT_BODY: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {
            JSON_TYPE: {"schema": {"$ref": "#/components/schemas/ExperimentDocument"}},
            YAML_TYPES[0]: {"schema": {"$ref": "#/components/schemas/ExperimentDocument"}},
        },
    }
}
"""The OpenAPI of a body that is an experiment; `backend.api.description` adds schema and examples."""
