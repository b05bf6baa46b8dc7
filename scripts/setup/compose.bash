# Docker Compose for the live test of compose.yaml, of Debian's package. Sourced after packages.bash.
# The entry script sets `root`. shellcheck does not follow sourcing.
# shellcheck shell=bash disable=SC2154

compose_bin=$root/var/tools/compose/docker-compose

# ensure_compose: Debian 13's docker-compose, extracted; Debian 12's is too old for compose.yaml. apt checks the
# archive's signature, so no checksum is kept here.
ensure_compose() {
    local folder=${compose_bin%/*}
    [[ ! -x $compose_bin ]] || return 0
    say compose 'extracting Docker Compose from a package of Debian 13'
    rm -rf -- "$folder"
    mkdir -p "$folder"
    must_log compose 'Docker Compose could not be extracted' mmdebstrap --variant=extract --include=docker-compose trixie "$folder/tree"
    mv -- "$folder/tree/usr/libexec/docker/cli-plugins/docker-compose" "$compose_bin"
    rm -rf -- "$folder/tree"
}
