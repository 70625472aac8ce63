#!/bin/sh
# Trains on MNIST with 1, 2 and 4 ranks and shows that every loss has the same bits.
# Usage: examples/same-bits.sh [steps]; needs the examples built (mvn -q -pl examples -am package -DskipTests) and npm.
set -eu
examples=$(dirname "$(readlink -f "$0")")
steps=${1:-200}
classes=$examples/target/classes
if [ ! -d "$classes/org" ]; then
    echo "same-bits.sh: the examples are not built; run mvn -q -pl examples -am package -DskipTests" >&2
    exit 1
fi
digits=$("$examples/get-mnist.sh")
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
for ranks in 1 2 4; do
    "$examples/../bin/mpjrun" -np $ranks -cp "$classes" org.brigade.examples.mnist.MnistTraining "$digits" "$steps" \
        > "$out/$ranks"
    echo "$ranks ranks: $(grep '^step' "$out/$ranks" | tail -n 1); $(tail -n 1 "$out/$ranks")"
done
for ranks in 2 4; do
    if ! cmp -s "$out/1" "$out/$ranks"; then
        echo "same-bits.sh: $ranks ranks differ from 1 rank, first here:" >&2
        diff "$out/1" "$out/$ranks" | head -n 4 >&2
        exit 1
    fi
done
echo "The losses of all $steps steps are bit-identical on 1, 2 and 4 ranks."
