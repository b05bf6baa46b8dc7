# The Python environment of uv.lock, from the package index that this machine is configured for.
# Sourced after packages.bash. See docs/decisions/0001-lock-without-hosts.md.
# The entry script sets `root` and `log_dir`. shellcheck does not follow sourcing.
# shellcheck shell=bash disable=SC2154

uv_version=0.13.8
uv_bin=$root/var/tools/bin/uv

# Use the system's certificates and pip settings for uv, npm and node, too.
use_system_certificates() {
    local bundle=/etc/ssl/certs/ca-certificates.crt
    [[ -f $bundle ]] || return 0
    export PIP_CERT=${PIP_CERT:-$bundle} NODE_EXTRA_CA_CERTS=${NODE_EXTRA_CA_CERTS:-$bundle}
    export UV_SYSTEM_CERTS=${UV_SYSTEM_CERTS:-true}
}

use_pip_index() {
    local index
    [[ -z ${UV_DEFAULT_INDEX:-}${UV_INDEX_URL:-} ]] || return 0
    index=$("${uv_bin%/uv}/pip" config get global.index-url 2>/dev/null || true)
    index=${PIP_INDEX_URL:-$index}
    if [[ -n $index ]]; then export UV_DEFAULT_INDEX=$index; fi
}

ensure_uv() {
    local python=$1
    if [[ -x $uv_bin && $("$uv_bin" --version) == "uv $uv_version "* ]]; then return; fi
    rm -rf -- "$root/var/tools"
    # shellcheck disable=SC2016 # the parameters are for the inner shell
    must_log uv 'the tool uv could not be installed' bash -c '
        set -e
        "$1" -m venv "$2"
        "$2/bin/pip" install --disable-pip-version-check "uv==$3"
    ' uv "$python" "$root/var/tools" "$uv_version"
}

# ensure_venv: .venv has exactly the packages of uv.lock, checked by hash.
ensure_venv() {
    local python key requirements=$root/var/requirements.txt
    python=$(find_python) || refuse 'Plimsoll needs Python 3.11 or newer, which this distribution does not have'
    key=$(fingerprint "$root/uv.lock" "$root/pyproject.toml" <<<"$("$python" -VV) $root $uv_version")
    if is_current "$root/.venv/plimsoll-stamp" "$key"; then
        say python 'current'
        return
    fi
    say python 'installing the packages of uv.lock into .venv'
    use_system_certificates
    ensure_uv "$python"
    use_pip_index
    export UV_PYTHON_DOWNLOADS=never UV_LINK_MODE=${UV_LINK_MODE:-copy} VIRTUAL_ENV=$root/.venv
    # shellcheck disable=SC2016 # the parameters are for the inner shell
    must_log python 'the Python packages could not be installed' bash -c '
        set -e
        cd "$2"
        rm -f .venv/plimsoll-stamp
        [[ -x .venv/bin/python ]] || "$1" venv --python "$3" .venv
        "$1" export --quiet --frozen --all-groups --no-group go --no-emit-project --format requirements-txt --output-file "$4"
        "$1" pip sync --require-hashes --compile-bytecode "$4"
        "$1" pip install --no-deps --no-build-isolation -e .
    ' python "$uv_bin" "$root" "$python" "$requirements"
    set_stamp "$root/.venv/plimsoll-stamp" "$key"
}

# go_is_enough: the machine's Go is new enough for the module of the live tests' benchstat.
go_is_enough() {
    have go && (cd "$root/tests/live/benchstat" && GOTOOLCHAIN=local GOFLAGS='' go list -m >/dev/null 2>&1)
}

# ensure_go: a Go for that module: the machine's, else the locked one in var/go.
ensure_go() {
    local key requirements=$root/var/requirements-go.txt
    if go_is_enough; then return; fi
    key=$(fingerprint "$root/uv.lock" "$root/pyproject.toml" <<<"$root $uv_version")
    if ! is_current "$root/var/go/plimsoll-stamp" "$key"; then
        say go 'installing the Go of uv.lock into var/go'
        use_system_certificates
        ensure_uv "$(find_python)"
        use_pip_index
        # shellcheck disable=SC2016 # the parameters are for the inner shell
        must_log go 'Go could not be installed' bash -c '
            set -e
            cd "$2"
            rm -rf var/go
            "$1" export --quiet --frozen --only-group go --format requirements-txt --output-file "$4"
            "$1" venv --quiet --python "$3" var/go
            VIRTUAL_ENV=$2/var/go "$1" pip sync --require-hashes "$4"
        ' go "$uv_bin" "$root" "$(find_python)" "$requirements"
        set_stamp "$root/var/go/plimsoll-stamp" "$key"
    fi
}
