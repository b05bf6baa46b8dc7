# Progress lines with the elapsed time, logs of long commands, undo in reverse order.
# Sourced by the entry scripts, which set `root` and `log_dir`.
# shellcheck shell=bash disable=SC2154

undo_stack=()
running_pid=
failure_log=
in_part=
niceness=0

# say STEP TEXT: one progress line.
say() { printf '%4d s  %-10s %s\n' "$SECONDS" "$1" "$2"; }

# refuse SENTENCE: print one sentence on stderr and exit 1; the undo stack runs.
refuse() {
    printf 'plimsoll: %s\n' "$1" >&2
    exit 1
}

# on_exit COMMAND [ARGUMENT...]: run at every exit, the last one first.
on_exit() {
    local quoted
    printf -v quoted '%q ' "$@"
    undo_stack+=("$quoted")
}

unwind() {
    local status=$? i
    trap '' INT TERM HUP
    for ((i = ${#undo_stack[@]} - 1; i >= 0; i--)); do
        eval "${undo_stack[i]}" || true
    done
    exit "$status"
}

# interrupted STATUS: stop the running command with SIGINT, then exit.
interrupted() {
    trap '' INT TERM HUP
    if [[ -n $running_pid ]]; then
        kill -INT -- "-$running_pid" 2>/dev/null || true
        local waited=0
        while kill -0 "$running_pid" 2>/dev/null; do
            ((++waited == 300)) && kill -TERM -- "-$running_pid" 2>/dev/null
            sleep 0.1
        done
    fi
    printf '\nplimsoll: interrupted\n' >&2
    exit "$1"
}

trap unwind EXIT
trap 'interrupted 130' INT
trap 'interrupted 143' TERM
trap 'interrupted 129' HUP

show_tick() {
    local started=$1 log=$2 lines last
    lines=$(wc -l <"$log")
    last=$(tail -n 1 -- "$log" | tr -d '\r' | cut -c 1-70)
    if [[ -t 1 ]]; then
        printf '\r\033[K%4d s  %-10s … %d s, %d lines: %s' "$SECONDS" '' $((SECONDS - started)) "$lines" "$last"
    else
        printf '%4d s  %-10s … %d s, %d lines: %s\n' "$SECONDS" '' $((SECONDS - started)) "$lines" "$last"
    fi
}

# run_logged NAME COMMAND [ARGUMENT...]: run an external command in its own session with its
# output in $log_dir/NAME.log, and show that it progresses. Returns the command's exit status.
run_logged() {
    local log=$log_dir/$1.log started=$SECONDS shown=$SECONDS every=10 status=0
    shift
    [[ -t 1 ]] && every=1
    mkdir -p "$log_dir"
    : >"$log"
    if [[ -n $in_part ]]; then
        # prepare_beside shows the progress of a part.
        ln -sfn -- "$log" "$log_dir/parts/$in_part.log"
        every=1000000000
    fi
    launch "$@" >>"$log" 2>&1
    while is_running; do
        if ((SECONDS - shown >= every)); then
            show_tick "$started" "$log"
            shown=$SECONDS
        fi
    done
    exit_status || status=$?
    if [[ -t 1 ]]; then printf '\r\033[K'; fi
    failure_log=$log
    return "$status"
}

# run_apart COMMAND [ARGUMENT...]: as run_logged, with this shell's own output.
run_apart() {
    launch "$@"
    while is_running; do :; done
    exit_status
}

# launch COMMAND [ARGUMENT...]: start an external command in its own session.
launch() {
    local command=("$@")
    # Linux shares the CPU between sessions first (sched(7), "The autogroup feature"), then by nice values.
    # shellcheck disable=SC2016 # for the inner shell
    if ((niceness != 0)); then
        command=(bash -c '{ echo "$0" >/proc/self/autogroup; } 2>/dev/null; exec nice -n "$0" "$@"' "$niceness" "$@")
    fi
    # Background commands of a script ignore SIGINT; env gives it back, so that Ctrl-C can end them.
    setsid env --default-signal=INT,QUIT "${command[@]}" </dev/null 9>&- &
    running_pid=$!
}

# is_running: wait a moment for the launched command; false when it has ended. A part ends when its script is gone.
is_running() {
    kill -0 "$running_pid" 2>/dev/null || return 1
    sleep 0.1
    [[ -z $in_part ]] || kill -0 $$ 2>/dev/null || interrupted 143
}

# exit_status: that of the launched command.
exit_status() {
    local pid=$running_pid
    running_pid=
    wait "$pid"
}

# must_log NAME SENTENCE COMMAND [ARGUMENT...]: as run_logged; on failure, print the end of the log and refuse.
must_log() {
    local name=$1 sentence=$2
    shift 2
    run_logged "$name" "$@" && return
    tail -n 15 -- "$failure_log" | sed 's/^/    /' >&2
    refuse "$sentence (the whole log is $failure_log)"
}

# fingerprint [FILE...]: a hash of the contents and names of files, and of standard input.
fingerprint() {
    { sha256sum -- "$@" /dev/null && cat; } | sha256sum | cut -d ' ' -f 1
}

# is_current STAMP KEY: true if STAMP was set with this key.
is_current() { [[ -f $1 && $(<"$1") == "$2" ]]; }

# set_stamp STAMP KEY: record that the work for KEY is complete.
set_stamp() {
    mkdir -p "${1%/*}"
    printf '%s\n' "$2" >"$1.new"
    mv -f -- "$1.new" "$1"
}
