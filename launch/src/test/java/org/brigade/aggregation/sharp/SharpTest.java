package org.brigade.aggregation.sharp;

import static org.brigade.communicator.CollectiveCalls.calls;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import mpi.spi.Communicator;
import mpi.spi.ElementKind;
import mpi.spi.Reduction.Operator;
import mpi.spi.Reduction;
import mpi.spi.TypeLayout;
import org.brigade.aggregation.AggregationStatus;
import org.brigade.communicator.ThreadJob;
import org.brigade.transport.nodes.NodesJob;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * libsharp_coll as its users know it, against a library of ours that behaves so: what it refuses or loses, the ordinary
 * schedules do.
 */
@Isolated // settings are system properties, and what is told goes to System.err
@Timeout(300)
class SharpTest {
    private static final int[] MAPPING = {0, 1, 1, 2, 0};
    private static final TypeLayout INT = TypeLayout.of("MPI.INT", ElementKind.INT, 1);
    private static final TypeLayout DOUBLE = TypeLayout.of("MPI.DOUBLE", ElementKind.DOUBLE, 1);

    private final PrintStream console = System.err;
    private final ByteArrayOutputStream told = new ByteArrayOutputStream();

    @BeforeEach
    void set() throws Exception {
        System.setProperty("brigade.allreduce.algorithm", "in-network");
        System.setProperty("brigade.allreduce.chunk", "64K");
        System.setProperty("brigade.aggregation", "sharp:mlx5_0:1");
        System.setProperty("brigade.aggregation.library", FakeSharp.file().toString());
        FakeSharp.fault("");
        System.setErr(new PrintStream(told, true));
    }

    @AfterEach
    void clear() {
        System.setErr(console);
        for (String each : new String[] {"allreduce.algorithm", "allreduce.chunk", "aggregation",
            "aggregation.library"}) {
            System.clearProperty("brigade." + each);
        }
    }

    private long timesTold(String words) {
        return told.toString().lines().filter(line -> line.contains(words)).count();
    }

    private static void trials(Communicator world) {
        int rank = world.rank();
        int ranks = world.size();
        for (int count : new int[] {1, 77, 30_000, 200_003}) {
            int[] own = new int[count];
            int[] sums = new int[count];
            for (int i = 0; i < count; i++) {
                own[i] = i * (rank + 1);
                sums[i] = i * ranks * (ranks + 1) / 2;
            }
            int[] result = new int[count];
            calls(world).allreduce(own, 0, result, 0, count, INT, Reduction.predefined(Operator.SUM), true);
            assertArrayEquals(sums, result, "sum of " + count);
            calls(world).allreduce(null, 0, own, 0, count, INT, Reduction.predefined(Operator.SUM), true);
            assertArrayEquals(sums, own, "sum of " + count + " in place");
            double[] least = new double[count];
            double[] values = new double[count];
            for (int i = 0; i < count; i++) {
                values[i] = i + rank;
            }
            calls(world).allreduce(values, 0, least, 0, count, DOUBLE, Reduction.predefined(Operator.MIN), true);
            for (int i = 0; i < count; i++) {
                assertEquals(i, least[i], "minimum");
            }
        }
    }

    private static void run() throws Exception {
        ThreadJob.run(NodesJob.endpoints(MAPPING), (provider, world) -> {
            trials(world);
            world.free();
        });
    }

    @Test
    void theTreeReducesAndEverythingIsGivenBack() throws Exception {
        run();
        assertEquals("", told.toString());
        assertEquals(0, FakeSharp.left(), "contexts, communicators, registrations and requests left");
    }

    @Test
    void aTreeThatAnotherGroupHasLockedIsAskedAgain() throws Exception {
        FakeSharp.fault("lock=40");
        run();
        assertEquals("", told.toString());
        assertEquals(0, FakeSharp.left(), "left");
    }

    @Test
    void withoutQuotaTheOrdinarySchedulesServe() throws Exception {
        FakeSharp.fault("quota");
        run();
        assertEquals(1, timesTold("EQUOTA"), told.toString());
        assertEquals(0, FakeSharp.left(), "left");
    }

    @Test
    void withoutADeviceOrAnExchangeToo() throws Exception {
        FakeSharp.fault("nodev");
        run();
        assertEquals(1, timesTold("EDEV"), told.toString());
        System.setProperty("brigade.aggregation", "sharp:eth0");
        FakeSharp.fault("");
        run();
        assertEquals(2, timesTold("EDEV"), told.toString());
        FakeSharp.fault("oob");
        run();
        assertEquals(1, timesTold("EOOB"), told.toString());
        assertEquals(0, FakeSharp.left(), "left");
    }

    @Test
    void typesAndOperationsThatTheTreeDoesNotReduceGoByTheOrdinarySchedules() throws Exception {
        FakeSharp.fault("types=0x2,ops=0x4"); // sums of ints alone
        run();
        assertEquals(1, timesTold("does not reduce FLOAT64"), told.toString());
        assertEquals(0, timesTold("are not reduced in the network"), told.toString());
    }

    @Test
    void aTreeThatIsLostHalfWayCostsNoResultAndOneSentence() throws Exception {
        FakeSharp.fault("fail=5");
        run();
        assertEquals(1, timesTold("ECONN_TREE"), told.toString());
    }

    @Test
    void statusesHaveTheCodesThatTheLibraryGivesThem() {
        assertEquals(AggregationStatus.EQUOTA, AggregationStatus.of(-7));
        assertEquals(AggregationStatus.ELOCK_FAILED, AggregationStatus.of(-18));
        assertEquals(AggregationStatus.ERROR, AggregationStatus.of(-99));
    }

    @Test
    void operationsHaveTheCodesThatTheLibraryGivesThem() {
        String[] theirs =
            {"MAX", "MIN", "SUM", "PROD", "LAND", "BAND", "LOR", "BOR", "LXOR", "BXOR", "MAXLOC", "MINLOC"};
        for (int code = 0; code < theirs.length; code++) {
            assertEquals(theirs[code], Operator.values()[code].name());
        }
    }
}
