package mpi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import mpi.front.arguments.Arguments;
import mpi.front.types.Bytes;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** Files of one rank: views against a model, modes, pointers and what is refused. */
class FileTest {
    private static final int CREATE = MPI.MODE_CREATE | MPI.MODE_RDWR;

    @TempDir
    Path directory;

    @BeforeEach
    void run() {
        FakeProvider.run();
    }

    private String name(String file) {
        return directory.resolve(file).toString();
    }

    private File open(String file, int amode) {
        return new File(MPI.COMM_SELF, name(file), amode);
    }

    private static void refused(int errorClass, String word, Executable call) {
        MPIException error = assertThrows(MPIException.class, call);
        assertEquals(errorClass, error.getErrorClass(), error.getMessage());
        assertTrue(error.getMessage().contains(word) && error.getMessage().contains(";"), error.getMessage());
    }

    // ---- views ----

    /** A file type of rising displacements, and the bytes of an item that it has. */
    private record Pattern(Datatype type, List<Integer> places, int extent) {
        int place(int data) {
            return data / places.size() * extent + places.get(data % places.size());
        }
    }

    private static Pattern pattern(Random random, Datatype etype) {
        int unit = etype.getSize();
        int blocks = 1 + random.nextInt(4);
        int[] lengths = new int[blocks];
        int[] displacements = new int[blocks];
        List<Integer> places = new ArrayList<>();
        int next = random.nextInt(3);
        for (int i = 0; i < blocks; i++) {
            lengths[i] = random.nextInt(4) + (i == 0 ? 1 : 0);
            displacements[i] = next;
            for (int byteOf = 0; byteOf < lengths[i] * unit; byteOf++) {
                places.add(next * unit + byteOf);
            }
            next += lengths[i] + random.nextInt(3);
        }
        int extent = (next + random.nextInt(4)) * unit;
        Datatype type = Datatype.createResized(Datatype.createIndexed(lengths, displacements, etype), 0, extent);
        type.commit();
        return new Pattern(type, places, extent);
    }

    @Test
    void viewsReadAndWriteTheBytesThatTheirTypesName() throws IOException {
        for (int seed = 0; seed < 150; seed++) {
            Random random = new Random(seed);
            Datatype etype = Datatype.createContiguous(1 + random.nextInt(3), MPI.BYTE);
            etype.commit();
            int unit = etype.getSize();
            Pattern pattern = pattern(random, etype);
            byte[] model = new byte[600];
            random.nextBytes(model);
            Path path = directory.resolve("views" + seed);
            Files.write(path, model);
            int disp = random.nextInt(20);
            File file = open("views" + seed, MPI.MODE_RDWR);
            file.setAtomicity(random.nextInt(4) == 0);
            file.setView(disp, etype, pattern.type, "native");
            int position = 0;
            for (int step = 0; step < 12; step++) {
                int etypes = random.nextInt(12);
                int at = random.nextInt(30);
                boolean own = random.nextBoolean();
                int begin = (own ? position : at) * unit;
                byte[] data = new byte[etypes * unit];
                random.nextBytes(data);
                assertEquals(disp + pattern.place(at * unit), file.getByteOffset(at));
                if (random.nextBoolean()) {
                    assertEquals(etypes,
                        (own ? file.write(data, etypes, etype) : file.writeAt(at, data, etypes, etype))
                            .getCount(etype));
                    for (int i = 0; i < data.length; i++) {
                        int place = disp + pattern.place(begin + i);
                        model = place < model.length ? model : Arrays.copyOf(model, place + 1);
                        model[place] = data[i];
                    }
                    position += own ? etypes : 0;
                } else {
                    Status status = own ? file.read(data, etypes, etype) : file.readAt(at, data, etypes, etype);
                    int there = 0;
                    while (there < data.length && disp + pattern.place(begin + there) < model.length) {
                        assertEquals(model[disp + pattern.place(begin + there)], data[there], "seed " + seed);
                        there++;
                    }
                    assertEquals(there, status.getCount(MPI.BYTE), "seed " + seed);
                    position += own ? there / unit : 0;
                }
                assertEquals(position, file.getPosition());
            }
            file.seek(0, MPI.SEEK_END);
            long end = file.getPosition();
            assertTrue(disp + pattern.place((int) end * unit) >= model.length
                && (end == 0 || disp + pattern.place((int) end * unit - unit) < model.length), "seed " + seed);
            file.close();
            assertArrayEquals(model, Files.readAllBytes(path), "seed " + seed);
        }
    }

    @Test
    void everyKindOfBufferIsWrittenAndRead() throws IOException {
        Datatype column = Datatype.createVector(3, 1, 2, MPI.INT);
        column.commit();
        Object[][] pairs = {{new int[] {1, 2, 3}, new int[3], MPI.INT, 3}, {new double[] {1, 2}, new double[2],
            MPI.DOUBLE, 2}, {new boolean[] {true, false, true}, new boolean[3], MPI.BOOLEAN, 3},
            {IntBuffer.wrap(new int[] {4, 5}), MPI.newIntBuffer(2), MPI.INT, 2},
            {ByteBuffer.allocateDirect(4).putInt(0, 77), ByteBuffer.allocate(4), MPI.BYTE, 4},
            {ByteBuffer.allocateDirect(6).putInt(0, 78).position(1).limit(3),
                ByteBuffer.allocateDirect(5).position(3).limit(3), MPI.BYTE, 4},
            {new int[] {1, 0, 3, 0, 5}, new int[5], column, 1}};
        File file = open("kinds", CREATE);
        for (Object[] pair : pairs) {
            Datatype type = (Datatype) pair[2];
            int count = (int) pair[3];
            assertEquals(count, file.writeAt(5, pair[0], count, type).getCount(type));
            assertEquals(count, file.readAt(5, pair[1], count, type).getCount(type));
            byte[] out = new byte[count * type.items.size];
            byte[] in = new byte[out.length];
            Bytes.get(Arguments.buffer(MPI.COMM_SELF.handle, "t", "b", pair[0], 0, count, 1, type.items, false), 0, out,
                0,
                out.length);
            Bytes.get(Arguments.buffer(MPI.COMM_SELF.handle, "t", "b", pair[1], 0, count, 1, type.items, false), 0, in,
                0,
                in.length);
            assertArrayEquals(out, in);
        }
        assertEquals(5 + 12, Files.size(directory.resolve("kinds")) - 4);
        file.close();
    }

    // ---- pointers, halves, requests ----

    @Test
    void theSharedPointerHasNoFileOfItsOwn() throws IOException {
        File file = open("shared", CREATE);
        file.setView(0, MPI.INT, MPI.INT, "native");
        file.writeShared(new int[] {1, 2}, 2, MPI.INT);
        file.writeOrdered(new int[] {3}, 1, MPI.INT);
        assertEquals(3, file.getPositionShared());
        try (var files = Files.list(directory)) {
            assertEquals(1, files.count());
        }
        file.seekShared(-2, MPI.SEEK_END);
        int[] back = new int[4];
        assertEquals(2, file.readShared(back, 4, MPI.INT).getCount(MPI.INT));
        assertArrayEquals(new int[] {2, 3, 0, 0}, back);
        assertEquals(5, file.getPositionShared(), "a shared pointer moves by what was asked for");
        file.setView(4, MPI.INT, MPI.INT, "native");
        assertEquals(0, file.getPositionShared());
        assertEquals(0, file.getPosition());
        file.close();
    }

    @Test
    void sequentialFilesBeginWhereTheSharedPointerIs() {
        File file = open("sequential", MPI.MODE_CREATE | MPI.MODE_WRONLY | MPI.MODE_SEQUENTIAL);
        file.writeShared(new byte[6], 6, MPI.BYTE);
        file.setView(MPI.DISPLACEMENT_CURRENT, MPI.INT, MPI.INT, "native");
        assertEquals(6, file.getView().getDisp());
        assertEquals(10, file.getByteOffset(1));
        refused(MPI.ERR_ARG, "DISPLACEMENT_CURRENT", () -> file.setView(0, MPI.INT, MPI.INT, "native"));
        refused(MPI.ERR_UNSUPPORTED_OPERATION, "SEQUENTIAL", () -> file.write(new int[1], 1, MPI.INT));
        refused(MPI.ERR_UNSUPPORTED_OPERATION, "SEQUENTIAL", () -> file.writeAtAll(0, new int[1], 1, MPI.INT));
        refused(MPI.ERR_UNSUPPORTED_OPERATION, "SEQUENTIAL", () -> file.seek(0, MPI.SEEK_SET));
        refused(MPI.ERR_UNSUPPORTED_OPERATION, "SEQUENTIAL", () -> file.setSize(3));
        file.close();
    }

    @Test
    void requestsAreCompleteAndTheirStatusSaysWhatMoved() {
        File file = open("requests", CREATE);
        IntBuffer some = MPI.newIntBuffer(3).put(0, 5).put(2, 7);
        assertEquals(3, file.iWrite(some, 3, MPI.INT).waitStatus().getCount(MPI.INT));
        assertEquals(12, file.getPosition());
        IntBuffer back = MPI.newIntBuffer(9);
        Request request = file.iReadAt(0, back, 9, MPI.INT);
        assertEquals(3, Request.waitAllStatus(new Request[] {request})[0].count);
        assertEquals(7, back.get(2));
        file.iWriteShared(some, 1, MPI.INT).waitFor();
        assertEquals(4, file.getPositionShared());
        file.close();
    }

    @Test
    void whatTheFileSystemRefusesARequestIsThrownByTheWait() throws IOException {
        Files.createSymbolicLink(directory.resolve("full"), Path.of("/dev/full"));
        File file = open("full", MPI.MODE_WRONLY);
        Request request = file.iWriteAt(0, MPI.newIntBuffer(1), 1, MPI.INT);
        refused(MPI.ERR_NO_SPACE, "iWriteAt on rank 0 of 1 in file", request::waitFor);
        assertTrue(request.isNull());
        refused(MPI.ERR_NO_SPACE, "make room", () -> file.write(new byte[1], 1, MPI.BYTE));
        assertThrows(MPIException.class, file::close, "the device cannot be forced");
    }

    @Test
    void aCallInTwoHalvesIsEndedByItsOwnHalfWithItsBuffer() {
        File file = open("halves", CREATE);
        int[] data = {1, 2};
        file.writeAllBegin(data, 2, MPI.INT);
        refused(MPI.ERR_OTHER, "writeAllEnd", () -> file.readAtAllBegin(0, data, 2, MPI.INT));
        refused(MPI.ERR_OTHER, "readAllBegin", () -> file.readAllEnd(data));
        refused(MPI.ERR_BUFFER, "same object", () -> file.writeAllEnd(new int[2]));
        assertEquals(2, file.writeAllEnd(data).getCount(MPI.INT));
        int[] back = new int[2];
        file.readAtAllBegin(0, back, 2, MPI.INT);
        assertEquals(2, file.readAtAllEnd(back).getCount(MPI.INT));
        assertArrayEquals(data, back);
        file.close();
    }

    // ---- modes and what is refused ----

    @Test
    void modesMakeAppendToAndDeleteFiles() throws IOException {
        refused(MPI.ERR_NO_SUCH_FILE, "MODE_CREATE", () -> open("modes", MPI.MODE_RDWR));
        File file = open("modes", CREATE | MPI.MODE_EXCL | MPI.MODE_UNIQUE_OPEN);
        file.write(new byte[10], 10, MPI.BYTE);
        file.close();
        refused(MPI.ERR_FILE_EXISTS, "MODE_EXCL", () -> open("modes", CREATE | MPI.MODE_EXCL));
        file = open("modes", MPI.MODE_RDWR | MPI.MODE_APPEND);
        assertEquals(10, file.getPosition());
        assertEquals(10, file.getPositionShared());
        assertEquals(MPI.MODE_RDWR | MPI.MODE_APPEND, file.getAMode());
        file.setView(2, MPI.BYTE, MPI.BYTE, "native");
        assertEquals(0, file.getPositionShared());
        file.close();
        open("modes", MPI.MODE_RDONLY | MPI.MODE_DELETE_ON_CLOSE).close();
        assertFalse(Files.exists(directory.resolve("modes")));
    }

    @Test
    void modesThatMakeNoSenseAreRefused() {
        for (int mode : new int[] {0, MPI.MODE_CREATE, MPI.MODE_RDONLY | MPI.MODE_WRONLY, MPI.MODE_RDWR | 512,
            MPI.MODE_RDONLY | MPI.MODE_CREATE, MPI.MODE_RDWR | MPI.MODE_SEQUENTIAL}) {
            refused(MPI.ERR_AMODE, "amode " + mode, () -> open("none", mode));
        }
        refused(MPI.ERR_COMM, "null", () -> new File(null, name("none"), CREATE));
        refused(MPI.ERR_BAD_FILE, "name", () -> new File(MPI.COMM_SELF, null, CREATE));
        refused(MPI.ERR_BAD_FILE, "directory", () -> new File(MPI.COMM_SELF, directory.toString(), CREATE));
        refused(MPI.ERR_BAD_FILE, "name", () -> open("x".repeat(1000), CREATE));
        refused(MPI.ERR_NO_SUCH_FILE, "directory", () -> open("no/where", CREATE));
        refused(MPI.ERR_NO_SUCH_FILE, "not exist", () -> File.delete(name("none")));
        refused(MPI.ERR_BAD_FILE, "directory", () -> File.delete(directory.toString()));
        assertEquals(0, directory.toFile().list().length);
    }

    @Test
    void accessesOutsideTheModeTheViewOrTheBufferAreRefused() throws IOException {
        Files.write(directory.resolve("file"), new byte[64]);
        File read = open("file", MPI.MODE_RDONLY);
        refused(MPI.ERR_READ_ONLY, "MODE_RDONLY", () -> read.writeAt(0, new byte[1], 1, MPI.BYTE));
        refused(MPI.ERR_READ_ONLY, "MODE_RDONLY", () -> read.setSize(1));
        read.sync();
        read.close();
        File write = open("file", MPI.MODE_WRONLY);
        refused(MPI.ERR_ACCESS, "MODE_WRONLY", () -> write.readAll(new byte[1], 1, MPI.BYTE));
        write.close();
        File file = open("file", MPI.MODE_RDWR);
        refused(MPI.ERR_ARG, "offset -1", () -> file.readAt(-1, new byte[1], 1, MPI.BYTE));
        refused(MPI.ERR_ARG, "too large", () -> file.readAt(Long.MAX_VALUE, new byte[1], 1, MPI.BYTE));
        refused(MPI.ERR_COUNT, "byte[1]", () -> file.readAt(0, new byte[1], 2, MPI.BYTE));
        refused(MPI.ERR_TYPE, "null", () -> file.readAt(0, new byte[1], 1, null));
        refused(MPI.ERR_TYPE, "object", () -> file.readAt(0, new Object[1], 1, MPI.OBJECT));
        refused(MPI.ERR_BUFFER, "read-only", () -> file.read(ByteBuffer.allocate(4).asReadOnlyBuffer(), 4, MPI.BYTE));
        refused(MPI.ERR_ARG, "leads before", () -> file.seek(-1, MPI.SEEK_CUR));
        refused(MPI.ERR_ARG, "whence", () -> file.seek(0, 1));
        refused(MPI.ERR_ARG, "negative", () -> file.setSize(-1));
        refused(MPI.ERR_NO_SPACE, "room", () -> file.preallocate(Long.MAX_VALUE));
        refused(MPI.ERR_ARG, "handler", () -> file.setErrhandler(null));
        assertSame(MPI.ERRORS_RETURN, file.getErrhandler());
        file.setView(0, MPI.INT, MPI.INT, "native");
        refused(MPI.ERR_TYPE, "etypes of 4", () -> file.read(new byte[3], 3, MPI.BYTE));
        file.close();
        refused(MPI.ERR_FILE, "closed", file::getSize);
        refused(MPI.ERR_FILE, "closed", file::close);
        assertEquals(null, file.getView() == null ? null : "a view of a closed file");
    }

    @Test
    void viewsThatDescribeNoFileAreRefused() {
        File file = open("views", CREATE);
        Datatype falling = Datatype.createIndexed(new int[] {1, 1}, new int[] {3, 0}, MPI.INT);
        Datatype doubled = Datatype.createIndexed(new int[] {2, 2}, new int[] {0, 1}, MPI.INT);
        Datatype before = Datatype.createIndexed(new int[] {1}, new int[] {-1}, MPI.INT);
        Datatype uncommitted = Datatype.createVector(2, 1, 2, MPI.INT);
        for (Datatype type : new Datatype[] {falling, doubled, before}) {
            type.commit();
            refused(MPI.ERR_TYPE, "make a file type", () -> file.setView(0, MPI.INT, type, "native"));
        }
        refused(MPI.ERR_TYPE, "commit", () -> file.setView(0, MPI.INT, uncommitted, "native"));
        refused(MPI.ERR_TYPE, "derive", () -> file.setView(0, MPI.DOUBLE, MPI.INT, "native"));
        refused(MPI.ERR_TYPE, "null", () -> file.setView(0, null, MPI.INT, "native"));
        refused(MPI.ERR_ARG, "disp", () -> file.setView(-1, MPI.INT, MPI.INT, "native"));
        refused(MPI.ERR_ARG, "DISPLACEMENT",
            () -> file.setView(MPI.DISPLACEMENT_CURRENT, MPI.INT, MPI.INT, "native"));
        refused(MPI.ERR_UNSUPPORTED_DATAREP, "external32", () -> file.setView(0, MPI.INT, MPI.INT, "external32"));
        assertSame(MPI.BYTE, file.getView().getEType());
        assertSame(MPI.BYTE, file.getView().getFileType());
        assertEquals("native", file.getView().getDataRep());
        file.close();
    }

    @Test
    void sizesCanBeSet() throws IOException {
        File file = open("sizes", CREATE);
        file.write(new byte[] {1, 2, 3}, 3, MPI.BYTE);
        file.setSize(2);
        assertEquals(2, file.getSize());
        file.setSize(100);
        assertEquals(100, file.getSize());
        file.preallocate(3 << 20);
        file.preallocate(5);
        assertEquals(3 << 20, file.getSize());
        byte[] back = new byte[3];
        file.readAt(0, back, 3, MPI.BYTE);
        assertArrayEquals(new byte[] {1, 2, 0}, back);
        assertEquals(1, file.getGroup().getSize());
        assertEquals(1, file.getTypeExtent(MPI.INT));
        file.close();
    }

    @Test
    void hintsThatAreFollowedAreShown() {
        Info hints = new Info();
        hints.set("cb_nodes", "7");
        hints.set("cb_buffer_size", "nonsense");
        hints.set("mine", "kept");
        File file = new File(MPI.COMM_SELF, name("hints"), CREATE, hints);
        assertEquals("1", file.getInfo().get("cb_nodes"));
        assertEquals("4194304", file.getInfo().get("cb_buffer_size"));
        assertEquals("kept", file.getInfo().get("mine"));
        file.setInfo(null);
        assertEquals(null, file.getInfo().get("mine"));
        file.close();
    }
}
