"""The routes of /problems: what each problem type means, as a page or as JSON. Public, without secrets."""

from __future__ import annotations

from html import escape

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, JSONResponse, Response
from starlette.exceptions import HTTPException

from backend.api.problems.texts import EXPLAINED, ProblemType, find

router = APIRouter(include_in_schema=False)


@router.api_route("/problems", methods=["GET", "HEAD"])
async def problems(request: Request) -> Response:
    """All explained problem types."""
    if _wants_json(request):
        return JSONResponse({"data": [_fields(each) for each in EXPLAINED]})
    items = "".join(
        f'<li><a href="{each.path}">{escape(each.code)}</a>: {escape(each.cause)}</li>' for each in EXPLAINED
    )
    return _page("Problem types", f"<ul>{items}</ul>")


@router.api_route("/problems/{name}", methods=["GET", "HEAD"])
async def problem_type(request: Request, name: str) -> Response:
    """One problem type."""
    found = find(name)
    if found is None:
        raise HTTPException(404)
    if _wants_json(request):
        return JSONResponse(_fields(found))
    text = (
        f"<p>Code: <code>{escape(found.code)}</code></p>"
        f"<h2>Cause</h2><p>{escape(found.cause)}</p><h2>What to do</h2><p>{escape(found.remedy)}</p>"
        '<p><a href="/problems">All problem types</a></p>'
    )
    return _page(found.title, text)


def _wants_json(request: Request) -> bool:
    accepted = request.headers.get("accept", "")
    return "json" in accepted and "text/html" not in accepted


def _fields(found: ProblemType) -> dict[str, str]:
    return {
        "type": found.path,
        "code": found.code,
        "title": found.title,
        "cause": found.cause,
        "remedy": found.remedy,
    }


def _page(title: str, body: str) -> Response:
    head = f'<meta charset="utf-8"><title>{escape(title)} - Plimsoll</title>'
    return HTMLResponse(
        f'<!doctype html><html lang="en"><head>{head}</head>'
        f"<body><main><h1>{escape(title)}</h1>{body}</main></body></html>",
        headers={"Cache-Control": "no-cache"},
    )
