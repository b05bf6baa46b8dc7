"""The command `import`: stores the output of tools as a run, without evidence and CPU."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Final
from urllib.parse import quote

import typer

from backend.cli import show
from backend.cli.client import connect
from backend.cli.failure import USAGE, Failure
from backend.cli.number_files import decoded
from backend.cli.output import Json, media_of, print_message, print_result, read
from backend.core.definition.catalog import TOOLS
from backend.core.definition.document_parser import parse_document
from backend.core.definition.factors import Level
from backend.core.definition.thresholds import parse_levels
from backend.core.errors import Malformed

_LEVELS: Final = re.compile(r"[^/=]+=.*", re.DOTALL)
_STDERR: Final = re.compile(r"\.(stderr|err)$", re.IGNORECASE)
_SUFFIX: Final = re.compile(r"\.[a-z]+$", re.IGNORECASE)
_LOG: Final = re.compile(r"(?<= at )/logs/([0-9]+)\b")
_LOG_POINTER: Final = re.compile(r"^( *)/logs/([0-9]+)(\S*?):", re.MULTILINE)


@dataclass(frozen=True)
class Log:
    """The output file of a tool in one round of one cell."""

    file: str
    levels: dict[str, Level]
    round: int
    stderr: str | None = None
    """The file of its standard error, if that is separate."""


def import_(
    tool: Annotated[str, typer.Argument(metavar="TOOL", help=f"The tool of the logs: {', '.join(TOOLS)}.")],
    arguments: Annotated[
        list[str],
        typer.Argument(
            metavar="[LEVELS] LOG...",
            help="Levels of a cell as factor=level,factor=level, then one file for each of its rounds; "
            "repeat for more cells.",
        ),
    ],
    experiment: Annotated[str, typer.Option(metavar="FILE", help="The experiment that the logs belong to.")],
    host: Annotated[str, typer.Option(metavar="NAME", help="The host on which the tool ran.")],
    levels: Annotated[str | None, typer.Option(help="The levels of logs before the first LEVELS.")] = None,
    environment: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Facts of the host, in YAML or JSON."),
    ] = None,
    allow_identical: Annotated[
        bool, typer.Option("--allow-identical", help="Take logs that are of the same run.")
    ] = False,
    round_from: Annotated[int, typer.Option(min=1, max=1000, help="The round of each cell's first log.")] = 1,
    as_json: Json = False,
) -> None:
    """Import the output of a tool as a run.

    Each log is one round of the cell whose levels precede it:

    plimsoll import pgbench path=same_container base-*.log path=published_loopback proxied-*.log
    --experiment exp.yaml --host old-box

    An argument factor=level,… is levels, any other is a file (write ./a=b.log for a file with = in its name).
    A file a.err or a.stderr next to a.log is the standard error of that log.
    Logs of a cell that are of the same run are refused: a copy is no run of its own.
    Levels that the experiment varies are required; the others default to the experiment's.
    """
    if tool not in TOOLS:
        raise Failure(f"unknown tool {tool}; the tools are {', '.join(TOOLS)}", USAGE)
    logs = grouped(arguments, tool, levels, round_from)
    body: dict[str, Any] = {
        "host": host,
        "experiment": _document(experiment),
        "logs": [
            {"levels": log.levels, "round": log.round, "stdout": _text(log.file)}
            | ({} if log.stderr is None else {"stderr": _text(log.stderr)})
            for log in logs
        ],
    }
    if allow_identical:
        body["allow_identical"] = True
    if environment is not None:
        body["environment"] = _environment(environment)
    try:
        with connect() as client:
            found = client.post("/imports", body)
            print_message(f"{found['id']}: {client.url}/runs/{quote(found['id'])}")
    except Failure as failure:
        raise Failure(_with_files(str(failure), logs), failure.code) from failure
    print_result(found, as_json, show.status(found))


def _text(file: str) -> str:
    """The text of a log. Reports are in ASCII, so that another character set does not matter around them."""
    data = read(file)
    try:
        return decoded(data, file)
    except Failure:
        return data.decode("utf-8", errors="replace")


def grouped(arguments: Sequence[str], tool: str, first: str | None, round_from: int) -> list[Log]:
    """The files with the levels that precede them, numbered within their cell.

    Raises Failure for a file without levels, levels without a file, and invalid levels.
    """
    arguments, errors_of = _split_stderr(arguments)
    logs: list[Log] = []
    count: defaultdict[tuple[tuple[str, Level], ...], int] = defaultdict(int)
    current = None if first is None else _cell(first, tool)
    waiting = "" if first is None else first
    for word in arguments:
        if _LEVELS.fullmatch(word):
            if waiting and first != waiting:
                raise Failure(f"{waiting}: no log follows these levels", USAGE)
            current, waiting = _cell(word, tool), word
            continue
        if current is None:
            raise Failure(
                f"{word}: write its cell's levels before it, for example path=published_loopback", USAGE
            )
        key = tuple(sorted(current.items()))
        logs.append(Log(word, current, round_from + count[key], errors_of.get(word)))
        count[key] += 1
        waiting = ""
    if waiting:
        raise Failure(f"{waiting}: no log follows these levels", USAGE)
    return logs


def _split_stderr(arguments: Sequence[str]) -> tuple[list[str], dict[str, str]]:
    """The arguments without stderr files ("a.err" next to a single "a.log"), and these files by their log."""
    errors = {_STDERR.sub("", word): word for word in arguments if _STDERR.search(word)}
    logs = Counter(_stem(word) for word in arguments if not _STDERR.search(word))
    errors_of = {
        word: errors[_stem(word)]
        for word in arguments
        if not _STDERR.search(word) and _stem(word) in errors and logs[_stem(word)] == 1
    }
    return [word for word in arguments if word not in errors_of.values()], errors_of


def _stem(word: str) -> str:
    return _SUFFIX.sub("", word)


def _cell(text: str, tool: str) -> dict[str, Level]:
    try:
        levels = parse_levels(text)
    except ValueError as error:
        raise Failure(str(error), USAGE) from error
    if levels.setdefault("tool", tool) != tool:
        raise Failure(f"{text}: these are logs of {tool}; import logs of another tool separately", USAGE)
    return levels


def _document(file: str) -> object:
    try:
        return parse_document(read(file), "json" if media_of(file).endswith("json") else "yaml")
    except Malformed as error:
        lines = "\n".join(f"  {p.pointer or '/'}: {p.detail}" for p in error.problems)
        raise Failure(f"{file}: invalid document\n{lines}", USAGE) from error


def _environment(file: str) -> dict[str, str]:
    known = _document(file)
    if not isinstance(known, dict) or any(isinstance(value, dict | list) for value in known.values()):
        raise Failure(f"{file}: write one fact per line, for example kernel: 5.4", USAGE)
    return {key: _fact(value) for key, value in known.items()}


def _fact(value: object) -> str:
    """A scalar as a fact of the environment; booleans as yes and no."""
    if value is None or isinstance(value, bool):
        return {True: "yes", False: "no", None: "unknown"}[value]
    return str(value)


def _with_files(text: str, logs: Sequence[Log]) -> str:
    """An error message with file names in place of indexes of the request."""

    def named(match: re.Match[str]) -> str:
        file = _file_at(int(match[2]), logs)
        return f"{match[1]}{file}{f' ({match[3]})' if match[3] else ''}:"

    return _LOG.sub(lambda match: _file_at(int(match[1]), logs), _LOG_POINTER.sub(named, text))


def _file_at(index: int, logs: Sequence[Log]) -> str:
    return logs[index].file if index < len(logs) else f"/logs/{index}"


COMMANDS: Final = {"import": import_}
