package org.brigade.examples.mnist;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import mpi.Group;
import mpi.Intercomm;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Request;

/**
 * Data-parallel training that goes on when a rank is killed. The ranks that are left revoke the communicator, shrink
 * it, go back to the first step that not all of them have ended, share out the pictures anew, and train on. With
 * {@code --replace} they spawn a rank first that takes the dead one's place.
 *
 * <p>
 * Every step trains on all of {@link #SHARDS} shards, which are shared out to the ranks in turn. So after a loss the
 * numbers are bit for bit those of a run that has had so many ranks from that step on ({@code --leave}); and with a
 * replacement those of a run that has lost nobody.
 *
 * <p>
 * {@code mpjrun -np 4 -cp examples/target/classes org.brigade.examples.mnist.SurvivingTraining
 * "$(examples/get-mnist.sh)" 100 [--kill RANK STEP | --leave RANK STEP] [--replace]}. {@code --kill}: that rank kills
 * itself in the middle of the step's allreduce. Without it, kill any rank yourself.
 */
public final class SurvivingTraining {
    private static final int SHARDS = 12;
    private static final int SHARD_PICTURES = 16;
    private static final double RATE = 0.3;
    /** The loss travels behind the gradient. */
    private static final int LOSS = Perceptron.PARAMETERS;

    private final String directory;
    private final Digits digits;
    private final int steps;
    private final boolean replaces;
    private final Perceptron network = new Perceptron();
    /** The parameters before the last step: some ranks may have ended a step that others must repeat. */
    private final double[] before = new double[Perceptron.PARAMETERS];
    private final double[] sum = new double[LOSS + 1];
    private final double[] total = new double[LOSS + 1];
    private Intracomm comm = MPI.COMM_WORLD;
    private int step;
    /** The step in which this rank kills itself; -1 if it does not. */
    private int dyingStep = -1;

    private SurvivingTraining(String directory, int steps, boolean replaces) throws IOException {
        this.directory = directory;
        digits = Digits.read(Path.of(directory));
        this.steps = steps;
        this.replaces = replaces;
    }

    // ---- training ----

    private void train() throws MPIException, IOException {
        while (step < steps) {
            try {
                step();
            } catch (MPIException lost) {
                requireLoss(lost);
                goOn();
            }
        }
    }

    private void step() throws MPIException, IOException {
        Arrays.fill(sum, 0);
        for (int shard = comm.getRank(); shard < SHARDS; shard += comm.getSize()) {
            int first = (step * SHARDS + shard) * SHARD_PICTURES;
            for (int i = 0; i < SHARD_PICTURES; i++) {
                int index = (first + i) % digits.count();
                sum[LOSS] += network.addGradient(digits.picture(index), digits.label(index), sum);
            }
        }
        Request exchange = comm.iAllReduce((Object) sum, total, LOSS + 1, MPI.DOUBLE, MPI.SUM);
        if (step == dyingStep) {
            exchange.test(); // moves a part of it
            die();
        }
        exchange.waitFor();
        System.arraycopy(network.parameters, 0, before, 0, before.length);
        network.descend(total, RATE / (SHARDS * SHARD_PICTURES));
        if (comm.getRank() == 0) {
            System.out.println("step " + step + " ranks " + comm.getSize() + " loss bits "
                + Long.toHexString(Double.doubleToRawLongBits(total[LOSS])));
        }
        step++;
    }

    private static void die() throws IOException {
        new ProcessBuilder("kill", "-KILL", Long.toString(ProcessHandle.current().pid())).start();
        while (true) {
            Thread.onSpinWait();
        }
    }

    // ---- after a loss ----

    private static void requireLoss(MPIException error) throws MPIException {
        if (error.getErrorClass() != MPI.ERR_PROC_FAILED && error.getErrorClass() != MPI.ERR_REVOKED) {
            throw error;
        }
    }

    private void goOn() throws MPIException {
        Intracomm broken = comm;
        while (true) {
            broken.revoke(); // whoever still waits there for this rank need not wait
            Intracomm rest = broken.shrink();
            try {
                resume(rest);
                return;
            } catch (MPIException another) {
                requireLoss(another); // a rank has died meanwhile, too
                broken = rest;
            }
        }
    }

    /**
     * All go back to the first step that not all have ended: some may have got the last sum that others have missed.
     */
    private void resume(Intracomm rest) throws MPIException {
        int[] first = {step};
        rest.allReduce(first, 1, MPI.INT, MPI.MIN);
        if (step > first[0]) {
            System.arraycopy(before, 0, network.parameters, 0, before.length);
            step = first[0];
        }
        if (rest.getRank() == 0) {
            System.out
                .println("going on from step " + step + " with " + rest.getSize() + " ranks of " + comm.getSize());
        }
        comm = replaces ? replaced(rest) : rest;
    }

    // ---- replacing the dead ----

    /** The ranks that are left and new ones, which take the places of the dead. */
    private Intracomm replaced(Intracomm rest) throws MPIException {
        int[] ranks = new int[comm.getSize()];
        Arrays.setAll(ranks, rank -> rank);
        int[] left = Group.translateRanks(comm.getGroup(), ranks, rest.getGroup());
        int[] lost = Arrays.stream(ranks).filter(rank -> left[rank] == MPI.UNDEFINED).toArray();
        String[] arguments = {directory, Integer.toString(steps), "--join", "--replace"};
        Intercomm joined =
            rest.spawn(SurvivingTraining.class.getName(), arguments, lost.length, MPI.INFO_NULL, 0, null);
        return placed(joined.merge(false), comm.getRank(), lost);
    }

    /** A new rank joins those that are left. */
    private void join() throws MPIException {
        comm = placed(Intercomm.getParent().merge(true), -1, new int[0]);
    }

    /**
     * Tells the new ranks where training stands, and puts all ranks in order.
     *
     * @param place this rank's rank before the loss; -1 for a new rank
     * @param lost the places of the new ranks; empty there
     */
    private Intracomm placed(Intracomm all, int place, int[] lost) throws MPIException {
        all.setErrhandler(MPI.ERRORS_RETURN);
        int[] words = {step, lost.length};
        all.bcast(words, 2, MPI.INT, 0);
        step = words[0];
        int[] places = Arrays.copyOf(lost, words[1]);
        all.bcast(places, places.length, MPI.INT, 0);
        all.bcast(network.parameters, network.parameters.length, MPI.DOUBLE, 0);
        int old = all.getSize() - places.length;
        return all.split(0, place >= 0 ? place : places[all.getRank() - old]);
    }

    // ---- leaving, to compare with ----

    private void trainUntilOneLeaves(int leaver, int at) throws MPIException, IOException {
        for (int end = Math.min(at, steps); step < end;) {
            step();
        }
        Group others = comm.getGroup().excl(new int[] {leaver});
        if (comm.getRank() != leaver) {
            comm = comm.createGroup(others, 0);
            train();
        }
    }

    public static void main(String[] args) throws MPIException, IOException {
        args = MPI.Init(args);
        if (args.length < 2) {
            throw new IllegalArgumentException("pass a directory of digits, which examples/get-mnist.sh prints, and the"
                + " number of steps");
        }
        MPI.COMM_WORLD.setErrhandler(MPI.ERRORS_RETURN);
        List<String> options = List.of(args);
        SurvivingTraining training =
            new SurvivingTraining(args[0], Integer.parseInt(args[1]), options.contains("--replace"));
        int leaves = options.indexOf("--leave");
        int dies = options.indexOf("--kill");
        if (dies >= 0 && MPI.COMM_WORLD.getRank() == Integer.parseInt(args[dies + 1])) {
            training.dyingStep = Integer.parseInt(args[dies + 2]);
        }
        if (options.contains("--join")) {
            training.join();
        }
        if (leaves >= 0) {
            training.trainUntilOneLeaves(Integer.parseInt(args[leaves + 1]), Integer.parseInt(args[leaves + 2]));
        } else {
            training.train();
        }
        MPI.Finalize();
    }
}
