package org.brigade.cli.verify;

import java.util.ArrayList;
import java.util.List;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Op;
import mpi.spi.Collective;
import mpi.spi.Communicator;
import mpi.spi.DeviceBuffer;
import org.brigade.algorithm.Algorithm;
import org.brigade.algorithm.WireUse;
import org.brigade.assembly.Parts;
import org.brigade.cli.device.CudaMemory;
import org.brigade.cli.device.QueuedCalls;
import org.brigade.cli.device.TrialMemory;
import org.brigade.cli.shared.CollectiveName;
import org.brigade.cli.shared.UserCall;
import org.brigade.communicator.call.Diagnostics;
import org.brigade.device.DeviceCommunicator;
import org.brigade.select.MemorySpace;
import org.brigade.select.Settings;
import org.brigade.transport.cuda.driver.CudaDriver;
import org.brigade.verify.SampleCall;

/**
 * The program of every rank of {@code brigade verify --space device}. Any launcher can start it: {@code mpjrun -np 4
 * org.brigade.cli.verify.VerifyRank}. It calls all collectives on memory of this rank's GPU (its rank on the node
 * modulo the GPUs), by the table and by every algorithm that may run. It tries a count of 0 and odd counts, buffers
 * aligned to an item only, calls in place, and all operations on all types. Rank 0 prints a line for each collective.
 * The exit code is 1 if a result was wrong on any rank.
 */
public final class VerifyRank {
    private static final int[] COUNTS = {0, 1, 7, 1000, 4099, 65_536, 300_001};
    private static final int[] FEW_COUNTS = {1, 1000, 65_536};
    /** A brief run tries only every STRIDE-th combination of type and operation. */
    private static final int STRIDE = 5;
    /** The count for combinations of type and operation that are not tried at all counts. */
    private static final int FEW = 37;
    private static final int MOST_SHOWN = 10;

    private final MemorySpace space;
    private final Intracomm world = MPI.COMM_WORLD;
    private final int rank = world.getRank();
    private final int ranks = world.getSize();
    private final String onlyAlgorithm;
    private final boolean brief;
    private final TrialMemory send;
    private final TrialMemory recv;
    /** Whether kernels can reach the memory of all ranks; else calls on device memory are staged, also forced ones. */
    private final boolean kernels;
    /** Bytes of each of the two memories. */
    private final long bytes;
    private int seed;
    private int trials;
    private int wrong;
    private int shown;

    private VerifyRank(MemorySpace space, String onlyAlgorithm, boolean brief) throws MPIException {
        this.space = space;
        this.onlyAlgorithm = onlyAlgorithm;
        this.brief = brief;
        bytes = Trial.memory(ranks, (COUNTS[COUNTS.length - 1] + 4L) * 4);
        send = space == MemorySpace.DEVICE ? CudaMemory.allocate(bytes) : TrialMemory.host(bytes);
        recv = space == MemorySpace.DEVICE ? CudaMemory.allocate(bytes) : TrialMemory.host(bytes);
        kernels = space == MemorySpace.DEVICE && hasKernels();
    }

    /** Asks all ranks, on a communicator of its own, which then takes its memory with it. */
    private boolean hasKernels() throws MPIException {
        Intracomm comm = world.dup();
        try {
            DeviceCommunicator devices = (DeviceCommunicator) comm.unwrap(Communicator.class);
            return devices.deviceGroup((DeviceBuffer) devices.devices().underlying(send.at(0))) != null;
        } finally {
            comm.free();
        }
    }

    /**
     * Arguments, all with a default: GPUs to use (0: all), collective or {@code all}, algorithm or {@code all},
     * {@code device} or {@code host}, {@code thorough} or {@code brief} (a few calls of each kind).
     */
    public static void main(String[] arguments) throws MPIException {
        MPI.Init(arguments);
        int gpus = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 0;
        Collective only =
            arguments.length > 1 && !arguments[1].equals("all") ? new CollectiveName().convert(arguments[1]) : null;
        String algorithm = arguments.length > 2 && !arguments[2].equals("all") ? arguments[2] : null;
        MemorySpace space = arguments.length > 3 && arguments[3].equals("host") ? MemorySpace.HOST : MemorySpace.DEVICE;
        if (space == MemorySpace.DEVICE) {
            selectGpu(gpus);
        }
        VerifyRank verify = new VerifyRank(space, algorithm, arguments.length > 4 && arguments[4].equals("brief"));
        int wrong = 0;
        if (space == MemorySpace.DEVICE && !verify.kernels && MPI.COMM_WORLD.getRank() == 0) {
            System.out.println("no kernels, as not all ranks can reach each other's GPUs: all calls are staged");
        }
        int done = 0;
        for (Collective collective : Collective.values()) {
            if (collective != Collective.BARRIER && (only == null || only == collective)) {
                wrong += verify.collective(collective);
            }
            if (MPI.COMM_WORLD.getRank() == 0 && space == MemorySpace.DEVICE) {
                System.out.println("progress " + ++done + " " + Collective.values().length); // moves the command's bar
            }
        }
        verify.send.close();
        verify.recv.close();
        if (MPI.COMM_WORLD.getRank() == 0) {
            System.out.println(verify.trials + " calls on " + MPI.COMM_WORLD.getSize() + " ranks, " + wrong
                + " wrong results" + (wrong == 0 ? "" : " of " + verify.trials * MPI.COMM_WORLD.getSize()));
        }
        MPI.Finalize();
        if (wrong > 0) {
            System.exit(1);
        }
    }

    /** Makes this rank's GPU current: its rank on the node modulo the number of GPUs. */
    public static void selectGpu(int most) throws MPIException {
        selectGpu(most, Parts.load().bootstrap().job().localRank());
    }

    /** The same by another number than the one on this rank's node. */
    public static void selectGpu(int most, int number) {
        String missing = CudaDriver.missing();
        if (missing != null) {
            throw new IllegalStateException("no device memory: " + missing);
        }
        int gpus = CudaDriver.devices();
        CudaMemory.select(number % (most > 0 ? Math.min(most, gpus) : gpus));
    }

    /** Tries one collective. Returns the wrong results on all ranks together. */
    private int collective(Collective collective) throws MPIException {
        StringBuilder line = new StringBuilder();
        int before = wrong;
        if (onlyAlgorithm == null || onlyAlgorithm.equals("table")) {
            line.append("by table ").append(by(collective, null));
        }
        for (Algorithm algorithm : space.of(collective)) {
            boolean asked = onlyAlgorithm == null
                ? algorithm.wireUse() != WireUse.NETWORK || Settings.ofThisProcess().get("aggregation") != null
                : onlyAlgorithm.equals(algorithm.name());
            boolean runs = !algorithm.launched() || kernels;
            if (asked && runs && algorithm.restrictions().violatedBy(ranks, 0, true) == null) {
                line.append(line.isEmpty() ? "" : ", ").append(algorithm.name()).append(' ')
                    .append(by(collective, algorithm));
            }
        }
        if (space == MemorySpace.DEVICE && QueuedCalls.serve(collective)
            && (onlyAlgorithm == null || onlyAlgorithm.equals("table"))) {
            line.append(", on a stream ").append(onAStream(collective, false, false)).append(", registered ")
                .append(onAStream(collective, true, false))
                .append(", in a graph ").append(onAStream(collective, true, true));
        }
        int[] sum = new int[1];
        world.allReduce(new int[] {wrong - before}, sum, 1, MPI.INT, MPI.SUM);
        if (rank == 0 && !line.isEmpty()) {
            System.out.printf("%-20s%s: %s%n", collective.key(), line, sum[0] == 0 ? "good" : sum[0] + " WRONG");
        }
        return sum[0];
    }

    /**
     * Tries one algorithm, on its own communicator where the algorithm is forced; null leaves the choice to selection.
     * Returns the number of calls.
     */
    private int by(Collective collective, Algorithm algorithm) throws MPIException {
        String setting = Settings.property(space.key(collective, "algorithm"));
        String given = System.getProperty(setting);
        if (algorithm != null) {
            System.setProperty(setting, algorithm.name());
        }
        int before = trials;
        Intracomm comm = UserCall.communicator(collective, world);
        try {
            for (Plan plan : plans(collective)) {
                if (algorithm == null
                    || algorithm.restrictions().violatedBy(ranks, trial(plan, comm, null, 0).bytes(), true) == null) {
                    run(plan, trial(plan, comm, null, seed++), algorithm);
                }
            }
        } finally {
            comm.free();
            if (given == null) {
                System.clearProperty(setting);
            } else {
                System.setProperty(setting, given);
            }
        }
        return trials - before;
    }

    /**
     * Tries calls on a stream, each in a graph or not, on registered memory or not. Returns the number of calls: 0 if
     * GPUs do not reach each other.
     */
    private int onAStream(Collective collective, boolean registered, boolean inGraphs) throws MPIException {
        int before = trials;
        Intracomm comm = UserCall.communicator(collective, world);
        QueuedCalls queued;
        try {
            queued = new QueuedCalls(comm, inGraphs);
        } catch (MPIException e) {
            comm.free();
            return 0; // on all ranks
        }
        if (registered) {
            queued.register(send.at(0), bytes);
            queued.register(recv.at(0), bytes);
        }
        for (Plan plan : plans(collective)) {
            // In place, these two collectives return the result in the send buffer, but a trial expects it in the
            // receive buffer.
            if (!plan.inPlace || collective != Collective.REDUCE_SCATTER && collective != Collective.REDUCE) {
                run(plan, trial(plan, comm, queued, seed++), null);
            }
        }
        queued.close();
        comm.free();
        return trials - before;
    }

    private void run(Plan plan, Trial trial, Algorithm algorithm) throws MPIException {
        trials++;
        String complaint;
        try {
            complaint = trial.run();
        } catch (MPIException e) {
            if (e.getErrorClass() != MPI.ERR_BUFFER) {
                throw e;
            }
            // Every rank refused the call before anything was sent, so the trials can go on.
            complaint = trial.words() + ": " + e.getMessage();
        }
        // A call that the forced algorithm cannot serve (in place where peers still read) runs by another. Every other
        // call must have run by the forced one.
        if (complaint == null && algorithm != null && plan.count > 0
            && algorithm.restrictions().violatedBy(trial.placement()) == null
            && !Diagnostics.lastAlgorithm().equals(algorithm.name())
            && !algorithm.staged()) {
            complaint =
                trial.words() + ": " + algorithm.name() + " was forced, but " + Diagnostics.lastAlgorithm() + " ran";
        }
        if (complaint != null) {
            wrong++;
            if (shown++ < MOST_SHOWN) {
                System.err.println("WRONG: " + (algorithm == null ? "" : algorithm.name() + ": ") + complaint);
            }
        }
    }

    /** One call to try. */
    private record Plan(Collective collective, TrialType type, Op op, int root, int count, int shift,
        boolean inPlace) {
    }

    private Trial trial(Plan plan, Intracomm comm, QueuedCalls queued, int number) throws MPIException {
        // Some algorithms need the blocks of an allgather side by side; calls on streams have them so.
        int gap = queued != null || plan.collective == Collective.ALLGATHERV && plan.shift == 0 ? 0 : 1;
        SampleCall call =
            new SampleCall(plan.collective, ranks, plan.root, plan.count, gap, plan.inPlace, queued != null);
        return new Trial(comm, queued, send, recv, plan.type, plan.op, call, plan.shift, number);
    }

    private List<Plan> plans(Collective collective) {
        List<Plan> plans = new ArrayList<>();
        Op sum = collective.reduces ? MPI.SUM : null;
        boolean hasInPlace = Trial.hasInPlace(collective);
        for (int count : brief ? FEW_COUNTS : COUNTS) {
            for (int inPlace = 0; inPlace < (hasInPlace ? 2 : 1); inPlace++) {
                for (int shift = 0; shift < 2; shift++) {
                    // A brief run does not try shifted buffers in place.
                    if (!brief || inPlace + shift < 2) {
                        plans.add(new Plan(collective, TrialType.FLOAT, sum,
                            collective.rooted ? (count + shift) % ranks : 0, count, 3 * shift, inPlace == 1));
                    }
                }
            }
        }
        List<Plan> types = new ArrayList<>();
        for (TrialType type : TrialType.ALL) {
            if (collective.reduces) {
                for (Op op : type.operations()) {
                    types.add(new Plan(collective, type, op, ranks - 1, FEW, 1, false));
                    types.add(new Plan(collective, type, op, 0, 4 * FEW, 0, hasInPlace));
                    if (collective == Collective.REDUCE_SCATTER) {
                        // Few algorithms serve it in place.
                        types.add(new Plan(collective, type, op, 0, 4 * FEW, 0, false));
                    }
                }
            } else {
                types.add(new Plan(collective, type, null, ranks - 1, FEW, 1, false));
            }
        }
        for (int i = brief ? collective.ordinal() % STRIDE : 0; i < types.size(); i +=
            brief ? collective.reduces ? STRIDE * STRIDE : STRIDE : 1) {
            plans.add(types.get(i));
        }
        if (!collective.reduces) {
            // Bytes may begin at any address.
            for (int shift = 1; shift < 16; shift += brief ? 10 : 5) {
                plans.add(new Plan(collective, TrialType.BYTE, null, 0, 10_007, shift, false));
            }
        }
        return plans;
    }
}
