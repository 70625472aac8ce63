#!/bin/bash
#PBS -N brigade-pi
#PBS -l select=2:ncpus=4:mpiprocs=4
#PBS -l place=scatter
#PBS -l walltime=00:10:00
#PBS -j oe
# Brigade under PBS Professional or OpenPBS: qsub examples/clusters/pbs.sh, from Brigade's directory, which all nodes
# must see. Load what the site has, for instance
#   module load java/17 openmpi
set -eu
cd "$PBS_O_WORKDIR"

# An Open MPI that was built with PBS's library needs no hostfile; with one it does no harm. It has a line for each
# rank.
ranks=$(wc -l < "$PBS_NODEFILE")
if mpirun --version 2>&1 | grep -q 'Open MPI'; then
    mpirun -np "$ranks" --hostfile "$PBS_NODEFILE" --bind-to none \
        bin/mpjava -Xmx1g -cp examples/target/classes org.brigade.examples.Pi
else
    mpirun -n "$ranks" -f "$PBS_NODEFILE" bin/mpjava -Xmx1g -cp examples/target/classes org.brigade.examples.Pi
fi
