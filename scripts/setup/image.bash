# The image of servers and tools, made of Debian's packages by the host's own Python. Sourced after packages.bash.
# The entry script sets `root` and `log_dir`. shellcheck does not follow sourcing.
# shellcheck shell=bash disable=SC2154

# ensure_image FOLDER: the image's archive below FOLDER/images. It fails where Debian's packages cannot make it.
ensure_image() {
    if [[ -n $in_part ]]; then ln -sfn -- "$1/images/build.log" "$log_dir/parts/$in_part.log"; fi
    run_apart env --chdir="$root" PYTHONDONTWRITEBYTECODE=1 \
        "$(find_python)" -m worker.images.early --var "$1" --elapsed "$SECONDS"
}

# begin_image FOLDER: as ensure_image, where a failure is left to the worker, which may ask a registry, too.
begin_image() {
    ensure_image "$1" || say image 'it could not be made yet; the worker tries again'
}
