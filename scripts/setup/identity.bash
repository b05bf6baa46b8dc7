# The OpenID Connect provider that the tests start: Dex, built from the versions that scripts/dex locks.
# Sourced after python.bash.
# The entry script sets `root` and `log_dir`. shellcheck does not follow sourcing.
# shellcheck shell=bash disable=SC2154

dex_bin=$root/var/tools/dex/dex

# ensure_dex: the program that scripts/dex/go.mod and go.sum lock, in two to six minutes on two CPUs.
ensure_dex() {
    ensure_go_program github.com/dexidp/dex/cmd/dex "$root/scripts/dex" "$dex_bin"
}
