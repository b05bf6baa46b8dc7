"""The script of one cell, put together from its parts."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping
from importlib import resources
from typing import Final

from backend.core.chart.cells.inputs import ChartInput
from backend.core.chart.cells.trials import CellTrials, by_cell
from backend.core.errors import NotFound
from backend.core.export.eject import database, recipe
from backend.core.export.eject.about import UNITS, about, expected
from backend.core.export.eject.containers import Box, client_box, flags, front_box, server_box
from backend.core.export.eject.shell import command, comment, quoted
from backend.core.export.eject.way import CLIENTS, NETWORKS, Way, obstacle, way_of
from backend.core.topology.model import Address, Attachment, Vantage
from backend.core.workload.fronts import FRONTS
from backend.core.workload.tools import TOOLS

GRACE_S: Final = 10
KILL_GRACE_S: Final = 5
REPLIES: Final = {"postgres": "1", "pong": "pong", "flask": "Hello there!"}
"""What a service answers when it is ready; iperf3's server is asked by its exit code alone."""
RATES: Final = {
    "pgbench": "awk '/^tps = / { v = $3; if (/without initial|excluding|including reconnection/) exit } "
    "END { print v }'",
    "wrk": "awk '/^Requests\\/sec:/ { print $2 }'",
    "ab": "awk '/^Requests per second:/ { print $4 }'",
    "iperf3": 'awk \'/"sum(_received)?":/ { seen = 1 } seen && /"bits_per_second":/ '
    '{ v = $2 + 0; seen = 0 } END { printf "%.6f\\n", v / 1e9 }\'',
}
"""From the tool's output, on standard input, its rate: the last sum that iperf3 reports is the receiver's."""
_END: Final = "PLIMSOLL_END_OF_FILE"


def commands(data: ChartInput, cell_id: str) -> str:
    """A POSIX shell script that repeats the cell. Raises NotFound where the run has no such cell.

    Where one Docker host cannot carry the cell, the script says why and what would have to run, and ends
    with code 2.
    """
    trials = by_cell(data).get(cell_id)
    if trials is None:
        raise NotFound("this run has no such cell")
    reason = obstacle(trials.cell.levels)
    return _refusal(data, trials, reason) if reason else _script(data, trials)


def _script(data: ChartInput, trials: CellTrials) -> str:
    way = way_of(trials.cell.levels)
    tool = str(way.levels["tool"])
    parts = {
        "about": comment(about(data, trials)),
        "build": _build(way),
        "start": _start(way),
        "replies": _replies(way),
        "front": _front(way),
        "client": _client(way),
        "data": _data(way),
        "warm_up": _in_client(way, int(way.levels["warm_up_s"])) if way.levels["warm_up_s"] else ":",
        "measure": _in_client(way, int(way.levels["duration_s"])),
        "rate": RATES[tool],
        "prepare": "\n    ".join(_prepare(way)) or ":",
        "unit": UNITS[tool],
        "expected": shlex.quote(expected(data, trials)),
    }
    return _filled(resources.files(__package__).joinpath("frame.sh").read_text("utf-8"), parts)


def _filled(frame: str, parts: Mapping[str, str]) -> str:
    """The frame with its parts; what stands in a part is never taken for another one's place."""
    pieces = frame.split("%%")
    return "".join(parts[piece] if place % 2 else piece for place, piece in enumerate(pieces))


def _build(way: Way) -> str:
    kinds = recipe.needed(way.levels["service"], way.levels["tool"], way.path.front)
    lines = ['if [ -z "$IMAGE" ]; then', "    say 'building an image from Debian packages'"]
    for name, text in recipe.files(kinds).items():
        lines += [f"cat >\"$folder/{name}\" <<'{_END}'", text.rstrip("\n"), _END]
    lines += [
        '    IMAGE=$NAME:image images="$NAME:image"',
        '    if ! docker image inspect "$BASE" >/dev/null 2>&1; then images="$images $BASE"; fi',
        '    docker build --quiet --force-rm --build-arg "BASE=$BASE" --build-arg "OWNER=$NAME" \\',
        '        --tag "$IMAGE" "$folder" >/dev/null ||',
        "        fail 'the image could not be built; set IMAGE to one that has the programs'",
        "fi",
    ]
    return "\n".join(lines)


def _start(way: Way) -> str:
    """Network and volumes, the address that is found now, and the server."""
    box = server_box(way.server, way.service, way.listen)
    lines = [
        f'docker volume create --label "$LABEL" "$NAME-{role}" >/dev/null' for role in box.volumes.values()
    ]
    if way.path.attachment is Attachment.USER_BRIDGE:
        lines.append('docker network create --driver bridge --label "$LABEL" "$NAME" >/dev/null')
    lines += [text for text in (_ADDRESSES[way.found],) if text and way.found is not Address.CONTAINER]
    lines.append(_run("server", NETWORKS[way.path.attachment], box, _published(way), _listening(way)))
    if way.found is Address.CONTAINER:
        lines.append(_ADDRESSES[way.found])
    if way.found is not None:
        lines.append("[ -n \"$ADDRESS\" ] || fail 'the address of the server could not be found'")
    if way.published_on:
        lines.append(_proxy_check(bool(way.levels["userland_proxy"])))
    return "\n".join(lines)


_ADDRESSES: Final[dict[Address | None, str]] = {
    None: "",
    Address.CONTAINER: "ADDRESS=$(docker inspect --format "
    "'{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}' \"$NAME-server\")",
    Address.GATEWAY: "ADDRESS=$(docker network inspect --format "
    "'{{(index .IPAM.Config 0).Gateway}}' \"$NAME\")",
    Address.HOST: "# The port is then open to your network and asks for no password: choose HOST_ADDRESS.\n"
    'ADDRESS=${HOST_ADDRESS:-$(docker run --rm --label "$LABEL" --network host "$IMAGE" hostname -I '
    "| awk '{ print $1 }')}",
}


def _published(way: Way) -> tuple[str, ...]:
    """Published on the one address that the path uses, because the server asks for no password."""
    if not way.published_on:
        return ()
    port = f"{way.published_on}:${{PORT}}:{way.service.port}"
    return (f'--publish "{port}"', *((f'--publish "{port}/udp"',) if way.service.udp else ()))


def _listening(way: Way) -> tuple[str, ...]:
    """On the host's own network PostgreSQL must be kept from listening to everybody."""
    on_host = way.path.attachment is Attachment.HOST_NETWORK and way.service.name == "postgres"
    return ("-c", "listen_addresses=127.0.0.1") if on_host else ()


def _run(role: str, network: str, box: Box, more: Iterable[str] = (), arguments: tuple[str, ...] = ()) -> str:
    words = ("--network " + network, *flags(box), *more, '"$IMAGE"')
    return f"run {role} " + " \\\n    ".join((*words, command((*box.command, *arguments))))


def _proxy_check(wanted: bool) -> str:
    """Only the process list of the Docker host tells whether something relays the published port."""
    word = "on" if wanted else "off"
    return "\n".join(
        (
            'if docker run --rm --label "$LABEL" --pid host --network none "$IMAGE" \\',
            '    sh -c \'for f in /proc/[0-9]*/cmdline; do tr "\\0" " " <$f; echo; done\' 2>/dev/null |',
            # The brackets keep grep from finding itself.
            '    grep -q -e "-host-[p]ort $PORT "; then proxy=on; else proxy=off; fi',
            f'[ "$proxy" = {word} ] || say "warning: this daemon has userland-proxy $proxy," \\',
            f"    'the cell was measured with it {word}'",
        )
    )


def _replies(way: Way) -> str:
    return _ready("server_replies", "server", command(way.service.ready(way.beside)), way.service.name)


def _ready(name: str, role: str, asked: str, service: str) -> str:
    expected_text = REPLIES.get(service)
    asking = f'docker exec "$NAME-{role}" {asked}'
    if expected_text is None:
        return f"{name}() {{ {asking} >/dev/null 2>&1; }}"
    return f'{name}() {{ [ "$({asking} 2>/dev/null)" = {quoted(expected_text)} ]; }}'


def _front(way: Way) -> str:
    if way.front is None or way.upstream is None:
        return ""
    words = FRONTS[way.front.front](way.front, way.asked.port, way.upstream)
    asked = command(way.service.ready(way.asked))
    return "\n".join(
        (
            _run("front", "host", front_box(way.front, way.listen, words)),
            _ready("front_replies", "front", asked, way.service.name),
            "await 20 'the program in front' front_replies",
            "",
        )
    )


def _client(way: Way) -> str:
    """Where the client runs: in the server's own container, or in one of its own."""
    if way.path.vantage is Vantage.SERVER_CONTAINER:
        return ""
    network = CLIENTS[way.path.vantage] or NETWORKS[way.path.attachment]
    return _run("client", network, client_box(way.listen, str(way.levels.get("client_cpuset", "")))) + "\n"


def _in_client(way: Way, seconds: int) -> str:
    """The tool's exact command line, with a time limit of its own."""
    beside = way.path.vantage is Vantage.SERVER_CONTAINER
    cpuset = str(way.levels.get("client_cpuset", ""))
    pinned = ("taskset", "-c", cpuset) if beside and cpuset else ()
    words = TOOLS[str(way.levels["tool"])].run(way.levels, way.asked, seconds)
    limit = ("timeout", "-k", str(KILL_GRACE_S), str(seconds + GRACE_S))
    role = "server" if beside else "client"
    return f'docker exec "$NAME-{role}" {command((*limit, *pinned, *words))}'


def _data(way: Way) -> str:
    if way.service.name != "postgres":
        return ""
    steps = [f"    {step} &&" for step in _in_server(database.fill(int(way.levels["scale"]), way.beside))]
    return "\n".join(("fill() {", *steps, "    :", "}", *_FILL, ""))


_FILL: Final = (
    "say 'filling the tables'",
    "attend fill || { cat \"$folder/output\" >&2; fail 'the tables could not be filled'; }",
)


def _in_server(steps: database.Commands) -> list[str]:
    return [f'docker exec "$NAME-server" {command(words)}' for words in steps]


def _prepare(way: Way) -> list[str]:
    """What comes before each round: a fresh server where the cell asks for one, tidy tables if it writes."""
    if way.service.name != "postgres":
        return []
    steps = []
    if way.levels.get("fresh_server"):
        steps += ['docker restart "$NAME-server" >/dev/null', "await 60 'the server' server_replies"]
        steps += list(_FILL) if way.server.setting("storage") == "memory" else []
        steps.append(
            "sync; (echo 3 >/proc/sys/vm/drop_caches) 2>/dev/null || say 'caches are not dropped: not root'"
        )
    if way.levels.get("script", "select_only") != "select_only":
        tidied = _in_server(database.tidy(int(way.levels["scale"]), way.beside))
        steps += [f"{step} >/dev/null || fail 'the tables could not be tidied'" for step in tidied]
    return steps


def _refusal(data: ChartInput, trials: CellTrials, reason: str) -> str:
    """A script that only speaks: why, and the tool's command line with what it would be run against."""
    levels = trials.cell.levels
    tool = TOOLS[str(levels["tool"])]
    way = way_of(levels)
    words = command(tool.run(levels, way.asked, int(levels["duration_s"])))
    server = command(way.service.command(way.server, way.listen))
    return "\n".join(
        (
            "#!/bin/sh",
            comment(about(data, trials)),
            "#",
            "# The server's command, in a container of the bench image:",
            comment(server),
            "# The client's command, against the server's ADDRESS and PORT:",
            comment(words),
            "set -eu",
            f"printf 'not repeated: %s\\n' {shlex.quote(reason)} >&2",
            "printf '%s\\n' 'The comments of this script hold both commands.' >&2",
            f"printf '%s\\n' {shlex.quote(expected(data, trials))} >&2",
            "exit 2",
            "",
        )
    )
