#!/bin/sh
# Makes the virtual environment .venv from requirements.lock, unless it is there and up to date.
#
# The file .venv/complete is written after the dependencies and records what they were installed from. Where it
# is missing, the set-up was interrupted; where it differs, the lock, the interpreter or the place of the project
# has changed. In either case the environment is made anew. The file .venv/installed does the same for the project
# itself and pyproject.toml, which costs a second to install again and needs no network.
#
# PYTHON names the interpreter to use, if it is not to be the first suitable one:  PYTHON=python3.12 make run
set -u
cd "$(dirname "$0")" || exit 1

venv=.venv

say() { printf '==> %s\n' "$*"; }

fail() {
    printf '\nhornblower cannot be set up: %s\n' "$1" >&2
    shift
    printf '    %s\n' "$@" >&2
    exit 1
}

is_suitable() { "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; }

# The interpreter behind an activated virtual environment, because that environment may be the one to replace.
base_interpreter() { "$1" -c 'import sys; print(sys._base_executable)'; }

find_python() {
    for candidate in ${PYTHON:-python3 python3.13 python3.12 python3.11}; do
        if is_suitable "$candidate"; then
            python=$(base_interpreter "$candidate")
            return
        fi
    done
    explain_missing_python
}

explain_missing_python() {
    wanted=${PYTHON:-python3}
    if ! command -v "$wanted" >/dev/null 2>&1; then
        fail "there is no $wanted on this machine, and Python 3.11 or newer is needed." \
            "On Debian or Ubuntu, as root:  apt-get install python3 python3-venv"
    fi
    fail "$wanted is $("$wanted" --version 2>&1), and Python 3.11 or newer is needed." \
        "Debian 12 and Ubuntu 24.04 have it; there, as root:  apt-get install python3 python3-venv" \
        "If a newer Python is installed under another name:  PYTHON=/path/to/python3.12 make run"
}

require_venv_module() {
    "$python" -c 'import ensurepip, venv' 2>/dev/null && return
    version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
    fail "$python cannot make virtual environments (its module venv or ensurepip is missing)." \
        "On Debian or Ubuntu, as root:  apt-get install python3-venv" \
        "If this Python is not the system's own:  apt-get install python$version-venv"
}

environment_mark() { { pwd -P; "$python" -VV; cat requirements.lock; } | cksum; }

project_mark() { cksum <pyproject.toml; }

is_environment_complete() {
    [ "$(cat "$venv/complete" 2>/dev/null)" = "$(environment_mark)" ] && "$venv/bin/python" -c '' 2>/dev/null
}

is_project_installed() {
    [ "$(cat "$venv/installed" 2>/dev/null)" = "$(project_mark)" ] && [ -x "$venv/bin/hornblower" ]
}

make_venv() {
    if [ -e "$venv" ]; then
        say "Removing the old or unfinished environment $venv"
        rm -rf "$venv" || fail "$venv cannot be removed." "See who owns it:  ls -ld $venv"
    fi
    say "Making the environment $venv with $("$python" --version) ($python)"
    "$python" -m venv "$venv" ||
        fail "the environment could not be made; the lines above say why." \
            "On Debian or Ubuntu, as root:  apt-get install python3-venv" \
            "If the disk is full:  df -h ."
}

pip_install() { "$venv/bin/python" -m pip install --quiet --no-input --disable-pip-version-check "$@"; }

# Only ready-made packages: building a solver from its sources would take an hour and a C++ compiler.
install_dependencies() {
    say "Installing $(grep -c '==' requirements.lock) packages, checked against requirements.lock (a minute or two)"
    pip_install --require-hashes --only-binary :all: -r requirements.lock ||
        fail "pip could not install the dependencies; its lines above say why." \
            "No network, or a proxy:      export HTTPS_PROXY=http://your.proxy:port" \
            "A package index of your own: export PIP_INDEX_URL=https://your.index/simple" \
            "A full disk:                 df -h ." \
            "'No matching distribution' although the network works: the solvers exist ready-made for Linux on" \
            "    x86_64 (glibc 2.28 or newer) and aarch64 (glibc 2.38 or newer, as in Debian 13); see:  ldd --version" \
            "Then type the same make command again."
}

install_project() {
    say "Installing hornblower itself"
    pip_install --no-deps --no-build-isolation --editable . ||
        fail "pip could not install the project; its lines above say why." \
            "If you changed pyproject.toml:  git diff pyproject.toml"
}

find_python
if is_environment_complete && is_project_installed; then
    say "The environment $venv is up to date"
    exit 0
fi
if ! is_environment_complete; then
    require_venv_module
    make_venv
    install_dependencies
    environment_mark >"$venv/complete" || exit 1
fi
install_project
project_mark >"$venv/installed" || exit 1
say "The environment $venv is ready"
