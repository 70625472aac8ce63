#!/bin/sh
# Compiles the kernels of the training example into the resource that it loads: machine code for sm_80 and sm_90, and
# PTX that any driver from CUDA 11 on turns into code for all else. For developers only: the result is in the tree, and
# a test says when it is older than the source. Needs nvcc, from CUDA 11.8 to 13.
set -eu
examples=$(dirname "$(readlink -f "$0")")
source=$examples/src/main/cuda/training.cu
resources=$examples/src/main/resources/org/brigade/examples/gpu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for arch in 80 90; do
    nvcc -cubin -arch=sm_$arch -o "$work/$arch.cubin" "$source"
done
nvcc -ptx -arch=compute_75 -o "$work/new.ptx" "$source"
# A driver refuses PTX of a language version newer than itself, and nothing here is newer than 6.4.
sed 's/^\.version .*/.version 6.4/' "$work/new.ptx" > "$work/75.ptx"
ptxas -arch=sm_75 -o /dev/null "$work/75.ptx"
mkdir -p "$resources"
fatbinary --create="$resources/training.fatbin" -64 --compress-mode=size \
    --image3=kind=ptx,sm=75,file="$work/75.ptx" --image3=kind=elf,sm=80,file="$work/80.cubin" \
        --image3=kind=elf,sm=90,file="$work/90.cubin"
sha256sum "$source" | cut -d ' ' -f 1 > "$resources/training.sha256"
echo "$resources/training.fatbin: $(wc -c < "$resources/training.fatbin") bytes"
