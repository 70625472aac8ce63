package org.brigade.transport.cuda.calls;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Request;
import org.brigade.transport.cuda.Driver;
import org.brigade.transport.cuda.driver.CudaDriver;

/**
 * A rank that makes every call of a family with every datatype of {@link Shape}: on host memory, on device memory, and
 * on both at once. All must leave the same bytes in all buffers.
 */
public final class CallAudit {
    /** A call, and its buffers. */
    interface Body {
        void run(Trial trial) throws Exception;
    }

    /** A call with two buffers; null if it is complete on return. */
    interface TwoBuffers {
        Request start(Trial trial, Object first, Object second) throws Exception;
    }

    interface Buffer {
        Object make(Trial trial);
    }

    private record Case(String name, Body body) {
    }

    /** Items of a block: through a packet, through rings, and straight between devices. */
    private static final int[] COUNTS = {2, 500, 9000};
    private static final int BUFFERED = 8 << 20;

    /** Instead of a call's name: all calls with all types, of one length each, in turn. */
    public static final String ROTATING = "rotating";

    private boolean rotating;
    private int turn;
    private final List<Case> cases = new ArrayList<>();
    private int wrong;

    void add(String name, Body body) {
        cases.add(new Case(name, body));
    }

    void add(String name, Buffer first, Buffer second, TwoBuffers call) {
        add(name, trial -> Trial.complete(call.start(trial, first.make(trial), second.make(trial))));
    }

    public static void main(String[] arguments) throws Exception {
        String[] own = MPI.Init(arguments);
        Intracomm world = MPI.COMM_WORLD;
        world.setErrhandler(MPI.ERRORS_RETURN);
        if (CudaDriver.missing() != null) {
            throw new AssertionError(CudaDriver.missing());
        }
        Driver.enter(world.getRank() % CudaDriver.devices());
        MPI.attachBuffer(new byte[BUFFERED]);
        CallAudit audit = new CallAudit();
        switch (own[0]) {
            case "messages" -> MessageCalls.add(audit);
            case "collectives" -> CollectiveCalls.add(audit, world);
            case "reductions" -> ReductionCalls.add(audit);
            case "neighbours" -> NeighbourCalls.add(audit, world);
            case "groups" -> GroupCalls.add(audit, world);
            case "files" -> FileCalls.add(audit, own[1]);
            default -> throw new IllegalArgumentException(own[0]);
        }
        audit.rotating = own.length > 2 && own[2].equals(ROTATING);
        for (Case each : audit.cases) {
            if (own.length < 3 || audit.rotating || each.name.equals(own[2])) {
                audit.run(each, world);
            }
        }
        MPI.detachBuffer();
        int[] all = {audit.wrong};
        world.allReduce(all, 1, MPI.INT, MPI.SUM);
        if (world.getRank() == 0) {
            System.out.println(all[0] == 0 ? "all is well" : all[0] + " wrong");
        }
        MPI.Finalize();
    }

    private void run(Case each, Intracomm world) {
        for (Shape shape : Shape.all()) {
            for (int count : rotating ? new int[] {COUNTS[turn++ % COUNTS.length]} : COUNTS) {
                int n = Math.min(count, shape.most);
                List<byte[]> expected = null;
                String refused = null;
                for (Trial.Space space : Trial.Space.values()) {
                    String what = each.name + " of " + n + " items of " + shape.name + " in " + space;
                    Trial trial = new Trial(world, shape, n, space);
                    String failure = null;
                    try {
                        each.body.run(trial);
                    } catch (MPIException e) {
                        failure = e.getMessage();
                    } catch (Exception | AssertionError e) {
                        complain(world, what + ": " + e);
                        e.printStackTrace(System.out);
                    }
                    List<byte[]> found = trial.outcome();
                    if (space == Trial.Space.HOST) {
                        expected = found;
                        refused = failure;
                    } else if (failure != null && refused == null) {
                        complain(world, what + ": " + failure);
                    } else if (failure == null) {
                        compare(world, what, expected, found);
                    }
                }
                if (refused != null) {
                    complain(world, each.name + " of " + n + " items of " + shape.name + " on the host: " + refused);
                }
            }
        }
    }

    private void compare(Intracomm world, String what, List<byte[]> expected, List<byte[]> found) {
        for (int i = 0; i < expected.size(); i++) {
            int at = Arrays.mismatch(expected.get(i), found.get(i));
            if (at >= 0) {
                complain(world, what + ": byte " + at + " of " + found.get(i).length + " of buffer " + i + " is "
                    + found.get(i)[at] + ", not " + expected.get(i)[at]);
            }
        }
    }

    private void complain(Intracomm world, String what) {
        wrong++;
        System.out.println("rank " + world.getRank() + ": " + what);
    }
}
