package org.brigade.transport.cuda.window;

import java.util.Arrays;
import java.util.Random;
import mpi.Datatype;
import mpi.Group;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Request;
import mpi.Win;

/**
 * Random accesses of random ranks, one at a time, beside a model of all ranks' memory that every rank keeps. All ranks
 * draw the same numbers.
 */
final class WindowModel {
    private static final int INTS = 20_000;
    /** More than one message of a window. */
    private static final int LONGEST = 15_000;
    private static final String PLACES = "dpheah";

    private final Intracomm world;
    private final int rank;
    private final int ranks;
    private final String kinds;
    private final Random random;
    private final int[][] model;
    private final Object memory;
    final Win win;

    /** One access: what it does, and all that is known of its bytes. */
    private static final class Step {
        int kind;
        int origin;
        int target;
        int disp;
        int count;
        int stride;
        char given;
        char taken;
        int[] data;
        int[] compare;
        int[] before;
    }

    /**
     * @param kinds where the memory of rank r is, as {@link WindowTrial#buffer} says: character r, modulo their number
     */
    WindowModel(Intracomm world, String kinds, long seed) throws MPIException {
        this.world = world;
        this.kinds = kinds;
        rank = world.getRank();
        ranks = world.getSize();
        random = new Random(seed);
        model = new int[ranks][];
        for (int each = 0; each < ranks; each++) {
            model[each] = new int[kind(each) == 'z' ? 0 : INTS];
        }
        int bytes = 4 * model[rank].length;
        memory = WindowTrial.buffer(kind(rank), new byte[bytes]);
        win = new Win(memory, memory instanceof int[] ? bytes / 4 : bytes, memory instanceof int[] ? 1 : 4,
            MPI.INFO_NULL, world);
    }

    private char kind(int of) {
        return kinds.charAt(of % kinds.length());
    }

    void run(int steps) throws MPIException {
        for (int i = 0; i < steps; i++) {
            step("step " + i);
        }
        world.barrier();
        check("the memory of rank " + rank, model[rank],
            WindowTrial.ints(WindowTrial.bytes(memory, 4 * model[rank].length)));
        win.free();
        WindowTrial.free(memory);
    }

    private void step(String name) throws MPIException {
        Step step = draw();
        Object origin = null;
        Object result = null;
        Object compare = null;
        boolean mine = step.origin == rank;
        if (mine) {
            origin = WindowTrial.buffer(step.given, WindowTrial.packed(step.data));
            result = WindowTrial.buffer(step.taken, new byte[4 * step.data.length]);
            compare = WindowTrial.buffer(step.taken, WindowTrial.packed(step.compare));
        }
        switch (random.nextInt(3)) {
            case 0 -> {
                win.fence(0);
                if (mine) {
                    access(step, origin, compare, result);
                }
                win.fence(MPI.MODE_NOSUCCEED);
            }
            case 1 -> {
                if (mine) {
                    win.lock(random.nextBoolean() ? MPI.LOCK_SHARED : MPI.LOCK_EXCLUSIVE, step.target, 0);
                    access(step, origin, compare, result);
                    win.unlock(step.target);
                } else {
                    random.nextBoolean();
                }
                world.barrier();
            }
            default -> {
                Group all = win.getGroup();
                if (step.target == rank) {
                    win.post(all.incl(new int[] {step.origin}), 0);
                }
                if (mine) {
                    win.start(all.incl(new int[] {step.target}), 0);
                    access(step, origin, compare, result);
                    win.complete();
                }
                if (step.target == rank) {
                    win.waitFor();
                }
                world.barrier();
            }
        }
        if (mine) {
            if (step.before != null) {
                check(name + ": what came back of kind " + step.kind + " to " + step.taken, step.before,
                    WindowTrial.ints(WindowTrial.bytes(result, 4 * step.data.length)));
            }
            WindowTrial.free(origin);
            WindowTrial.free(result);
            WindowTrial.free(compare);
        }
    }

    /** Draws an access, and makes it in the model. */
    private Step draw() {
        Step step = new Step();
        step.kind = random.nextInt(10);
        step.origin = random.nextInt(ranks);
        do {
            step.target = random.nextInt(ranks);
        } while (kind(step.target) == 'z');
        step.given = place(step.origin);
        step.taken = place(step.origin);
        boolean single = step.kind == 4 || step.kind == 5;
        step.count = single ? 1 : 1 + random.nextInt(random.nextInt(3) > 0 ? 40 : LONGEST);
        step.stride = step.count <= 40 && random.nextBoolean() ? 3 : 1;
        step.disp = random.nextInt(INTS - step.count * step.stride);
        step.data = random.ints(step.count).toArray();
        step.compare = new int[step.count];
        int[] there = model[step.target];
        int[] before = new int[step.count];
        for (int i = 0; i < step.count; i++) {
            before[i] = there[step.disp + i * step.stride];
        }
        step.compare[0] = before[0] + random.nextInt(2);
        for (int i = 0; i < step.count; i++) {
            int at = step.disp + i * step.stride;
            switch (step.kind) {
                case 0, 6, 8 -> there[at] = step.data[i];
                case 1, 7, 9 -> {
                }
                case 5 -> there[at] = step.compare[0] == there[at] ? step.data[i] : there[at];
                default -> there[at] += step.data[i];
            }
        }
        step.before = step.kind == 0 || step.kind == 2 || step.kind == 6 || step.kind == 8 ? null : before;
        return step;
    }

    private char place(int of) {
        char drawn = PLACES.charAt(random.nextInt(PLACES.length()));
        return kind(of) == 'n' && (drawn == 'd' || drawn == 'p') ? 'h' : drawn;
    }

    private void access(Step step, Object origin, Object compare, Object result) throws MPIException {
        int n = step.count;
        int to = step.target;
        int at = step.disp;
        Datatype there = MPI.INT;
        int items = n;
        if (step.stride > 1) {
            there = Datatype.createVector(n, 1, step.stride, MPI.INT);
            there.commit();
            items = 1;
        }
        Request request = null;
        switch (step.kind) {
            case 0 -> win.put(origin, n, MPI.INT, to, at, items, there);
            case 1 -> win.get(result, n, MPI.INT, to, at, items, there);
            case 2 -> win.accumulate(origin, n, MPI.INT, to, at, items, there, MPI.SUM);
            case 3 -> win.getAccumulate(origin, n, MPI.INT, result, n, MPI.INT, to, at, items, there, MPI.SUM);
            case 4 -> win.fetchAndOp(origin, result, MPI.INT, to, at, MPI.SUM);
            case 5 -> win.compareAndSwap(origin, compare, result, MPI.INT, to, at);
            case 6 -> request = win.rPut(origin, n, MPI.INT, to, at, items, there);
            case 7 -> request = win.rGet(result, n, MPI.INT, to, at, items, there);
            case 8 -> request = win.rAccumulate(origin, n, MPI.INT, to, at, items, there, MPI.REPLACE);
            default -> request = win.rGetAccumulate((Object) null, 0, MPI.INT, result, n, MPI.INT, to, at, items,
                there, MPI.NO_OP);
        }
        if (request != null) {
            request.waitFor();
        }
        if (there != MPI.INT) {
            there.free();
        }
    }

    private void check(String what, int[] expected, int[] got) {
        int wrong = Arrays.mismatch(expected, got);
        if (wrong >= 0) {
            throw new AssertionError("rank " + rank + ", windows " + kinds + ", " + what + ": int " + wrong + " is "
                + got[wrong] + ", not " + expected[wrong]);
        }
    }
}
