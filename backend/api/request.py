"""Request parsing that all endpoints share: settings, strict JSON and submitted documents."""

from __future__ import annotations

from dataclasses import dataclass
from email.message import Message
from typing import Annotated, Any, Final

from fastapi import Depends, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.routing import APIRoute
from starlette.convertors import Convertor, register_url_convertor

from backend.api.access.guard import GuardedRoute, Handler, late_body_check, serve
from backend.api.capacity import ConcurrencyLimit
from backend.api.errors import UnsupportedMedia
from backend.core.definition.document_parser import DOCUMENT, Bounds, Media, parse_document
from backend.core.definition.experiment import Experiment
from backend.core.definition.submitted import read_submitted
from backend.settings import Settings


class _Id(Convertor[str]):
    """An id in a URL path: it ends at a colon, which begins a verb."""

    regex = "[^/:]+"

    def convert(self, value: str) -> str:
        return value

    def to_string(self, value: str) -> str:
        return value


register_url_convertor("id", _Id())

JSON_TYPE = "application/json"
PARSED_AT_ONCE: Final = 2048
"""Bytes of a body that is parsed sooner than a thread takes it over."""
YAML_TYPES = ("application/yaml", "application/x-yaml", "text/yaml")


async def _settings(request: Request) -> Settings:  # async: FastAPI sends others to a thread, 0.1 ms each
    settings: Settings = request.app.state.settings
    return settings


Config = Annotated[Settings, Depends(_settings)]


def media_type(request: Request) -> str:
    """The media type of the body without parameters, "" without a Content-Type."""
    given = request.headers.get("content-type", "")
    if not given:
        return ""
    message = Message()
    message["content-type"] = given
    return message.get_content_type()


async def json_only(request: Request) -> None:
    """Reject a body that is not JSON: a form on another site can send text/plain, but not JSON."""
    media = media_type(request)
    if media == JSON_TYPE or (not media and not await request.body()):
        return
    raise UnsupportedMedia((JSON_TYPE,), media)


class StrictRequest(Request):
    """A request whose JSON must have no duplicate key and no NaN, and a bounded depth and size."""

    bounds = DOCUMENT

    async def json(self) -> Any:
        """The parsed body; a large one is parsed outside the event loop. Raises Malformed."""
        body = await self.body()
        if len(body) <= PARSED_AT_ONCE:
            return parse_document(body, "json", self.bounds)
        return await run_in_threadpool(parse_document, body, "json", self.bounds)


class StrictRoute(GuardedRoute):
    """A route whose body is parsed by StrictRequest."""

    def get_route_handler(self) -> Handler:
        """FastAPI's handler with a StrictRequest."""
        handler = super().get_route_handler()

        async def strict(request: Request) -> Response:
            return await handler(StrictRequest(request.scope, request.receive))

        return strict


IMPORT_BOUNDS: Final = Bounds(length=8 * DOCUMENT.length, nodes=200_000)


class ImportRequest(StrictRequest):
    """A StrictRequest for imported logs."""

    bounds = IMPORT_BOUNDS


class ImportRoute(GuardedRoute):
    """A route with large bodies: few are parsed at the same time, so that memory stays bounded."""

    def get_route_handler(self) -> Handler:
        """FastAPI's handler behind the guard, run while an import slot is held."""
        handler = APIRoute.get_route_handler(self)
        operation = self.operation_id or ""

        async def limited(request: Request) -> Response:
            slots: ConcurrencyLimit = request.app.state.import_slots
            bounded = ImportRequest(request.scope, request.receive)
            async with late_body_check(request, operation):
                await bounded.body()  # before the slot is acquired: a slow client holds none
            async with slots.slot():
                return await handler(bounded)

        async def guarded(request: Request) -> Response:
            return await serve(request, operation, limited)

        return guarded


@dataclass(frozen=True)
class Document:
    """A submitted experiment, not yet parsed."""

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
"""The OpenAPI of an experiment as body; `backend.api.description` adds schema and examples."""
