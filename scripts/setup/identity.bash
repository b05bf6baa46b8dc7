# The OpenID Connect provider that the tests start: Dex, built from the versions that scripts/dex locks.
# Sourced after python.bash.
# The entry script sets `root` and `log_dir`. shellcheck does not follow sourcing.
# shellcheck shell=bash disable=SC2154

dex_bin=$root/var/tools/dex/dex

# ensure_dex: the program that scripts/dex/go.mod and go.sum lock; built once, in two to six minutes on two CPUs.
ensure_dex() {
    local go=$root/var/go/bin/go module=$root/scripts/dex path=$root/var/go-path key
    key=$(fingerprint "$module/go.mod" "$module/go.sum" <<<"$root")
    if is_current "${dex_bin%/*}/plimsoll-stamp" "$key"; then return; fi
    ensure_go
    [[ -x $go ]] || go=$(command -v go)
    say dex 'building the OpenID Connect provider of the tests, once'
    mkdir -p "${dex_bin%/*}"
    # shellcheck disable=SC2016 # the parameters are for the inner shell
    must_log dex 'Dex could not be built' bash -c '
        cd "$1" && GOPATH=$2 GOCACHE=$2/cache GOTOOLCHAIN=local CGO_ENABLED=0 \
            GOFLAGS="-modcacherw -mod=readonly -buildvcs=false" "$3" build -ldflags="-s -w" -o "$4" github.com/dexidp/dex/cmd/dex
    ' dex "$module" "$path" "$go" "$dex_bin"
    set_stamp "${dex_bin%/*}/plimsoll-stamp" "$key"
}
