"""The OpenAPI document: FastAPI's, with added problem details, events, experiments and examples."""

from __future__ import annotations

import json
from typing import Any, Final

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic.json_schema import models_json_schema

from backend.api.access.rules import RULES
from backend.api.description.examples import EXAMPLES, document_examples
from backend.api.description.operation_groups import group_operations
from backend.api.problem_details import PROBLEM_JSON
from backend.api.runs.schemas import LiveEvent, PhaseEvent, Run, TrialEvent
from backend.api.schema import ProblemDocument
from backend.core.definition.experiment import Experiment
from backend.core.export.document import SCHEMA
from backend.core.export.hosts_document import SCHEMA as GROUP_SCHEMA

ABOUT: Final = """\
**Credentials.** A script sends an API token as `Authorization: Bearer plm_…`. \
Make one under Account, API tokens. It belongs to one team and has scopes; \
each operation names the scope that it needs.

**Errors** are problem details (RFC 9457) with a stable `code` and, for fields, a list of `errors`.

**Lists** have `data` and, where they come in pages, `next_cursor`: send it as `cursor` to get the next page.

**Repeated requests.** What starts or stores something takes an `Idempotency-Key`: \
a second request with the same key gets the first response again.
"""

ERRORS: dict[str, str] = {
    "400": "The body or a parameter is malformed",
    "401": "The request has no credentials, or none that are valid",
    "403": "The caller's role or scopes do not allow it, or the request comes from a page of another origin",
    "404": "The object does not exist",
    "405": "The method is not allowed for this URL",
    "408": "The body arrived too slowly",
    "409": "The object's state does not allow it, or a request with the same Idempotency-Key is in progress",
    "410": "The link was revoked or has expired",
    "413": "The body is too large",
    "415": "The body's media type is not supported",
    "422": "A field is unknown or out of bounds; `errors` lists each",
    "426": "The worker speaks another protocol; the detail has the command that updates it",
    "429": "Too many requests, or a quota is used up; see Retry-After",
    "507": "The database has no space left: free space on its disk; see Retry-After",
    "503": "The database is unavailable, or too many requests are in progress; see Retry-After",
}
_BODY_ONLY = frozenset({"408", "413", "415"})
_READS_CREDENTIALS = frozenset({"createSession", "acceptInvitation"})
"""Public operations that answer 401: to a wrong password, or to nobody who is signed in."""

SECURITY_SCHEMES: Final[dict[str, Any]] = {
    "token": {
        "type": "http",
        "scheme": "bearer",
        "description": "An API token, plm_…; it belongs to one team and has scopes.",
    },
    "host": {
        "type": "http",
        "scheme": "bearer",
        "description": "The token of an enrolled host, plh_…; its worker uses it for its own trials only.",
    },
    "session": {
        "type": "apiKey",
        "in": "cookie",
        "name": "plimsoll",
        "description": (
            "A signed-in browser. The cookie's name ends in the installation's id. Requests that change "
            "something also send the csrf_token of GET /api/v1/session in the header X-CSRF-Token."
        ),
    },
}
SECURITY: Final[dict[str, list[dict[str, list[str]]]]] = {
    "public": [],
    "account": [{"session": []}],
    "installation": [{"session": []}],
    "worker": [{"host": []}],
}
"""Credentials by permission; all others accept a token or a session."""

EVENT_SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "data": {"type": "string"},
        "event": {"type": "string"},
        "id": {"type": "string"},
        "retry": {"type": "integer", "minimum": 0},
    },
}
"""One server-sent event: OpenAPI 3.2, section 4.14.4."""


def install(app: FastAPI) -> None:
    """Make the app serve `document` as its OpenAPI document."""

    def described() -> dict[str, Any]:
        if app.openapi_schema is None:
            app.openapi_schema = document(app)
        return app.openapi_schema

    app.openapi = described  # type: ignore[method-assign] # FastAPI's documented way to extend it


def document(app: FastAPI) -> dict[str, Any]:
    """The OpenAPI document of an app."""
    found = get_openapi(title=app.title, version=app.version, summary=app.summary, routes=app.routes)
    components = found.setdefault("components", {})
    components["securitySchemes"] = SECURITY_SCHEMES
    schemas = components.setdefault("schemas", {})
    for name in ("HTTPValidationError", "ValidationError"):
        schemas.pop(name, None)
    schemas.update(_extra_schemas())
    schemas["ImportStart"]["properties"]["experiment"] = {"$ref": "#/components/schemas/ExperimentDocument"}
    for operations in found["paths"].values():
        for method, operation in operations.items():
            _explain(method, operation)
    _describe_stream(found)
    group_operations(found)
    found["info"]["description"] = ABOUT
    return found


def _extra_schemas() -> dict[str, Any]:
    """Schemas that no response model names: problem details, events and submitted experiments."""
    template = "#/components/schemas/{model}"
    _, defs = models_json_schema(
        [(model, "serialization") for model in (ProblemDocument, Run, TrialEvent, LiveEvent, PhaseEvent)],
        ref_template=template,
    )
    schemas: dict[str, Any] = dict(defs["$defs"])
    submitted = Experiment.model_json_schema(ref_template="#/components/schemas/ExperimentDocument{model}")
    for name, schema in submitted.pop("$defs", {}).items():
        schemas[f"ExperimentDocument{name}"] = schema
    schemas["RunExport"] = _run_export()
    schemas["RunGroupExport"] = _run_group_export()
    schemas["ExperimentDocument"] = {**submitted, "title": "ExperimentDocument"}
    return schemas


def _run_export() -> dict[str, Any]:
    """The schema of `exports/json`."""
    objects = {"type": "array", "items": {"type": "object", "additionalProperties": True}}
    properties: dict[str, Any] = {
        "schema": {"const": SCHEMA, "type": "string"},
        "provisional": {"type": "boolean", "description": "true until the run has ended"},
        "run_id": {"type": "string"},
        "experiment_id": {"type": "string"},
        "state": {"type": "string"},
        "origin": {"type": "string"},
        "cores": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
        "definition": {"$ref": "#/components/schemas/Experiment"},
        "plan": {"type": "object", "additionalProperties": True},
        "trials": {**objects, "description": "every trial, with unrounded values"},
        "hops": {"type": "object", "additionalProperties": {"type": "array", "items": {"type": "string"}}},
        "environment": {"type": "object", "additionalProperties": {"type": "string"}},
        "metrics": objects,
        "methods": objects,
        "result": {"$ref": "#/components/schemas/ChartModel"},
    }
    about = "A run as one document: its definition, its records and its result."
    return {
        "title": "RunExport",
        "description": about,
        "type": "object",
        "properties": properties,
        "required": [*properties],
    }


def _run_group_export() -> dict[str, Any]:
    """The schema of a group's `exports/json`."""
    objects = {"type": "array", "items": {"type": "object", "additionalProperties": True}}
    properties: dict[str, Any] = {
        "schema": {"const": GROUP_SCHEMA, "type": "string"},
        "provisional": {"type": "boolean", "description": "true until all runs have ended"},
        "group_id": {"type": "string"},
        "experiment_id": {"type": "string"},
        "definition": {"$ref": "#/components/schemas/Experiment"},
        "runs": {**objects, "description": "every run, with unrounded values by cell, metric and round"},
        "metrics": objects,
        "methods": objects,
        "results": {"type": "array", "items": {"$ref": "#/components/schemas/HostsResult"}},
    }
    about = "A group of runs as one document: its definition, the values of each run, and its results."
    return {
        "title": "RunGroupExport",
        "description": about,
        "type": "object",
        "properties": properties,
        "required": [*properties],
    }


def _explain(method: str, operation: dict[str, Any]) -> None:
    """Add the error responses and the examples of one operation."""
    responses = operation["responses"]
    has_body = "requestBody" in operation
    has_query = any(parameter["in"] == "query" for parameter in operation.get("parameters", ()))
    rule = RULES[operation["operationId"]]
    permission = rule.permission
    is_public = permission == "public"
    operation["security"] = SECURITY.get(permission, [{"token": []}, {"session": []}])
    operation["x-permission"] = permission
    if rule.admits_tokens and not is_public:
        operation["x-token-scope"] = rule.needed_scope  # null: any token
    has_no_401 = is_public and operation["operationId"] not in _READS_CREDENTIALS
    for status, description in ERRORS.items():
        if (status in _BODY_ONLY and not has_body) or (status == "401" and has_no_401):
            continue
        if status == "426" and permission != "worker" and operation["operationId"] != "enrolHost":
            continue
        if status == "400" and not (has_body or has_query):
            continue
        if status == "403" and is_public and method == "get":
            continue
        schema = {"$ref": "#/components/schemas/ProblemDocument"}
        responses[status] = {"description": description, "content": {PROBLEM_JSON: {"schema": schema}}}
    identity = operation["operationId"]
    if has_body:
        for media, content in operation["requestBody"]["content"].items():
            if content["schema"].get("$ref", "").endswith("/ExperimentDocument"):
                content["examples"] = document_examples(media)
            elif f"{identity}.request" in EXAMPLES:
                content["example"] = EXAMPLES[f"{identity}.request"]
    for status, response in responses.items():
        example = EXAMPLES.get(f"{identity}.{status}")
        if example is not None:
            response["content"]["application/json"]["example"] = example


def _describe_stream(found: dict[str, Any]) -> None:
    """Add the schema of each kind of event."""
    stream = found["paths"]["/api/v1/runs/{run_id}/events"]["get"]["responses"]["200"]
    stream["description"] = (
        "Events: `run` (Run) and `trial` (TrialEvent) with ids, `live` (LiveEvent) and `phase` "
        "(PhaseEvent) without"
    )
    stream["content"]["text/event-stream"] = {"itemSchema": EVENT_SCHEMA}
    stream["x-event-data"] = {
        "run": {"$ref": "#/components/schemas/Run"},
        "trial": {"$ref": "#/components/schemas/TrialEvent"},
        "live": {"$ref": "#/components/schemas/LiveEvent"},
        "phase": {"$ref": "#/components/schemas/PhaseEvent"},
    }


def dump(app: FastAPI) -> str:
    """The document as JSON text with sorted keys."""
    return json.dumps(app.openapi(), indent=2, ensure_ascii=False, sort_keys=True) + "\n"
