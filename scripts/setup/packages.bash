# Lists and installs the missing packages of the host. Sourced after guard.bash.
# The entry script sets `root` and `log_dir`. shellcheck does not follow sourcing.
# shellcheck shell=bash disable=SC2154

export PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin

unfinished=no
lists_read=no
announced=no

have() { command -v "$1" >/dev/null; }

# find_python: the first Python of 3.11 or newer that can make virtual environments.
find_python() {
    local candidate
    for candidate in /usr/bin/python3 python3 python3.14 python3.13 python3.12 python3.11; do
        if have "$candidate" && "$candidate" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            command -v "$candidate"
            return
        fi
    done
    return 1
}

have_postgres() { compgen -G '/usr/lib/postgresql/*/bin/postgres' >/dev/null; }

have_engine() { have dockerd && have containerd && have containerd-shim-runc-v2 && have runc && have docker-proxy; }

# Docker's containerd.io and Debian's containerd exclude each other: use the installed family.
engine_package() {
    if dpkg-query -W -f '${db:Status-Status}' containerd.io 2>/dev/null | grep -qx installed; then
        echo docker-ce
    else
        echo docker.io
    fi
}

needs_apparmor() { [[ $(cat /sys/module/apparmor/parameters/enabled 2>/dev/null) == Y ]] && ! have apparmor_parser; }

# missing_packages [tests|image|worker]: the names for apt, one per line; installed tools are not replaced.
missing_packages() {
    find_python >/dev/null || printf '%s\n' python3 python3-venv
    if [[ ${1:-} != image && ${1:-} != worker ]]; then
        have_postgres || echo postgresql
        have redis-server || echo redis-server
    fi
    have_engine || engine_package
    if [[ ${1:-} == image ]]; then
        # An image may be started on another host than the one that builds it.
        have apparmor_parser || echo apparmor
        [[ -f /etc/ssl/certs/ca-certificates.crt ]] || echo ca-certificates
        have curl || echo curl
        have nginx || echo nginx
        have pg_dump || echo postgresql-client
    elif needs_apparmor; then
        echo apparmor
    fi
    have iptables || echo iptables
    have ip || echo iproute2
    if ! { have nsenter && have unshare && have setpriv && have flock; }; then echo util-linux; fi
    have mount || echo mount
    have modprobe || echo kmod
    have mmdebstrap || echo mmdebstrap
    [[ -f /usr/share/keyrings/debian-archive-keyring.gpg ]] || echo debian-archive-keyring
    # CPU profiles of cells; other distributions name the package after their kernel.
    if [[ ${1:-} != image ]] && grep -qs '^ID=debian' /etc/os-release; then
        have perf || echo linux-perf
    fi
    if [[ ${1:-} == worker ]]; then return; fi
    # Pictures are drawn on the server: DejaVu for Latin, and 2 MB of Han so that no label is boxes.
    [[ -d /usr/share/fonts/truetype/dejavu ]] || echo fonts-dejavu-core
    [[ -d /usr/share/fonts/truetype/droid ]] || echo fonts-droid-fallback
    if [[ ${1:-} == tests ]]; then
        have chromium || have google-chrome || echo chromium
    fi
}

# new_units PACKAGE...: the systemd units and init scripts of these packages.
new_units() {
    dpkg-query -L "$@" 2>/dev/null |
        sed -nE 's#^(/usr)?/lib/systemd/system/([^/@]+\.(service|socket|timer))$#\2#p; s#^/etc/init\.d/([^/]+)$#init:\1#p' |
        sort -u
}

# keep_disabled PACKAGE...: disable the units of these new packages at boot.
keep_disabled() {
    local unit
    while read -r unit; do
        case $unit in
        init:*) update-rc.d "${unit#init:}" disable ;;
        # Outside a package's own script the helper asks for this variable.
        *) DPKG_MAINTSCRIPT_PACKAGE=plimsoll deb-systemd-helper disable "$unit" ;;
        esac
    done < <(new_units "$@") >>"$log_dir/packages-disable.log" 2>&1 || true
    if [[ -d /run/systemd/system ]] && have systemctl; then systemctl daemon-reload || true; fi
}

apt_get() {
    NEEDRESTART_SUSPEND=1 DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=300 \
        -o Dpkg::Options::=--force-confdef -o Dpkg::Options::=--force-confold \
        --no-install-recommends --no-remove "$@"
}
export -f apt_get

# simulate PACKAGE...: the new packages that apt would install, one "name version" per line.
simulate() { apt_get --simulate install "$@" | sed -nE 's/^Inst ([^ ]+) \(([^ ]+).*/\1 \2/p'; }

# refuse_plan PACKAGE...: print why apt cannot install them; apt-get update succeeds without a network.
refuse_plan() {
    if grep -q 'Failed to fetch' "$log_dir/packages-update.log"; then
        refuse "the package lists could not be fetched, so nothing was installed; see $log_dir/packages-update.log"
    fi
    refuse "apt cannot install $*: $(grep -m 1 '^E:' "$log_dir/packages-plan.log" | cut -c 4-)"
}

announce() {
    say packages "missing: $*"
    say '' 'Installing starts no service, enables none for the next boot, and removes no package.'
    say '' "Untouched: the host's own Docker, databases, networks, firewall rules and configuration."
    say '' 'nginx, haproxy and the measuring tools go into the image, not onto the host.'
}

# What the Python environment and the build of the image need; both take longer than the other packages.
first_packages='python3 python3-venv mmdebstrap debian-archive-keyring util-linux mount'

# install_first_packages [tests|image|worker]: of the missing packages those of first_packages, so that the other
# parts may begin beside install_packages, which installs the rest.
install_first_packages() {
    local missing=() first=() name
    mapfile -t missing < <(missing_packages "${1:-}")
    for name in "${missing[@]}"; do
        if [[ " $first_packages " == *" $name "* ]]; then first+=("$name"); fi
    done
    ((${#first[@]} == 0)) || install_named packages-first "${missing[*]}" "${first[@]}"
}

# install_packages [tests|image|worker]: install the missing packages, if any.
install_packages() {
    local missing=() name
    mapfile -t missing < <(missing_packages "${1:-}")
    if ((${#missing[@]} == 0)); then
        [[ $announced == yes ]] || say packages 'all installed'
        return
    fi
    install_named packages-install "${missing[*]}" "${missing[@]}"
    mapfile -t missing < <(missing_packages "${1:-}")
    for name in "${missing[@]}"; do
        refuse "the packages are installed, but the files of $name are missing"
    done
    say packages "installed; the log is $log_dir/packages-install.log"
}

# not_installed PACKAGE...: those that dpkg does not have, one per line; another clone may have installed some meanwhile.
not_installed() {
    local name
    for name in "$@"; do
        dpkg-query -W -f '${db:Status-Status}' "$name" 2>/dev/null | grep -qx installed || printf '%s\n' "$name"
    done
}

# install_named LOG ANNOUNCED PACKAGE...: install these packages; ANNOUNCED are all that this script will install.
install_named() {
    local log=$1 all=$2 missing=("${@:3}") planned=()
    have apt-get || refuse "these packages are missing, and this host has no apt-get to install them: $all"
    # shellcheck disable=SC2086 # several names
    [[ $announced == yes ]] || announce $all
    announced=yes
    guard_open
    repair_dpkg
    mapfile -t missing < <(not_installed "${missing[@]}")
    if ((${#missing[@]} == 0)); then
        guard_close
        return
    fi
    if [[ $lists_read == no ]]; then
        must_log packages-update 'the package lists could not be read from the network' bash -c 'apt_get update'
        lists_read=yes
    fi
    mapfile -t planned < <(simulate "${missing[@]}" 2>"$log_dir/packages-plan.log")
    ((${#planned[@]} > 0)) || refuse_plan "${missing[@]}"
    say packages "installing ${#planned[@]} packages:"
    printf '%s\n' "${planned[@]}" | sed 's/ /=/' | paste -sd ' ' | fold -s -w 100 | sed 's/^/                   /'
    mapfile -t planned < <(printf '%s\n' "${planned[@]}" | cut -d ' ' -f 1)
    unfinished=yes
    on_exit finish_installation "${planned[@]}"
    # shellcheck disable=SC2016 # "$@" is for the inner shell
    must_log "$log" 'the packages could not be installed' bash -c 'apt_get install "$@"' apt "${missing[@]}"
    finish_installation "${planned[@]}"
    guard_close
    printf '%s\n' "${planned[@]}" >>"$log_dir/installed-packages"
}

# finish_installation PACKAGE...: configure the packages that an interrupted apt had unpacked, under the
# guard, and disable their units. Idempotent.
finish_installation() {
    [[ $unfinished == yes ]] || return 0
    unfinished=no
    if [[ -n $(dpkg --audit) ]]; then
        say packages 'configuring the packages that apt had unpacked'
        DEBIAN_FRONTEND=noninteractive dpkg --configure -a >>"$log_dir/packages-repair.log" 2>&1 || true
    fi
    keep_disabled "$@"
}

# repair_dpkg: finish what an interrupted installation left half-configured.
repair_dpkg() {
    [[ -z $(dpkg --audit) ]] ||
        must_log packages-repair 'dpkg cannot finish an earlier installation' \
            env DEBIAN_FRONTEND=noninteractive dpkg --configure -a
}
