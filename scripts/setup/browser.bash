# Runs the browser tests against a separate installation. Sourced after leftovers.bash.
# The entry script sets `root`, `var` and `log_dir`. shellcheck does not follow sourcing.
# shellcheck shell=bash disable=SC2154

free_port() { python -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }

# await_ready PID FILE: wait until FILE exists or the process has ended; at most 25 minutes.
await_ready() {
    local waited=0
    while [[ ! -f $2 ]]; do
        kill -0 "$1" 2>/dev/null || return 1
        ((++waited <= 3000)) || return 1
        sleep 0.5
    done
}

# browser_story [FILE...]: start Plimsoll with a separate data directory, run these test files of tests/browser against
# it, by default the story, stop it, and check that nothing is left. The image of an earlier start or of the live tests
# is used again. PLIMSOLL_SHOTS names a folder for pictures of the pages; after a failure some are beside the logs.
browser_story() {
    local own=$var/browser images port pid status=0 stopped=0 left files=("$@")
    if ((${#files[@]} == 0)); then files=("$root/tests/browser/story.mjs"); fi
    port=$(free_port)
    rm -rf -- "$own"
    mkdir -p "$own"
    for images in "$var/images" "$var/live-tests/images"; do
        if [[ -d $images && ! -d $own/images ]]; then cp -al -- "$images" "$own/images"; fi
    done
    PLIMSOLL_VAR_DIR=$own "$root/scripts/up" --port "$port" &
    pid=$!
    # shellcheck disable=SC2064 # the pid of now
    trap "kill -TERM $pid; wait $pid; exit 130" INT TERM
    if await_ready "$pid" "$own/ready.json"; then
        env PLIMSOLL_URL="http://127.0.0.1:$port" PLIMSOLL_VAR_DIR="$own" PLIMSOLL_FAILURE_SHOTS="$log_dir/shots" \
            CHROMIUM="$(command -v chromium || command -v google-chrome)" \
            node --test --test-concurrency=1 --test-reporter=spec "${files[@]}" || status=$?
    else
        echo 'Plimsoll did not become ready'
        status=1
    fi
    kill -TERM "$pid" 2>/dev/null || true
    wait "$pid" || stopped=$?
    left=
    if [[ -f $own/install-id ]]; then left=$(left_by "$(<"$own/install-id")" "$own" "$port"); fi
    if [[ -n $left ]]; then
        printf '%s\n' "$left"
        status=1
    fi
    if ((stopped != 0)); then
        echo "scripts/up ended with exit code $stopped"
        status=1
    fi
    awk -v own="$own/" 'index($5, own) == 1 { print $5 }' /proc/self/mountinfo | xargs -r umount --lazy
    if [[ -d $own/images && ! -d $var/images ]]; then mv -- "$own/images" "$var/images"; fi
    rm -rf -- "$own"
    return "$status"
}
