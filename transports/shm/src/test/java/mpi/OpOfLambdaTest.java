package mpi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import mpi.front.job.Handle;
import mpi.front.job.JobState;
import mpi.spi.Provider;
import org.brigade.communicator.BrigadeProvider;
import org.brigade.communicator.Jobs;
import org.brigade.communicator.ThreadJob;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Operations from Java's functions of two elements, and resources that end with a block. */
@Tag("once")
class OpOfLambdaTest {
    private static final int RANKS = 3;

    private interface Program {
        void run(Intracomm world) throws Exception;
    }

    @BeforeAll
    static void begin() {
        JobState.pretend(JobState.RUNNING);
        JobState.pretend(new BrigadeProvider());
    }

    @AfterAll
    static void end() {
        JobState.pretend(JobState.NEW);
        JobState.pretend((Provider) null);
    }

    private static void run(Program program) throws Exception {
        ThreadJob.run(Jobs.WIDE.endpoints(RANKS, 0),
            (provider, lower) -> program.run(new Intracomm(Handle.of(lower))));
    }

    @Test
    void eachPairOfElementsIsCombined() throws Exception {
        run(world -> {
            int rank = world.getRank();
            double[] doubles = {rank, rank + 10, -rank};
            world.allReduce(doubles, 3, MPI.DOUBLE, Op.ofDoubles((a, b) -> 2 * (a + b) - a - b, true));
            assertArrayEquals(new double[] {3, 33, -3}, doubles);
            int[] ints = {0, 1 << rank};
            world.allReduce(ints, 2, MPI.INT, Op.ofInts((a, b) -> a | b, true));
            assertArrayEquals(new int[] {0, 7}, ints);
            long[] longs = {rank + 1L << 40};
            world.allReduce(longs, 1, MPI.LONG, Op.ofLongs(Math::max, true));
            assertEquals(3L << 40, longs[0]);
            ByteBuffer direct = ByteBuffer.allocateDirect(16).order(ByteOrder.nativeOrder());
            direct.putDouble(0, rank).putDouble(8, 1);
            world.allReduce(direct, 2, MPI.DOUBLE, Op.ofDoubles(Double::sum, true));
            assertEquals(3, direct.getDouble(0));
            assertEquals(RANKS, direct.getDouble(8));
        });
    }

    @Test
    void operandsThatDoNotCommuteStayInTheOrderOfRanks() throws Exception {
        run(world -> {
            long[] digits = {world.getRank() + 1};
            world.allReduce(digits, 1, MPI.LONG, Op.ofLongs((a, b) -> a * (long) Math.pow(10, digits(b)) + b, false));
            assertEquals(123, digits[0]);
            Object[] words = {"<" + world.getRank()};
            Object[] joined = new Object[1];
            world.Allreduce(words, 0, joined, 0, 1, MPI.OBJECT, Op.ofObjects(String::concat, false));
            assertEquals("<0<1<2", joined[0]);
        });
    }

    private static int digits(long number) {
        return Long.toString(number).length();
    }

    @Test
    void typesOfOtherElementsAreRefused() throws Exception {
        run(world -> {
            world.setErrhandler(MPI.ERRORS_RETURN);
            Op sum = Op.ofDoubles(Double::sum, true);
            MPIException wrong =
                assertThrows(MPIException.class, () -> world.allReduce(new int[1], 1, MPI.INT, sum));
            assertEquals(MPI.ERR_OP, wrong.getErrorClass());
            assertTrue(wrong.getMessage().contains("on elements of double[]"), wrong.getMessage());
            try (Datatype three = Datatype.createContiguous(3, MPI.DOUBLE);
                Datatype column = Datatype.createVector(2, 1, 4, MPI.DOUBLE)) {
                three.commit();
                column.commit();
                double[] six = {1, 2, 3, 4, 5, world.getRank()};
                world.allReduce(six, 2, three, sum);
                assertArrayEquals(new double[] {3, 6, 9, 12, 15, 3}, six);
                assertThrows(MPIException.class, () -> world.allReduce(new double[8], 1, column, sum));
            }
            assertThrows(MPIException.class, () -> Op.ofInts(null, true));
        });
    }

    @Test
    void aBlockEndsWhatItHasMade() throws Exception {
        run(world -> {
            Intracomm seen;
            Datatype type;
            Info info;
            try (Intracomm copy = world.dup(); Datatype pair = Datatype.createContiguous(2, MPI.INT);
                Info hints = new Info()) {
                seen = copy;
                type = pair;
                info = hints;
                copy.barrier();
                hints.free(); // and once more at the end of the block
            }
            assertTrue(seen.isNull() && type.isNull() && info.isNull());
            Win made;
            try (Win window = new Win(ByteBuffer.allocateDirect(4), 4, 1, MPI.INFO_NULL, world)) {
                made = window;
                window.fence(0);
            }
            assertThrows(MPIException.class, () -> made.fence(0));
        });
    }
}
