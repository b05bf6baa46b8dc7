"""The script of one cell, put together from its parts."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping
from importlib import resources
from typing import Final

from backend.core.chart.cells.inputs import ChartInput
from backend.core.chart.cells.run_cells import by_cell
from backend.core.chart.cells.trials import CellTrials
from backend.core.errors import NotFound
from backend.core.export.replay_script import database, recipe
from backend.core.export.replay_script.about import UNITS, about, expected
from backend.core.export.replay_script.containers import Box, client_box, flags, reverse_proxy_box, server_box
from backend.core.export.replay_script.replay_setup import (
    CLIENTS,
    NETWORKS,
    ReplaySetup,
    obstacle,
    replay_setup,
)
from backend.core.export.replay_script.shell import command, comment, quoted
from backend.core.topology.model import Address, Attachment, Vantage
from backend.core.workload.reverse_proxies import REVERSE_PROXIES
from backend.core.workload.tools import TOOLS

GRACE_S: Final = 10
KILL_GRACE_S: Final = 5
REPLIES: Final = {"postgres": "1", "pong": "pong", "flask": "Hello there!"}
"""What a service answers when it is ready; for iperf3's server the exit code decides."""
RATES: Final = {
    "pgbench": "awk '/^tps = / { v = $3; if (/without initial|excluding|including reconnection/) exit } "
    "END { print v }'",
    "wrk": "awk '/^Requests\\/sec:/ { print $2 }'",
    "ab": "awk '/^Requests per second:/ { print $4 }'",
    "iperf3": 'awk \'/"sum(_received)?":/ { seen = 1 } seen && /"bits_per_second":/ '
    '{ v = $2 + 0; seen = 0 } END { printf "%.6f\\n", v / 1e9 }\'',
}
"""Commands that read the tool's rate from its output; the last sum that iperf3 reports is the receiver's."""
_END: Final = "PLIMSOLL_END_OF_FILE"


def commands(data: ChartInput, cell_id: str) -> str:
    """A POSIX shell script that repeats the cell. Raises NotFound where the run has no such cell.

    Where one Docker host cannot run the cell, the script prints the reason and the commands, and exits with
    code 2.
    """
    trials = by_cell(data).get(cell_id)
    if trials is None:
        raise NotFound("this run has no such cell")
    reason = obstacle(trials.cell.levels)
    return _refusal(data, trials, reason) if reason else _script(data, trials)


def _script(data: ChartInput, trials: CellTrials) -> str:
    setup = replay_setup(trials.cell.levels)
    tool = str(setup.levels["tool"])
    parts = {
        "about": comment(about(data, trials)),
        "build": _build(setup),
        "start": _start(setup),
        "replies": _replies(setup),
        "reverse_proxy": _reverse_proxy(setup),
        "client": _client(setup),
        "data": _data(setup),
        "warm_up": _in_client(setup, int(setup.levels["warm_up_s"])) if setup.levels["warm_up_s"] else ":",
        "measure": _in_client(setup, int(setup.levels["duration_s"])),
        "rate": RATES[tool],
        "prepare": "\n    ".join(_prepare(setup)) or ":",
        "unit": UNITS[tool],
        "expected": shlex.quote(expected(data, trials)),
    }
    return _filled(resources.files(__package__).joinpath("frame.sh").read_text("utf-8"), parts)


def _filled(frame: str, parts: Mapping[str, str]) -> str:
    """The frame with its parts; the text of a part is never read as the placeholder of another one."""
    pieces = frame.split("%%")
    return "".join(parts[piece] if place % 2 else piece for place, piece in enumerate(pieces))


def _build(setup: ReplaySetup) -> str:
    kinds = recipe.needed(setup.levels["service"], setup.levels["tool"], setup.path.reverse_proxy)
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


def _start(setup: ReplaySetup) -> str:
    """Network and volumes, the address that is found now, and the server."""
    box = server_box(setup.server, setup.service, setup.listen)
    lines = [
        f'docker volume create --label "$LABEL" "$NAME-{role}" >/dev/null' for role in box.volumes.values()
    ]
    if setup.path.attachment is Attachment.USER_BRIDGE:
        lines.append('docker network create --driver bridge --label "$LABEL" "$NAME" >/dev/null')
    lines += [
        text for text in (_ADDRESSES[setup.looked_up],) if text and setup.looked_up is not Address.CONTAINER
    ]
    lines.append(_run("server", NETWORKS[setup.path.attachment], box, _published(setup), _listening(setup)))
    if setup.looked_up is Address.CONTAINER:
        lines.append(_ADDRESSES[setup.looked_up])
    if setup.looked_up is not None:
        lines.append("[ -n \"$ADDRESS\" ] || fail 'the address of the server could not be found'")
    if setup.published_on:
        lines.append(_proxy_check(bool(setup.levels["userland_proxy"])))
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


def _published(setup: ReplaySetup) -> tuple[str, ...]:
    """Published on the one address that the path uses, because the server asks for no password."""
    if not setup.published_on:
        return ()
    port = f"{setup.published_on}:${{PORT}}:{setup.service.port}"
    return (f'--publish "{port}"', *((f'--publish "{port}/udp"',) if setup.service.udp else ()))


def _listening(setup: ReplaySetup) -> tuple[str, ...]:
    """PostgreSQL's listen address on the host's own network, so that it is not open to other hosts."""
    on_host = setup.path.attachment is Attachment.HOST_NETWORK and setup.service.name == "postgres"
    return ("-c", "listen_addresses=127.0.0.1") if on_host else ()


def _run(role: str, network: str, box: Box, more: Iterable[str] = (), arguments: tuple[str, ...] = ()) -> str:
    words = ("--network " + network, *flags(box), *more, '"$IMAGE"')
    return f"run {role} " + " \\\n    ".join((*words, command((*box.command, *arguments))))


def _proxy_check(wanted: bool) -> str:
    """A warning where docker-proxy runs or not, unlike in the cell; read from the host's process list."""
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


def _replies(setup: ReplaySetup) -> str:
    return _ready("server_replies", "server", command(setup.service.ready(setup.inside)), setup.service.name)


def _ready(name: str, role: str, request: str, service: str) -> str:
    expected_text = REPLIES.get(service)
    asking = f'docker exec "$NAME-{role}" {request}'
    if expected_text is None:
        return f"{name}() {{ {asking} >/dev/null 2>&1; }}"
    return f'{name}() {{ [ "$({asking} 2>/dev/null)" = {quoted(expected_text)} ]; }}'


def _reverse_proxy(setup: ReplaySetup) -> str:
    if setup.reverse_proxy is None or setup.upstream is None:
        return ""
    words = REVERSE_PROXIES[setup.reverse_proxy.kind](setup.reverse_proxy, setup.target.port, setup.upstream)
    reply = command(setup.service.ready(setup.target))
    return "\n".join(
        (
            _run("proxy", "host", reverse_proxy_box(setup.reverse_proxy, setup.listen, words)),
            _ready("proxy_replies", "proxy", reply, setup.service.name),
            "await 20 'the reverse proxy' proxy_replies",
            "",
        )
    )


def _client(setup: ReplaySetup) -> str:
    """Where the client runs: in the server's own container, or in one of its own."""
    if setup.path.vantage is Vantage.SERVER_CONTAINER:
        return ""
    network = CLIENTS[setup.path.vantage] or NETWORKS[setup.path.attachment]
    return (
        _run("client", network, client_box(setup.listen, str(setup.levels.get("client_cpuset", "")))) + "\n"
    )


def _in_client(setup: ReplaySetup, seconds: int) -> str:
    """The tool's exact command line, with a time limit of its own."""
    beside = setup.path.vantage is Vantage.SERVER_CONTAINER
    cpuset = str(setup.levels.get("client_cpuset", ""))
    pinned = ("taskset", "-c", cpuset) if beside and cpuset else ()
    words = TOOLS[str(setup.levels["tool"])].run(setup.levels, setup.target, seconds)
    limit = ("timeout", "-k", str(KILL_GRACE_S), str(seconds + GRACE_S))
    role = "server" if beside else "client"
    return f'docker exec "$NAME-{role}" {command((*limit, *pinned, *words))}'


def _data(setup: ReplaySetup) -> str:
    if setup.service.name != "postgres":
        return ""
    steps = [f"    {step} &&" for step in _in_server(database.fill(int(setup.levels["scale"]), setup.inside))]
    return "\n".join(("fill() {", *steps, "    :", "}", *_FILL, ""))


_FILL: Final = (
    "say 'filling the tables'",
    "attend fill || { cat \"$folder/output\" >&2; fail 'the tables could not be filled'; }",
)


def _in_server(steps: database.Commands) -> list[str]:
    return [f'docker exec "$NAME-server" {command(words)}' for words in steps]


def _prepare(setup: ReplaySetup) -> list[str]:
    """The commands before each round: restart where the cell has a fresh server, vacuum where it writes."""
    if setup.service.name != "postgres":
        return []
    steps = []
    if setup.levels.get("fresh_server"):
        steps += ['docker restart "$NAME-server" >/dev/null', "await 60 'the server' server_replies"]
        steps += list(_FILL) if setup.server.setting("storage") == "memory" else []
        steps.append(
            "sync; (echo 3 >/proc/sys/vm/drop_caches) 2>/dev/null || say 'caches are not dropped: not root'"
        )
    if setup.levels.get("script", "select_only") != "select_only":
        vacuumed = _in_server(database.vacuum(int(setup.levels["scale"]), setup.inside))
        steps += [f"{step} >/dev/null || fail 'the tables could not be vacuumed'" for step in vacuumed]
    return steps


def _refusal(data: ChartInput, trials: CellTrials, reason: str) -> str:
    """A script that prints why the cell is not repeated, with both commands as comments."""
    levels = trials.cell.levels
    tool = TOOLS[str(levels["tool"])]
    setup = replay_setup(levels)
    words = command(tool.run(levels, setup.target, int(levels["duration_s"])))
    server = command(setup.service.command(setup.server, setup.listen))
    return "\n".join(
        (
            "#!/bin/sh",
            comment(about(data, trials)),
            "#",
            "# The server's command, in a container of the measured image:",
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
