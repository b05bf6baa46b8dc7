# Runs all checks, even after a failure, and repeats the last lines of each.
# Sourced after progress.bash.
# The entry script sets `root` and `log_dir`. shellcheck does not follow sourcing.
# shellcheck shell=bash disable=SC2154

closing=()
failed=()
declare -A beside_pids=() beside_starts=()

# closing_lines LOG: the summary lines of pytest, vitest, node --test and others.
closing_lines() {
    local plain found
    plain=$(sed -E 's/\x1b\[[0-9;?]*[A-Za-z]//g; s/\r//g; /^[[:space:]]*$/d' "$1" | tail -n 60)
    found=$(grep -E '^=+ .*(passed|failed|error|skipped|no tests ran).* =+$' <<<"$plain" | tail -n 1 || true)
    [[ -n $found ]] || found=$(grep -E '^ *(Test Files|Tests) ' <<<"$plain" | tail -n 2 || true)
    [[ -n $found ]] || found=$(grep -E '^(#|ℹ) (tests|pass|fail|skipped) ' <<<"$plain" | paste -sd ' ' || true)
    [[ -n $found ]] || found=$(tail -n 1 <<<"$plain")
    printf '%s\n' "${found:-no findings}"
}

# record_end NAME STATUS SECONDS: keep the closing lines of a run for `conclude`.
record_end() {
    local name=$1 status=$2 seconds=$3 line
    if ((status != 0)); then failed+=("$name"); fi
    while IFS= read -r line; do
        closing+=("$(printf '%-11s %-7s %4d s  %s' "$name" "$( ((status == 0)) && echo ok || echo "exit $status")" \
            "$seconds" "$line")")
    done < <(closing_lines "$log_dir/$name.log")
}

# runner NAME COMMAND [ARGUMENT...]: run with the output on the terminal and in $log_dir/NAME.log.
runner() {
    local name=$1 status=0 started=$SECONDS
    shift
    say "$name" "$*"
    mkdir -p "$log_dir"
    (cd "$root" && "$@") 2>&1 | tee "$log_dir/$name.log" || status=$?
    record_end "$name" "$status" $((SECONDS - started))
}

# beside NAME COMMAND [ARGUMENT...]: start a run beside the ones that follow; its output waits for `await_beside`.
beside() {
    local name=$1
    shift
    say "$name" "beside: $*"
    mkdir -p "$log_dir"
    # Background commands of a script ignore SIGINT; env gives it back, so that Ctrl-C can end them.
    (cd "$root" && exec setsid env --default-signal=INT,QUIT "$@") >"$log_dir/$name.log" 2>&1 </dev/null 9>&- &
    beside_pids[$name]=$! beside_starts[$name]=$SECONDS
    on_exit end_beside "$name"
}

# await_beside NAME...: wait for runs that were started beside others, and print their output. Others are passed over.
await_beside() {
    local name status
    for name in "$@"; do
        [[ -n ${beside_pids[$name]:-} ]] || continue
        status=0
        wait "${beside_pids[$name]}" || status=$?
        unset "beside_pids[$name]"
        say "$name" 'has run beside the others:'
        cat -- "$log_dir/$name.log"
        record_end "$name" "$status" $((SECONDS - beside_starts[$name]))
    done
}

# end_beside NAME: end what an interrupted script left running.
end_beside() {
    local pid=${beside_pids[$1]:-}
    [[ -n $pid ]] || return 0
    kill -INT -- "-$pid" 2>/dev/null || true
    wait "$pid" || true
}

# conclude WHAT: wait for what still runs beside, then print the closing lines again; exit 1 if any run failed.
conclude() {
    await_beside "${!beside_pids[@]}"
    printf '\n'
    printf '%s\n' "${closing[@]}"
    if ((${#failed[@]} > 0)); then
        printf '%s: failed: %s\n' "$1" "${failed[*]}"
        exit 1
    fi
    printf '%s: all passed\n' "$1"
}
