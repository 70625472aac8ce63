package mpi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Field;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.util.Arrays;
import mpi.front.job.JobState;
import mpi.front.types.Bytes;
import mpi.spi.Reduction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** What programs that were written for Open MPI's bindings or MPJ Express rely on. */
class PortedProgramsTest {
    /** Open MPI's numbers, 0 to 53, in the order of its header. */
    private static final String[] CLASSES = {"SUCCESS", "BUFFER", "COUNT", "TYPE", "TAG", "COMM", "RANK", "REQUEST",
        "ROOT", "GROUP", "OP", "TOPOLOGY", "DIMS", "ARG",
        "UNKNOWN", "TRUNCATE", "OTHER", "INTERN", "IN_STATUS", "PENDING", "ACCESS", "AMODE", "ASSERT", "BAD_FILE",
        "BASE", "CONVERSION", "DISP", "DUP_DATAREP",
        "FILE_EXISTS", "FILE_IN_USE", "FILE", "INFO_KEY", "INFO_NOKEY", "INFO_VALUE", "INFO", "IO", "KEYVAL",
        "LOCKTYPE", "NAME", "NO_MEM", "NOT_SAME", "NO_SPACE",
        "NO_SUCH_FILE", "PORT", "QUOTA", "READ_ONLY", "RMA_CONFLICT", "RMA_SYNC", "SERVICE", "SIZE", "SPAWN",
        "UNSUPPORTED_DATAREP", "UNSUPPORTED_OPERATION", "WIN"};

    private final Intracomm comm = FakeProvider.intracomm(2, 4);

    @BeforeEach
    void join() {
        FakeProvider.run();
    }

    @AfterEach
    void backInTheJob() {
        JobState.pretend(JobState.RUNNING);
        MPI.Buffer_detach();
    }

    private static void fails(int errorClass, String what, Executable code) {
        MPIException e = assertThrows(MPIException.class, code);
        assertEquals(errorClass, e.getErrorClass(), e.getMessage());
        assertTrue(e.getMessage().contains(what), e.getMessage());
    }

    @Test
    void errorClassesHaveOpenMpisNumbersEverywhere() throws ReflectiveOperationException {
        for (int code = 1; code < CLASSES.length; code++) {
            assertEquals(code, MPI.class.getField("ERR_" + CLASSES[code]).getInt(null), CLASSES[code]);
        }
        for (ErrorClass each : ErrorClass.values()) {
            Field constant = MPI.class.getField(each == ErrorClass.SUCCESS ? "SUCCESS" : "ERR_" + each.name());
            assertEquals(constant.getInt(null), each.code, each.name());
        }
    }

    @Test
    void anyArrayIsTheBytesThatLieInIt() {
        int[] ints = new int[4];
        comm.send(ints, 16, MPI.BYTE, 1, 0);
        assertSame(ints, FakeProvider.last.get(1));
        byte[] bytes = new byte[6];
        comm.recv(bytes, 3, MPI.CHAR, 1, 0);
        assertSame(bytes, FakeProvider.last.get(1));
        comm.gatherv(new int[1], 4, MPI.BYTE, new double[2], new int[] {4, 4, 4, 4}, new int[] {0, 4, 8, 12}, MPI.BYTE,
            2);
        comm.allToAllw(ints, new int[] {1, 1, 0, 1}, new int[] {0, 4, 8, 12},
            new Datatype[] {MPI.INT, MPI.BYTE, MPI.CHAR, MPI.FLOAT}, ints, new int[4], new int[4],
            new Datatype[] {MPI.INT, MPI.INT, MPI.INT, MPI.INT});
        fails(MPI.ERR_COUNT, "count 17 of MPI.BYTE needs 17 bytes, but buf is an int[4]; pass count <= 16",
            () -> comm.send(ints, 17, MPI.BYTE, 1, 0));
        fails(MPI.ERR_TYPE, "offset 1 into buf, an int[4], could count its elements or those of MPI.BYTE",
            () -> comm.Send(ints, 1, 4, MPI.BYTE, 1, 0));
    }

    @Test
    void operationsOnBooleansWorkOnTruth() {
        Op[] ops = {MPI.MAX, MPI.SUM, MPI.BOR, MPI.LOR, MPI.MIN, MPI.PROD, MPI.BAND, MPI.LAND, MPI.BXOR, MPI.LXOR};
        Reduction.Operator[] logical = {Reduction.Operator.LOR, Reduction.Operator.LOR, Reduction.Operator.LOR,
            Reduction.Operator.LOR, Reduction.Operator.LAND,
            Reduction.Operator.LAND, Reduction.Operator.LAND, Reduction.Operator.LAND, Reduction.Operator.LXOR,
            Reduction.Operator.LXOR};
        for (int i = 0; i < ops.length; i++) {
            comm.allReduce(new boolean[2], 2, MPI.BOOLEAN, ops[i]);
            assertEquals(logical[i], FakeProvider.started.op().operator, ops[i].toString());
        }
    }

    @Test
    void aSliceIsReducedAlthoughJavaResetsItsOrder() {
        ByteBuffer slice = MPI.newByteBuffer(16).slice();
        comm.allReduce(slice, 2, MPI.DOUBLE, MPI.SUM);
        assertSame(slice, FakeProvider.started.recv());
    }

    @Test
    void thereIsOneAttachedBufferAtATime() {
        byte[] first = new byte[100];
        MPI.attachBuffer(first);
        fails(MPI.ERR_BUFFER, "attachBuffer: a buffer is attached already, byte[100]; detach it first",
            () -> MPI.attachBuffer(new byte[200]));
        assertSame(first, MPI.detachBuffer());
        fails(MPI.ERR_BUFFER, "detachBuffer: no buffer is attached; call attachBuffer first", MPI::detachBuffer);
        MPI.Buffer_detach();
        fails(MPI.ERR_BUFFER, "the buffer is null", () -> MPI.Buffer_attach(null));
    }

    @Test
    void aFreedKeyTakesNothingMore() {
        int key = Comm.createKeyval();
        Comm.freeKeyval(key);
        fails(MPI.ERR_KEYVAL, "key " + key + " has been freed", () -> comm.setAttr(key, "x"));
        fails(MPI.ERR_KEYVAL, "key " + key + " has been freed", () -> comm.getAttr(key));
        fails(MPI.ERR_KEYVAL, "key " + key + " has been freed", () -> Comm.freeKeyval(key));
    }

    @Test
    void namesAreTheStandards() {
        assertEquals("MPI_COMM_WORLD", MPI.COMM_WORLD.getName());
        comm.setName("grid");
        assertEquals("grid", comm.getName());
        assertEquals("", comm.dup().getName());
        fails(MPI.ERR_ARG, "the name is null", () -> comm.setName(null));
        assertEquals("MPI_INT", MPI.INT.getName());
        assertEquals("MPI_2INT", MPI.INT2.getName());
        assertEquals("MPI.INT", MPI.INT.toString());
        Datatype mine = MPI.INT.clone();
        assertNotSame(MPI.INT, mine);
        mine.setName("cells");
        assertEquals("cells", mine.getName());
        assertEquals("MPI_INT", MPI.INT.getName());
        fails(MPI.ERR_ARG, "the name is null", () -> mine.setName(null));
    }

    @Test
    void slicesOutsideAreErrorsThatSayHowLongTheBufferIs() {
        fails(MPI.ERR_ARG, "MPI.slice: offset 11 lies outside int[10]; pass 0 <= offset <= 10",
            () -> MPI.slice(new int[10], 11));
        fails(MPI.ERR_ARG, "offset -1 lies outside ByteBuffer of capacity 4",
            () -> MPI.slice(MPI.newByteBuffer(4), -1));
        fails(MPI.ERR_ARG, "the buffer is null", () -> MPI.slice((double[]) null, 0));
        assertEquals(0, MPI.slice(new int[10], 10).capacity());
    }

    @Test
    void initTakesAwayWhatMpjrunPutsInFrontOfTheArguments() {
        assertArrayEquals(new String[] {"a", "b"},
            JobState.programArguments(new String[] {"2", "mpjrun", "multicore", "a", "b"}));
        String[] own = {"3", "mpjrun", "multicore"};
        assertSame(own, JobState.programArguments(own), "another rank's");
        assertNull(JobState.programArguments(null));
    }

    @Test
    void aProgramForMpjExpressGetsALoaderThatTellsItsClassPath() throws Exception {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try {
            JobState.programArguments(new String[] {"2", "x", "multicore"});
            assertSame(before, thread.getContextClassLoader(), "of any other program");
            JobState.programArguments(new String[] {"2", "mpjrun", "multicore"});
            URLClassLoader loader = (URLClassLoader) thread.getContextClassLoader();
            assertEquals(System.getProperty("java.class.path").split(java.io.File.pathSeparator).length,
                loader.getURLs().length);
            assertSame(PortedProgramsTest.class, loader.loadClass(PortedProgramsTest.class.getName()));
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    @Test
    void rankAndSizeAnswerAfterFinalizeAndInitMayBeCalledAgain() {
        JobState.pretend(JobState.OVER);
        assertEquals(2, comm.Rank());
        assertEquals(4, comm.Size());
        String[] args = {"x"};
        assertSame(args, MPI.Init(args));
        fails(MPI.ERR_OTHER, "MPI has been finalized", () -> comm.Send(new int[1], 0, 1, MPI.INT, 0, 0));
        fails(MPI.ERR_OTHER, "MPI has been finalized", comm::getRank);
        JobState.pretend(JobState.NEW);
        fails(MPI.ERR_OTHER, "call MPI.Init(args) first", comm::Rank);
    }

    @Test
    void theEnvironmentIsDescribed() {
        assertEquals("4", MPI.INFO_ENV.get("maxprocs"));
        assertEquals("MPI_THREAD_MULTIPLE", MPI.INFO_ENV.get("thread_level"));
        assertEquals("java", MPI.INFO_ENV.get("command"));
        assertEquals("4", MPI.INFO_ENV.get("soft"));
        assertEquals(MPI.getProcessorName(), MPI.INFO_ENV.get("host"));
        assertEquals(System.getProperty("user.dir"), MPI.INFO_ENV.get("wdir"));
        assertEquals(System.getProperty("os.arch"), MPI.INFO_ENV.get("arch"));
        fails(MPI.ERR_INFO, "belongs to the job", MPI.INFO_ENV::free);
    }

    /** A struct that adds one field of a length. */
    private static final class OneField extends Struct {
        OneField(int before, int length) {
            addInt(before);
            addInt(length);
        }

        @Override
        protected Data newData() {
            return null;
        }
    }

    @Test
    void aStructOfNegativeOrOverflowingExtentIsRefused() {
        fails(MPI.ERR_ARG, "a field of -8 elements of 4 bytes", () -> new OneField(0, -8));
        fails(MPI.ERR_ARG, "keep the struct below 2 GiB", () -> new OneField(0, 0x40000000));
        fails(MPI.ERR_ARG, "does not fit behind byte 40", () -> new OneField(10, Integer.MAX_VALUE / 4));
        fails(MPI.ERR_BUFFER, "the buffer is null", () -> MPI.doubleInt.getData((byte[]) null));
        fails(MPI.ERR_ARG, "lies outside the buffer of 16 bytes", () -> MPI.doubleInt.getData(new byte[16], 1));
        fails(MPI.ERR_ARG, "lies outside the buffer of 16 bytes",
            () -> MPI.doubleInt.getData(new byte[16], Integer.MAX_VALUE));
        Status status = new Status();
        status.fill(0, 0, 8, false);
        assertEquals(0, status.getCount(new OneField(0, 0).getType()));
    }

    @Test
    void rangesOutsideAGroupAreRefusedBeforeTheyAreExpanded() {
        Group group = comm.getGroup();
        fails(MPI.ERR_RANK, "names rank 4, which is not in the group",
            () -> group.rangeIncl(new int[][] {{0, 2147483646, 1}}));
        fails(MPI.ERR_RANK, "names rank -2147483648",
            () -> group.rangeIncl(new int[][] {{Integer.MIN_VALUE, Integer.MAX_VALUE, 1}}));
        fails(MPI.ERR_RANK, "named twice", () -> group.rangeExcl(new int[][] {{0, 2, 2}, {2, 3, 1}}));
        assertEquals(2, group.rangeIncl(new int[][] {{3, 0, -2}}).getSize());
        assertEquals(0, group.rangeIncl(new int[][] {{0, Integer.MIN_VALUE, 1}}).getSize());
    }

    @Test
    void bytesAreCopiedInPiecesOfAnyNumber() {
        byte[] source = new byte[(1 << 20) + 4099];
        for (int i = 0; i < source.length; i++) {
            source[i] = (byte) (i * 31);
        }
        long[] between = new long[source.length / 8 + 1];
        byte[] target = new byte[source.length];
        Bytes.copy(source, 0, between, 0, source.length);
        Bytes.copy(between, 0, target, 0, source.length);
        assertTrue(Arrays.equals(source, target));
    }
}
