#!/bin/bash
#SBATCH --job-name=brigade-pi
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=4
#SBATCH --cpus-per-task=1
#SBATCH --time=00:10:00
# Brigade under Slurm: sbatch examples/clusters/slurm.sh, from Brigade's directory, which all nodes must see. Load what
# the site has, for instance
#   module load java/17 openmpi
set -eu
cd "$SLURM_SUBMIT_DIR"

# Open MPI and MPICH find the nodes of a Slurm job by themselves. --bind-to none (Open MPI): a JVM's compiler needs a
# core beside its rank's.
if mpirun --version 2>&1 | grep -q 'Open MPI'; then
    mpirun --bind-to none bin/mpjava -Xmx1g -cp examples/target/classes org.brigade.examples.Pi
else
    mpirun bin/mpjava -Xmx1g -cp examples/target/classes org.brigade.examples.Pi
fi

# The same by srun, if it serves this MPI; "srun --mpi=list" says which it knows: pmix for Open MPI, pmi2 for MPICH.
#   srun --mpi=pmix --kill-on-bad-exit=1 --cpu-bind=none bin/mpjava -Xmx1g -cp examples/target/classes
#   org.brigade.examples.Pi
