package org.brigade.cli.bench.families;

import java.util.List;
import mpi.Intracomm;
import mpi.MPIException;

/**
 * One operation of a family.
 *
 * @param most bytes beyond which sizes are left out
 * @param iterations the most calls for one time
 */
public record FamilyOperation(String key, Timed timed, long most, int iterations, Maker maker) {
    /** What the clock covers. */
    public enum Timed {
        /** There and back between ranks 0 and 1; half of it counts. */
        EXCHANGE,
        /** What rank 0 does, back to back; the others wait. */
        ORIGIN,
        /** One call of all ranks, which start together; the mean over ranks counts. */
        TOGETHER
    }

    /** Makes the call of one size. Collective. */
    interface Maker {
        /** @param direct whether buffers are direct; else Java arrays, where the operation can have them */
        FamilyCall make(Intracomm world, int bytes, boolean direct) throws MPIException;
    }

    private static final int SMALL = 64 << 20;
    private static final int CALLS = 3000;
    private static final int FILE_CALLS = 30;
    private static final int FILE_BYTES = 256 << 20;

    /** All of them. */
    public static final List<FamilyOperation> ALL = List.of(
        type(Layout.COLUMN), type(Layout.INDEXED), type(Layout.EVERY_OTHER), type(Layout.ROWS),
        new FamilyOperation("accumulate", Timed.ORIGIN, SMALL, CALLS, (world, n, direct) -> new Accumulate(world, n)),
        new FamilyOperation("fence-put", Timed.TOGETHER, SMALL, CALLS, (world, n, direct) -> new FencedPut(world, n)),
        new FamilyOperation("win-create", Timed.TOGETHER, SMALL, 100, (world, n, direct) -> new WindowMaking(world, n)),
        file("write-at-all", (world, n, direct) -> new ContiguousFile(world, n, true)),
        file("read-at-all", (world, n, direct) -> new ContiguousFile(world, n, false)),
        file("write-all", (world, n, direct) -> new PiecewiseFile(world, n, true)),
        file("read-all", (world, n, direct) -> new PiecewiseFile(world, n, false)),
        file("write-at", (world, n, direct) -> new IndependentFile(world, n)),
        new FamilyOperation("object", Timed.EXCHANGE, SMALL, 300, (world, n, direct) -> new ObjectExchange(world, n)),
        new FamilyOperation("bcast-object", Timed.TOGETHER, SMALL, 300,
            (world, n, direct) -> new ObjectBcast(world, n)),
        new FamilyOperation("dup", Timed.TOGETHER, 0, 300, (world, n, direct) -> () -> world.dup().free()),
        new FamilyOperation("split", Timed.TOGETHER, 0, 300,
            (world, n, direct) -> () -> world.split(world.getRank() % 2, 0).free()),
        new FamilyOperation("spawn", Timed.TOGETHER, 0, 1, (world, n, direct) -> new SpawnedChild.Call(world)));

    private static FamilyOperation type(Layout layout) {
        return new FamilyOperation(layout.key, Timed.EXCHANGE, layout.most, 300,
            (world, n, direct) -> new TypeExchange(world, layout, n, direct));
    }

    private static FamilyOperation file(String key, Maker maker) {
        return new FamilyOperation(key, Timed.TOGETHER, FILE_BYTES, FILE_CALLS, maker);
    }

    /** The operation of this name; null if there is none. */
    public static FamilyOperation of(String key) {
        return ALL.stream().filter(each -> each.key.equals(key)).findFirst().orElse(null);
    }

    /** Whether it has sizes at all. */
    public boolean isSized() {
        return most > 0;
    }

    public int ranksNeeded() {
        return timed == Timed.TOGETHER ? 1 : 2;
    }

    /** Makes the call of one size. Collective. */
    public FamilyCall make(Intracomm world, int bytes, boolean direct) throws MPIException {
        return maker.make(world, bytes, direct);
    }
}
