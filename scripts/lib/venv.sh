# Sourced by the scripts: makes .venv and installs the package into it, again only when its metadata changed.

ensure_venv() {
    python=${PYTHON:-}
    if [ -z "$python" ]; then
        for candidate in python3 python3.14 python3.13 python3.12 python3.11; do
            if command -v "$candidate" >/dev/null 2>&1 &&
                "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then
                python=$candidate
                break
            fi
        done
    fi
    if [ -z "$python" ]; then
        echo "consolidate needs Python 3.11 or newer on the PATH (or name one in \$PYTHON)." >&2
        exit 2
    fi
    stamp=$(cat pyproject.toml consolidate/__init__.py scripts/lib/venv.sh | cksum)-$1
    if [ "$(cat .venv/stamp 2>/dev/null)" = "$stamp" ] && .venv/bin/python -c 'import consolidate' 2>/dev/null; then
        return
    fi
    .venv/bin/python -c '' 2>/dev/null || { rm -rf .venv && "$python" -m venv .venv; }
    echo "Installing into .venv …"
    .venv/bin/python -m pip install --quiet --disable-pip-version-check --upgrade 'pip>=25.1'
    set -- "$1" --quiet --disable-pip-version-check --editable .
    if [ "$1" = dev ]; then
        set -- "$@" --group dev
    fi
    shift
    .venv/bin/python -m pip install "$@"
    echo "$stamp" >.venv/stamp
}
