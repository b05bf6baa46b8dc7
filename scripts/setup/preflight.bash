# Checks before anything is installed or started; a failed check prints one sentence.
# Sourced after progress.bash. Needs nothing beyond a minimal Debian: no python3, ss or ip.
# The entry script sets `root` and `log_dir`. shellcheck does not follow sourcing.
# shellcheck shell=bash disable=SC2154

kernel_config() {
    local release
    release=$(uname -r)
    if [[ -r /proc/config.gz ]]; then
        zcat /proc/config.gz
    elif [[ -r /boot/config-$release ]]; then
        cat "/boot/config-$release"
    fi
}

# kernel_denies FILE OPTION: true if the kernel's configuration disables OPTION.
kernel_denies() { grep -q "^# $2 is not set" "$1"; }

need_root() {
    [[ $(id -u) == 0 ]] || refuse "$1 must run as root, because it installs packages and starts private Docker engines"
}

# own_root SCRIPT [ARGUMENT...]: containers need / to be a mount point. In a plain chroot, where it is not,
# start SCRIPT again in a mount namespace in which it is one.
own_root() {
    [[ -r /proc/self/mountinfo ]] || refuse '/proc is not mounted here'
    if awk '$5 == "/" { found = 1 } END { exit !found }' /proc/self/mountinfo; then return; fi
    # shellcheck disable=SC2016 # the parameters are for the inner shell
    exec unshare --mount --propagation unchanged bash -c '
        set -e
        mount --rbind / /mnt
        if awk "\$5 == \"/mnt\" && / shared:/ { found = 1 } END { exit !found }" /proc/self/mountinfo; then
            umount --lazy /mnt
            echo "plimsoll: / is not a mount point in this chroot; bind the root directory to itself first" >&2
            exit 1
        fi
        exec chroot /mnt "$@"
    ' own_root "$@"
}

# need_kernel DIRECTORY: try namespaces, and overlayfs on DIRECTORY's file system; check the network
# features in the kernel's configuration, because ip and iptables may not be installed yet.
need_kernel() {
    unshare --net true 2>/dev/null ||
        refuse "this kernel or container does not allow network namespaces, which the private engines need"
    need_configured <(kernel_config)
    need_overlay "$1"
}

# need_configured FILE: check the kernel configuration FILE; an empty one passes.
need_configured() {
    local option config
    config=$(<"$1")
    for option in VETH BRIDGE OVERLAY_FS NF_NAT; do
        if kernel_denies /dev/stdin "CONFIG_$option" <<<"$config"; then
            refuse "this kernel is built without CONFIG_$option, which the private engines need"
        fi
    done
}

# need_overlay DIRECTORY: mount and unmount an overlay below it.
need_overlay() {
    local probe status=0
    probe=$(mktemp -d -- "$1/overlay-probe.XXXXXX")
    mkdir -- "$probe/lower" "$probe/upper" "$probe/work" "$probe/merged"
    mount -t overlay plimsoll-probe "$probe/merged" \
        -o "lowerdir=$probe/lower,upperdir=$probe/upper,workdir=$probe/work" 2>/dev/null || status=$?
    if ((status == 0)); then umount "$probe/merged"; fi
    rm -rf -- "$probe"
    ((status == 0)) || refuse "overlayfs cannot be used on the file system of $1, which the engines' images need"
}

# need_network: veth, bridge and the nat table, tried in a temporary network namespace.
need_network() {
    unshare --net ip link add plv0 type veth peer name plv1 2>/dev/null ||
        refuse "this kernel cannot create veth pairs (module veth), which the private engines need"
    unshare --net ip link add plb0 type bridge 2>/dev/null ||
        refuse "this kernel cannot create bridges (module bridge), which the private engines need"
    unshare --net iptables --wait -t nat -A POSTROUTING -s 198.18.0.0/15 -j MASQUERADE 2>/dev/null ||
        refuse "this kernel has no nat table for iptables (modules iptable_nat or nft_chain_nat), which the private engines need"
}

# need_cgroups [MOUNTINFO]: a writable cgroup file system with the controllers of a trial's limits.
need_cgroups() {
    local table=${1:-/proc/self/mountinfo} points point probe
    points=$(awk '{ for (i = 7; i < NF; i++) if ($i == "-") {
            if ($(i + 1) == "cgroup2") print $5, "2"
            else if ($(i + 1) == "cgroup" && $NF ~ /(^|,)memory(,|$)/) print $5, "1" } }' "$table")
    [[ -n $points ]] ||
        refuse 'no cgroup file system is mounted, or it has no memory controller: mount -t cgroup2 none /sys/fs/cgroup, or boot with cgroup_enable=memory'
    # Version 1 beside an empty version 2, as on hybrid hosts: the one with the controllers counts.
    point=$(awk '$2 == 1 { print $1; found = 1; exit } { last = $1 } END { if (!found) print last }' <<<"$points")
    if [[ -r $point/cgroup.controllers ]] && ! grep -qw memory "$point/cgroup.controllers"; then
        refuse "the cgroups at $point have no memory controller: boot the kernel with cgroup_enable=memory"
    fi
    probe=$point/plimsoll-probe-$$
    mkdir -- "$probe" 2>/dev/null ||
        refuse "no cgroup can be created below $point: run this on the host itself, or in a container with --privileged"
    rmdir -- "$probe"
}

# need_engine: every program of a Docker engine, after the installation.
need_engine() {
    local program missing=()
    for program in dockerd containerd containerd-shim-runc-v2 runc docker-proxy; do
        command -v "$program" >/dev/null || missing+=("$program")
    done
    ((${#missing[@]} == 0)) ||
        refuse "Docker is not complete on this host, ${missing[*]} missing: install docker.io, or Docker's own docker-ce and containerd.io"
    dockerd --version >/dev/null 2>&1 || refuse 'dockerd does not run on this host; dockerd --version says why'
}

# need_space DIRECTORY MEBIBYTES: free space on the file system of DIRECTORY.
need_space() {
    local free
    free=$(df -Pk -- "$1" | awk 'NR == 2 { print int($4 / 1024) }')
    ((free >= $2)) ||
        refuse "the file system of $1 has $free MiB free, and Plimsoll needs $2 MiB for packages, images and data"
}

# need_start_space ROOT DIRECTORY MEBIBYTES: as need_space for a first start of the clone ROOT, which downloads packages
# and builds the image; a later one has both and needs room for data alone.
need_start_space() {
    local mebibytes=$3
    if [[ -e $1/.venv/plimsoll-stamp ]] && compgen -G "$2/images/plimsoll-bench-*.tar" >/dev/null; then mebibytes=512; fi
    need_space "$2" "$mebibytes"
}

# listening PORT FILE...: true if a socket of FILE (/proc/net/tcp, tcp6) listens on 127.0.0.1:PORT.
listening() {
    local hex table address state
    printf -v hex '%04X' "$1"
    shift
    for table in "$@"; do
        [[ -r $table ]] || continue
        while read -r _ address _ state _; do
            [[ $state == 0A && ${address##*:} == "$hex" ]] || continue
            case ${address%:*} in
            0100007F | 7F000001 | 00000000 | 00000000000000000000000000000000) return 0 ;;
            0000000000000000FFFF00000100007F) return 0 ;;
            esac
        done <"$table"
    done
    return 1
}

need_port() {
    if listening "$1" /proc/net/tcp /proc/net/tcp6; then
        refuse "port $1 on 127.0.0.1 is in use by another program; choose another one with --port"
    fi
}

# hold_lock FILE SENTENCE: keep an exclusive lock on descriptor 9 until this process ends.
hold_lock() {
    exec 9>>"$1"
    flock --nonblock 9 || refuse "$2"
}
