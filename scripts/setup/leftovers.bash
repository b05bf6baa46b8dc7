# Finds remains of an installation on the host. Sourced after preflight.bash.
# shellcheck shell=bash

# left_by ID VAR PORT: one line per remaining object of that installation.
left_by() {
    local id=$1 var=$2 port=$3 process text place
    for place in "/run/plimsoll-$id" "/run/netns/plm$id"* "$var/ready.json"; do
        if [[ -e $place ]]; then echo "left behind: $place"; fi
    done
    for process in /proc/[0-9]*; do
        { text=$(tr "\0" " " <"$process/cmdline"); } 2>/dev/null || continue
        case $text in
        *"plimsoll-$id"* | *"plm$id"*) echo "left running: ${process##*/} ${text:0:100}" ;;
        esac
    done
    awk -v run="/run/plimsoll-$id" -v var="$var/" \
        'index($5, run) == 1 || index($5, var) == 1 { print "left mounted: " $5 }' /proc/self/mountinfo
    find /sys/fs/cgroup -maxdepth 3 -type d -name "plm$id*" -printf 'left behind: cgroup %p\n' 2>/dev/null || true
    if listening "$port" /proc/net/tcp /proc/net/tcp6; then echo "left listening: port $port"; fi
}
