#!/bin/sh
%%about%%
set -eu
export LC_ALL=C

IMAGE=${IMAGE:-}               # an image with the programs; empty: one is built from BASE and removed again
BASE=${BASE:-debian:bookworm-slim}
ROUNDS=${ROUNDS:-5}
PORT=${PORT:-20432}            # the port on this host, where one is used
FRONT_PORT=${FRONT_PORT:-20433}

say() { printf '%s\n' "$*" >&2; }
fail() { say "error: $*"; exit 1; }

for program in docker awk sort mktemp; do
    command -v "$program" >/dev/null || fail "$program is not installed"
done
docker version --format '{{.Server.Version}}' >/dev/null 2>&1 ||
    fail 'the Docker daemon does not answer; is it running, is DOCKER_HOST right, may this user use it?'
# A port that is no number would end up in a command line.
for number in "$ROUNDS" "$PORT" "$FRONT_PORT"; do
    case $number in '' | *[!0-9]* | 0*) fail "ROUNDS, PORT and FRONT_PORT are whole numbers, not '$number'" ;; esac
done

NAME=plimsoll-eject-$$-$(date +%s)
LABEL=net.plimsoll.eject=$NAME
folder=$(mktemp -d)
images=''

# Removes what carries this run's label, the image that it built, and its folder. What is not removed
# is the build cache of BuildKit, which is the daemon's own: docker builder prune.
cleanup() {
    status=$?
    trap - EXIT INT TERM HUP
    docker ps --all --quiet --filter "label=$LABEL" | while read -r id; do
        docker rm --force --volumes "$id" >/dev/null || say "container $id could not be removed"
    done
    docker network ls --quiet --filter "label=$LABEL" | while read -r network; do
        docker network rm "$network" >/dev/null || say "network $network is left"
    done
    docker volume ls --quiet --filter "label=$LABEL" | while read -r volume; do
        docker volume rm "$volume" >/dev/null || say "volume $volume is left"
    done
    for image in $images; do
        docker image inspect "$image" >/dev/null 2>&1 || continue
        docker image rm "$image" >/dev/null 2>&1 || say "image $image is left"
    done
    docker image prune --force --filter "label=$LABEL" >/dev/null 2>&1 || :
    rm -rf -- "$folder"
    exit "$status"
}
trap cleanup EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

run() { # run ROLE ARGUMENT...: a container of this script
    role=$1
    shift
    docker run --detach --name "$NAME-$role" --label "$LABEL" --log-opt max-size=1m "$@" >"$folder/$role.id" ||
        fail "the container $role does not start"
}

await() { # await SECONDS WHAT COMMAND...: until the command succeeds
    left=$1 what=$2
    shift 2
    until "$@"; do
        left=$((left - 1))
        if [ "$left" -le 0 ]; then
            docker ps --all --quiet --filter "label=$LABEL" | while read -r id; do docker logs --tail 20 "$id" >&2; done
            fail "$what does not reply"
        fi
        sleep 1
    done
}

attend() { # attend COMMAND: its output goes to a file; a signal is heeded while it runs, not after it
    "$@" >"$folder/output" 2>&1 &
    wait "$!"
}

%%build%%

MEMORY=$(docker info --format '{{.MemTotal}}' | awk '{ printf "%.0f", $1 / 2 }')

%%start%%

%%replies%%

await 60 'the server' server_replies
%%reverse_proxy%%%%client%%%%data%%
warm_up() {
    %%warm_up%%
}
measure() {
    %%measure%%
}
rate() { # the tool's own rate in %%unit%%, from what it printed
    %%rate%%
}
prepare() {
    %%prepare%%
}

round=1
: >"$folder/rates"
while [ "$round" -le "$ROUNDS" ]; do
    prepare
    say "round $round of $ROUNDS"
    attend warm_up || { cat "$folder/output" >&2; fail "round $round: the warm-up failed"; }
    attend measure || { cat "$folder/output" >&2; fail "round $round: the tool failed"; }
    value=$(rate <"$folder/output")
    [ -n "$value" ] || { cat "$folder/output" >&2; fail "round $round: the tool printed no rate"; }
    printf 'round %s: %s %%unit%%\n' "$round" "$value"
    printf '%s\n' "$value" >>"$folder/rates"
    round=$((round + 1))
done
median=$(sort -n "$folder/rates" | awk '{ v[NR] = $1 }
    END { m = int((NR + 1) / 2); printf "%.6g", NR % 2 ? v[m] : (v[m] + v[m + 1]) / 2 }')
printf 'median of %s rounds: %s %%unit%%\n' "$ROUNDS" "$median"
printf '%s\n' %%expected%%
