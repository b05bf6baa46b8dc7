# During package installation: no service starts, and PostgreSQL creates no default cluster.
# Existing files are saved and restored, also after a crash. Sourced after progress.bash.
# The entry script sets `root` and `log_dir`. shellcheck does not follow sourcing.
# shellcheck shell=bash disable=SC2154

guard_policy=${PLIMSOLL_POLICY_RC_D:-/usr/sbin/policy-rc.d}
guard_cluster=${PLIMSOLL_CREATECLUSTER_CONF:-/etc/postgresql-common/createcluster.conf}
guard_cluster_default=${PLIMSOLL_CREATECLUSTER_DEFAULT:-/usr/share/postgresql-common/createcluster.conf}
guard_lock=${PLIMSOLL_PACKAGES_LOCK:-/run/lock/plimsoll-packages}
guard_mark='Written by Plimsoll while it installs packages'
guard_descriptor=

# put_in_place FILE MODE: replace FILE by standard input; an existing FILE is saved as FILE.plimsoll-saved.
put_in_place() {
    local new=$1.plimsoll-new
    mkdir -p -- "${1%/*}"
    cat >"$new"
    chmod "$2" "$new"
    if [[ -e $1 || -L $1 ]]; then mv -f -- "$1" "$1.plimsoll-saved"; fi
    mv -f -- "$new" "$1"
}

# put_back FILE: undo put_in_place; does nothing if FILE was not replaced.
put_back() {
    rm -f -- "$1.plimsoll-new"
    if [[ -e $1.plimsoll-saved || -L $1.plimsoll-saved ]]; then
        mv -f -- "$1.plimsoll-saved" "$1"
    elif [[ -f $1 ]] && grep -q "$guard_mark" "$1"; then
        rm -f -- "$1"
    fi
}

is_ours() { [[ -f $1 && ! -e $1.plimsoll-saved ]] && grep -q "$guard_mark" "$1"; }

# guard_take: one installation at a time on a host, because the guards of two would replace each other. The kernel
# releases the lock at the end of the process.
guard_take() {
    [[ -z $guard_descriptor ]] || return 0
    mkdir -p -- "${guard_lock%/*}"
    exec {guard_descriptor}>>"$guard_lock"
    flock --nonblock "$guard_descriptor" && return
    say packages "waiting for another clone of Plimsoll that installs packages on this host ($guard_lock)"
    flock "$guard_descriptor"
}

guard_release() {
    [[ -n $guard_descriptor ]] || return 0
    exec {guard_descriptor}>&-
    guard_descriptor=
}

# guard_close: remove the guard.
guard_close() {
    guard_restore
    guard_release
}

# guard_restore: put the files back. A createcluster.conf that did not exist before becomes the package's default, as
# after any installation.
guard_restore() {
    local was_ours=no
    if is_ours "$guard_cluster"; then was_ours=yes; fi
    put_back "$guard_policy"
    put_back "$guard_cluster"
    [[ $was_ours == yes ]] || return 0
    rm -f -- "$guard_cluster.ucf-dist" "$guard_cluster.dpkg-dist"
    if [[ -f $guard_cluster_default ]]; then cp -- "$guard_cluster_default" "$guard_cluster"; fi
    rmdir -- "${guard_cluster%/*}" 2>/dev/null || true
}

# guard_open: restore the files of a killed installation, then guard until this process ends.
guard_open() {
    guard_take
    guard_restore
    on_exit guard_close
    put_in_place "$guard_policy" 0755 <<EOF
#!/bin/sh
# $guard_mark: nothing may start.
exit 101
EOF
    put_in_place "$guard_cluster" 0644 <<EOF
# $guard_mark: it starts a PostgreSQL of its own under var/.
create_main_cluster = false
EOF
}
