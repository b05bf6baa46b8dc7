# Breaking changes of the REST API's description since the last release, found by oasdiff.
# Sourced after python.bash. See scripts/oasdiff.
# The entry script sets `root` and `log_dir`. shellcheck does not follow sourcing.
# shellcheck shell=bash disable=SC2154

oasdiff_bin=$root/var/tools/oasdiff/oasdiff
released_openapi=$root/scripts/oasdiff/released.json

# ensure_oasdiff: the program that scripts/oasdiff/go.mod and go.sum lock, in about a minute.
ensure_oasdiff() {
    ensure_go_program github.com/oasdiff/oasdiff "$root/scripts/oasdiff" "$oasdiff_bin"
}

# openapi_unbroken [FILE [RELEASED]]: fail with one line for each breaking change from the released document to FILE.
openapi_unbroken() {
    ensure_oasdiff || return 1
    "$oasdiff_bin" breaking --fail-on ERR --color never --format singleline \
        --severity-levels "$root/scripts/oasdiff/severity.txt" --err-ignore "$root/scripts/oasdiff/accepted.txt" \
        "${2:-$released_openapi}" "${1:-$root/docs/openapi.json}"
}
