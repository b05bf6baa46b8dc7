# Runs all checks, even after a failure, and repeats the last lines of each.
# Sourced after progress.bash.
# The entry script sets `root` and `log_dir`. shellcheck does not follow sourcing.
# shellcheck shell=bash disable=SC2154

closing=()
failed=()

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

# runner NAME COMMAND [ARGUMENT...]: run with the output on the terminal and in $log_dir/NAME.log.
runner() {
    local name=$1 log=$log_dir/$1.log status=0 started=$SECONDS line
    shift
    say "$name" "$*"
    mkdir -p "$log_dir"
    (cd "$root" && "$@") 2>&1 | tee "$log" || status=$?
    if ((status != 0)); then failed+=("$name"); fi
    while IFS= read -r line; do
        closing+=("$(printf '%-11s %-7s %4d s  %s' "$name" "$( ((status == 0)) && echo ok || echo "exit $status")" \
            $((SECONDS - started)) "$line")")
    done < <(closing_lines "$log")
}

# conclude WHAT: print the closing lines again as the last ones; exit 1 if any runner failed.
conclude() {
    printf '\n'
    printf '%s\n' "${closing[@]}"
    if ((${#failed[@]} > 0)); then
        printf '%s: failed: %s\n' "$1" "${failed[*]}"
        exit 1
    fi
    printf '%s: all passed\n' "$1"
}
