package org.brigade.examples.tutorial;

import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import mpi.MPI;
import mpi.MPIException;
import mpi.concurrent.MpiExecutor;

/** Counts primes by an executor over ranks: rank 0 submits, the others work. */
public final class Primes {
    private static final int LIMIT = 200_000;
    private static final int PART = 1000;

    private Primes() {
    }

    // listing main
    public static void main(String[] args) throws MPIException, InterruptedException, ExecutionException {
        MPI.Init(args);
        MPI.COMM_WORLD.setErrhandler(MPI.ERRORS_RETURN);
        try (MpiExecutor pool = MpiExecutor.over(MPI.COMM_WORLD)) {
            if (pool != null) {
                List<Integer> starts = IntStream.range(0, LIMIT / PART).mapToObj(i -> i * PART).toList();
                List<Long> counts = pool.map(start -> primesFrom(start), starts);
                System.out.println(counts.stream().mapToLong(Long::longValue).sum() + " primes below " + LIMIT);
            }
        }
        MPI.Finalize();
    }

    private static long primesFrom(int start) {
        return IntStream.range(Math.max(2, start), start + PART)
            .filter(n -> IntStream.rangeClosed(2, (int) Math.sqrt(n)).allMatch(divisor -> n % divisor != 0)).count();
    }
    // end
}
