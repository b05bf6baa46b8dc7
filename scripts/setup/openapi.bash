# Breaking changes of the REST API's description since the last release, found by oasdiff.
# Sourced after python.bash. See scripts/oasdiff.
# The entry script sets `root` and `log_dir`. shellcheck does not follow sourcing.
# shellcheck shell=bash disable=SC2154

oasdiff_bin=$root/var/tools/oasdiff/oasdiff
released_openapi=$root/scripts/oasdiff/released.json

# ensure_oasdiff: the program that scripts/oasdiff/go.mod and go.sum lock; built once, in about a minute.
ensure_oasdiff() {
    local go=$root/var/go/bin/go module=$root/scripts/oasdiff path=$root/var/go-path key
    key=$(fingerprint "$module/go.mod" "$module/go.sum" <<<"$root")
    if is_current "${oasdiff_bin%/*}/plimsoll-stamp" "$key"; then return; fi
    ensure_go
    [[ -x $go ]] || go=$(command -v go)
    echo 'building oasdiff, once'
    mkdir -p "${oasdiff_bin%/*}"
    # GOPATH and GOCACHE are those of tests/live/go.py.
    (cd "$module" && GOPATH=$path GOCACHE=$path/cache GOTOOLCHAIN=local \
        GOFLAGS='-modcacherw -mod=readonly -buildvcs=false' "$go" build -o "$oasdiff_bin" github.com/oasdiff/oasdiff)
    set_stamp "${oasdiff_bin%/*}/plimsoll-stamp" "$key"
}

# openapi_unbroken [FILE [RELEASED]]: fail with one line for each breaking change from the released document to FILE.
openapi_unbroken() {
    ensure_oasdiff || return 1
    "$oasdiff_bin" breaking --fail-on ERR --color never --format singleline \
        --severity-levels "$root/scripts/oasdiff/severity.txt" \
        "${2:-$released_openapi}" "${1:-$root/docs/openapi.json}"
}
