package org.brigade.cli.bench;

import java.util.Arrays;
import mpi.Intracomm;
import mpi.MPIException;
import org.brigade.cli.bench.families.FamilyCall;
import org.brigade.cli.bench.families.FamilyOperation;
import org.brigade.cli.bench.timing.Timing;

/** Times an operation that is neither a message nor a collective, as mpi_families.h does. */
final class FamilyTimes implements TimedCalls {
    private final FamilyOperation operation;
    private final FamilyCall call;
    private final Timing timing;

    FamilyTimes(Intracomm world, FamilyOperation operation, int bytes, boolean direct) throws MPIException {
        this.operation = operation;
        call = operation.make(world, bytes, direct);
        timing = new Timing(world);
    }

    @Override
    public int bytes() {
        return call.bytes();
    }

    @Override
    public String algorithm() {
        return operation.key();
    }

    @Override
    public double time(int iterations) throws MPIException {
        if (operation.timed() == FamilyOperation.Timed.TOGETHER) {
            return Arrays.stream(timing.each(call::prepare, call::call, iterations)).sum() / iterations;
        }
        long start = System.nanoTime();
        for (int i = 0; i < iterations; i++) {
            call.call();
        }
        double each = (System.nanoTime() - start) / (double) iterations;
        return operation.timed() == FamilyOperation.Timed.EXCHANGE ? each / 2 : each;
    }

    @Override
    public void close() throws MPIException {
        call.close();
    }
}
