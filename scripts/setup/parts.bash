# Prepares named parts side by side: each begins as soon as the parts that it needs are ready, and has logs of its
# own. Sourced after progress.bash.
# The entry script sets `root` and `log_dir`. shellcheck does not follow sourcing.
# shellcheck shell=bash disable=SC2154

part_names=()
declare -A part_needs=() part_commands=() part_states=() part_pids=() part_starts=() part_descriptors=() part_lines=()

# part NAME NEEDS COMMAND [ARGUMENT...]: declare a part; NEEDS are the names of the parts that must be ready before,
# separated by spaces. COMMAND is a function or a program: with exit status 0 the part is ready.
part() {
    local name=$1 quoted
    printf -v quoted '%q ' "${@:3}"
    part_names+=("$name")
    part_needs[$name]=$2 part_commands[$name]=$quoted part_states[$name]=waits part_lines[$name]=0
}

# prepare_beside [NAME...]: begin all declared parts, and wait until these are ready, by default all; the others go
# on. Prints their progress lines. If a part fails, prints its message, ends the others, and exits with status 1.
prepare_beside() {
    local name shown=$SECONDS every=10 awaited=("$@")
    if ((${#awaited[@]} == 0)); then awaited=("${part_names[@]}"); fi
    [[ -t 1 ]] && every=1
    mkdir -p -- "$log_dir/parts"
    while :; do
        for name in "${part_names[@]}"; do observe_part "$name"; done
        for name in "${part_names[@]}"; do begin_part "$name"; done
        if are_ready "${awaited[*]}"; then break; fi
        if ((SECONDS - shown >= every)); then
            show_parts
            shown=$SECONDS
        fi
        sleep 0.1
    done
    clear_line
}

# are_ready NAMES: true if all these parts are ready.
are_ready() {
    local name
    for name in $1; do
        [[ ${part_states[$name]:-} == ready ]] || return 1
    done
}

clear_line() { if [[ -t 1 ]]; then printf '\r\033[K'; fi; }

# begin_part NAME: start it if it waits and what it needs is ready.
begin_part() {
    local name=$1 files=$log_dir/parts/$1 descriptor
    [[ ${part_states[$name]} == waits ]] && are_ready "${part_needs[$name]}" || return 0
    rm -f -- "$files.done" "$files.log" # a link to the log of the last start, whose folder may be gone
    : >"$files.out"
    : >"$files.log"
    exec {descriptor}<"$files.out"
    run_part "$name" </dev/null >"$files.out" 2>"$files.error" &
    part_pids[$name]=$! part_states[$name]=runs part_starts[$name]=$SECONDS part_descriptors[$name]=$descriptor
    if ((${#part_pids[@]} == 1)); then on_exit end_parts; fi
}

# run_part NAME: the process of a part: it ends like a script of its own, also when the script that began it is gone.
# A file says that it is ready: the shell may reap it while it becomes the starter, which cannot await it any more.
run_part() {
    undo_stack=() running_pid='' in_part=$1
    trap unwind EXIT
    trap '' INT
    trap 'interrupted 143' TERM HUP
    eval "${part_commands[$1]}"
    : >"$log_dir/parts/$1.done"
}

# observe_part NAME: print its new progress lines, and notice its end.
observe_part() {
    local name=$1 line status=0
    [[ ${part_states[$name]} == runs ]] || return 0
    if kill -0 "${part_pids[$name]}" 2>/dev/null; then status=running; fi
    while IFS= read -r line <&"${part_descriptors[$name]}"; do
        clear_line
        printf '%s\n' "$line"
        part_lines[$name]=$((part_lines[$name] + 1))
    done
    [[ $status != running ]] || return 0
    wait "${part_pids[$name]}" || status=$?
    if ((status == 0)); then
        part_states[$name]=ready
        clear_line
        say "$name" "ready after $((SECONDS - part_starts[$name])) s"
    else
        part_states[$name]=failed
        clear_line
        # Bash 5.2 says that of itself where set -e ends a function.
        sed '/: pop_var_context: /d' "$log_dir/parts/$name.error" >&2
        grep -q '^plimsoll: ' "$log_dir/parts/$name.error" ||
            printf 'plimsoll: %s ended with exit code %d\n' "$name" "$status" >&2
        exit 1
    fi
}

# show_parts: what runs, for how long, and the last line of its log: one line on a terminal, else one for each part.
show_parts() {
    local name text shown=''
    for name in "${part_names[@]}"; do
        [[ ${part_states[$name]} == runs ]] || continue
        text=$(tail -n 1 -- "$log_dir/parts/$name.log" 2>/dev/null | tr -d '\r' | cut -c 1-60)
        if [[ -t 1 ]]; then
            shown+="$name $((SECONDS - part_starts[$name])) s: ${text:0:24}  "
        else
            printf '%4d s  %-10s … %d s: %s\n' "$SECONDS" "$name" $((SECONDS - part_starts[$name])) "$text"
        fi
    done
    if [[ -t 1 ]]; then printf '\r\033[K%4d s  … %s' "$SECONDS" "${shown:0:110}"; fi
}

# end_parts: end the parts that run, wait for them, and say what is not ready.
end_parts() {
    local name left=()
    for name in "${part_names[@]}"; do
        if [[ ${part_states[$name]} == runs ]]; then kill -TERM "${part_pids[$name]}" 2>/dev/null || true; fi
    done
    for name in "${part_names[@]}"; do
        if [[ ${part_states[$name]} == runs ]]; then wait "${part_pids[$name]}" || true; fi
        if [[ ${part_states[$name]} != ready ]]; then left+=("$name"); fi
    done
    ((${#left[@]} == 0)) || printf 'plimsoll: not ready: %s; the next call goes on from here\n' "${left[*]}" >&2
}

# with_niceness NUMBER FUNCTION [ARGUMENT...]: run FUNCTION, with this nice value for the programs that it runs: below
# zero for the part that the others wait for, above for one that takes what they leave.
with_niceness() {
    niceness=$1
    "${@:2}"
}

# running_parts: one line "NAME PID LINES" for each part that goes on: how many of its progress lines were printed.
running_parts() {
    local name
    for name in "${part_names[@]}"; do
        if [[ ${part_states[$name]} == runs ]]; then echo "$name ${part_pids[$name]} ${part_lines[$name]}"; fi
    done
}
