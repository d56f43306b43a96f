# For scripts that source it, with `name` set: runs a Python program with packages in an environment of its own, made on the first run.
say() { echo "$name: $*" >&2; }

# run_in_environment ENVIRONMENT REQUIREMENTS PROGRAM [ARGUMENT ...]
run_in_environment() {
    local venv=$1 requirements=$2 package installed argument
    shift 2
    command -v python3 >/dev/null || { say "python3 not found; install Python 3.10 or newer"; exit 1; }
    for argument in "${@:2}"; do
        case $argument in -h | --help) exec python3 "$1" --help ;; esac
    done
    if ! "$venv/bin/python" -m pip --version >/dev/null 2>&1; then
        say "making $venv (once, about a minute)"
        python3 -m venv "$venv" || { say "no venv module; on Debian: apt install python3-venv"; exit 1; }
    fi
    # One by one: a peer without a package for this machine does not stop the others.
    while read -r package; do
        [ -n "$package" ] || continue
        installed='import sys, importlib.metadata as m; n, v = sys.argv[1].split("=="); sys.exit(m.version(n) != v)'
        if ! "$venv/bin/python" -c "$installed" "$package" 2>/dev/null; then
            say "installing $package"
            "$venv/bin/pip" install --quiet --disable-pip-version-check --only-binary :all: "$package" >&2 ||
                say "could not install $package (is there a network, and a package for this Python?); going on without it"
        fi
    done <"$requirements"
    exec "$venv/bin/python" "$@"
}
