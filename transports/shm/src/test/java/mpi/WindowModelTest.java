package mpi;

import static mpi.TestWindows.make;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;
import mpi.TestWindows.Flavor;
import mpi.TestWindows.Made;
import mpi.TestWindows.Place;
import mpi.front.job.JobState;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Random accesses of random ranks, one at a time, beside a model of all ranks' memory that every rank keeps: plain
 * arrays, in which the access is made byte by byte.
 */
class WindowModelTest {
    private static final int BYTES = 4096;
    private static final int STEPS = 150;
    private static final Place[] PLACES = Place.values();

    @BeforeAll
    static void begin() {
        JobState.pretend(JobState.RUNNING);
    }

    @AfterAll
    static void end() {
        JobState.pretend(JobState.NEW);
    }

    @ParameterizedTest
    @CsvSource({"0, DIRECT, 1", "00, DIRECT, 2", "00, ALLOCATED, 3", "000, SHARED, 4", "000, DYNAMIC, 5",
        "01, DIRECT, 6",
        "001, ALLOCATED, 7", "010, HEAP, 8", "0011, ALLOCATED, 9", "0101, DYNAMIC, 10", "0, DEVICE, 11",
        "000, DEVICE, 12", "00, UNMAPPED, 13", "0000, MIXED, 14", "0000, MIXED, 15", "0011, MIXED, 16",
        "010, DEVICE, 17", "000, ATTACHED, 18", "01, ATTACHED, 19"})
    void memoryIsThatOfTheModel(String nodes, Flavor flavor, long seed) throws Exception {
        TestWindows.run(nodes, world -> new Run(world, flavor, seed).run());
    }

    /** One rank's run; all ranks draw the same numbers. */
    private static final class Run {
        private final Intracomm world;
        private final Random random;
        private final Made made;
        private final byte[][] model;
        private final String what;

        Run(Intracomm world, Flavor flavor, long seed) {
            this.world = world;
            random = new Random(seed);
            made = make(flavor, world, BYTES);
            model = new byte[world.getSize()][BYTES];
            what = flavor + " seed " + seed;
        }

        void run() {
            Win win = made.win();
            win.fence(0);
            for (int step = 0; step < STEPS; step++) {
                step(win, what + " step " + step);
            }
            byte[] mine = new byte[BYTES];
            made.memory().get(0, mine);
            assertArrayEquals(model[world.getRank()], mine, what);
            win.free();
        }

        private void step(Win win, String where) {
            int origin = random.nextInt(world.getSize());
            int target = random.nextInt(world.getSize());
            int kind = random.nextInt(4);
            boolean gaps = random.nextInt(3) > 0;
            int[] atTarget = places(gaps);
            int[] atOrigin = gaps ? shuffled(atTarget.length) : atTarget;
            Place given = PLACES[random.nextInt(PLACES.length)];
            Place taken = PLACES[random.nextInt(PLACES.length)];
            byte[] data = new byte[4 * atTarget.length];
            random.nextBytes(data);
            int disp = 4 * random.nextInt((BYTES - 4 * (atTarget[atTarget.length - 1] + 1)) / 4 + 1);
            byte[] before = new byte[data.length];
            ByteBuffer memory = ByteBuffer.wrap(model[target]).order(ByteOrder.nativeOrder());
            ByteBuffer numbers = ByteBuffer.wrap(data).order(ByteOrder.nativeOrder());
            for (int i = 0; i < atTarget.length; i++) {
                int at = disp + 4 * atTarget[i];
                ByteBuffer.wrap(before).order(ByteOrder.nativeOrder()).putInt(4 * i, memory.getInt(at));
                int now = numbers.getInt(4 * i);
                if (kind != 1) {
                    memory.putInt(at, kind == 0 ? now : memory.getInt(at) + now);
                }
            }
            if (origin == world.getRank()) {
                access(win, kind, target, disp, atTarget, atOrigin, data, before, given, taken, where);
            } else {
                win.fence(0);
            }
        }

        /** Ascending places of ints, some or all side by side. */
        private int[] places(boolean gaps) {
            int[] places = new int[1 + random.nextInt(40)];
            for (int i = 0, at = 0; i < places.length; i++, at +=
                !gaps ? 1 : 1 + random.nextInt(3) / 2 * random.nextInt(8)) {
                places[i] = at;
            }
            return places;
        }

        private int[] shuffled(int n) {
            int[] order = new int[n];
            for (int i = 0; i < n; i++) {
                int other = random.nextInt(i + 1);
                order[i] = order[other];
                order[other] = i;
            }
            return order;
        }

        private void access(Win win, int kind, int target, int disp, int[] atTarget, int[] atOrigin, byte[] data,
            byte[] before, Place given, Place taken, String where) {
            int n = data.length;
            boolean gaps = atOrigin != atTarget;
            Datatype there = gaps ? type(atTarget) : MPI.INT;
            Datatype here = gaps ? type(atOrigin) : MPI.INT;
            int items = gaps ? 1 : atTarget.length;
            Object origin = TestWindows.buffer(given, n);
            Object result = TestWindows.buffer(taken, n);
            for (int i = 0; i < atOrigin.length; i++) {
                TestWindows.bytesOf(origin).put(4 * atOrigin[i], data, 4 * i, 4);
            }
            switch (kind) {
                case 0 :
                    win.put(origin, items, here, target, disp, items, there);
                    break;
                case 1 :
                    win.get(result, items, here, target, disp, items, there);
                    break;
                case 2 :
                    win.accumulate(origin, items, here, target, disp, items, there, MPI.SUM);
                    break;
                default :
                    win.getAccumulate(origin, items, here, result, items, here, target, disp, items, there, MPI.SUM);
            }
            win.fence(0);
            if (kind % 2 == 1) {
                byte[] got = new byte[n];
                for (int i = 0; i < atOrigin.length; i++) {
                    TestWindows.bytesOf(result).get(4 * atOrigin[i], got, 4 * i, 4);
                }
                assertArrayEquals(before, got, where + " from " + given + " to " + taken);
            }
            if (gaps) {
                there.free();
                here.free();
            }
        }

        private static Datatype type(int[] places) {
            int[] lengths = new int[places.length];
            java.util.Arrays.fill(lengths, 1);
            Datatype type = Datatype.createIndexed(lengths, places, MPI.INT);
            type.commit();
            return type;
        }
    }
}
