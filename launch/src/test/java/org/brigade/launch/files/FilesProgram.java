package org.brigade.launch.files;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import mpi.Datatype;
import mpi.File;
import mpi.Info;
import mpi.MPI;
import mpi.MPIException;
import mpi.Status;
import mpi.front.io.StoredFile;

/**
 * Files that all ranks write together: pieces between each other's, shared and ordered pointers, errors of one rank.
 */
public final class FilesProgram {
    private static final int RECORDS = 200;

    private final int rank = MPI.COMM_WORLD.getRank();
    private final int ranks = MPI.COMM_WORLD.getSize();
    private final Path directory;

    private FilesProgram(Path directory) {
        this.directory = directory;
    }

    public static void main(String[] arguments) throws Exception {
        String[] own = MPI.Init(arguments);
        FilesProgram program = new FilesProgram(Path.of(own[0]));
        for (int seed = 0; seed < 24; seed++) {
            program.interleaved(seed);
        }
        program.shared();
        program.ordered();
        program.oneRankIsWrong();
        program.nothingIsLeft();
        System.out.println("rank " + program.rank + ": files are right");
        MPI.Finalize();
    }

    private File open(String name, int amode, Info info) {
        return new File(MPI.COMM_WORLD, directory.resolve(name).toString(), amode, info);
    }

    private static void check(boolean right, String what) {
        if (!right) {
            throw new IllegalStateException(what);
        }
    }

    /** Every rank draws the same numbers: blocks of the file are dealt to ranks at random, some to nobody. */
    private void interleaved(int seed) throws IOException {
        Random random = new Random(seed);
        int unit = 1 + random.nextInt(9);
        int[] owner = new int[ranks + random.nextInt(20)];
        Arrays.setAll(owner, i -> random.nextInt(ranks + 1) - 1);
        int disp = random.nextInt(3000);
        int items = random.nextInt(seed % 3 == 0 ? 1500 : 60);
        Info hints = new Info();
        hints.set("cb_buffer_size", List.of("4096", "70000", "4194304").get(random.nextInt(3)));
        hints.set("cb_nodes", "" + (1 + random.nextInt(ranks)));
        if (random.nextInt(4) == 0) {
            hints.set("collective_buffering", random.nextBoolean() ? "true" : "false");
        }
        int length = disp + items * owner.length * unit;
        byte[] content = new byte[length];
        random.nextBytes(content);
        byte[] before = new byte[disp + 100 + random.nextInt(2000)];
        random.nextBytes(before);
        Path path = directory.resolve("interleaved" + seed);
        if (rank == 0) {
            Files.write(path, before);
        }
        MPI.COMM_WORLD.barrier();
        int mine = (int) Arrays.stream(owner).filter(each -> each == rank).count();
        Datatype etype = Datatype.createContiguous(unit, MPI.BYTE);
        etype.commit();
        Datatype filetype = filetype(owner, etype, mine);
        File file = open(path.getFileName().toString(), MPI.MODE_RDWR, hints);
        file.setView(disp, etype, filetype, "native");
        byte[] data = new byte[items * mine * unit];
        gather(owner, unit, disp, content, data);
        int half = items / 2 * mine;
        Status status = seed % 2 == 0 ? file.writeAll(data, half, etype) : spread(file, data, half, etype, unit);
        check(status.getCount(etype) == half, "a wrong count");
        ByteBuffer rest = MPI.slice(data, half * unit);
        file.writeAllBegin(rest, items * mine - half, etype);
        file.writeAllEnd(rest);
        file.sync();
        byte[] expected = merged(owner, unit, disp, items, content, before);
        byte[] found = Files.readAllBytes(path);
        check(Arrays.equals(expected, found), "seed " + seed + ": written " + found.length + " bytes, first wrong one "
            + Arrays.mismatch(expected, found) + ", expected " + expected.length);
        byte[] back = new byte[data.length + 5 * unit * mine];
        int there = readable(owner, unit, disp, items + 5, expected.length);
        status = file.readAtAll(0, back, (items + 5) * mine, etype);
        check(status.getCount(MPI.BYTE) == there, "seed " + seed + ": read " + status.getCount(MPI.BYTE) + " of "
            + there);
        byte[] wanted = new byte[back.length];
        gather(owner, unit, disp, Arrays.copyOf(expected, disp + (items + 5) * owner.length * unit), wanted);
        check(Arrays.mismatch(back, 0, there, wanted, 0, there) < 0, "seed " + seed + ": read wrong bytes");
        check(rank != 0 || Arrays.equals(expected, Files.readAllBytes(path)), "a read has changed the file");
        file.close();
    }

    private Datatype filetype(int[] owner, Datatype etype, int mine) {
        int[] lengths = new int[mine];
        int[] displacements = new int[mine];
        int next = 0;
        for (int i = 0; i < owner.length; i++) {
            if (owner[i] == rank) {
                lengths[next] = 1;
                displacements[next++] = i;
            }
        }
        Datatype type = Datatype.createResized(Datatype.createIndexed(lengths, displacements, etype), 0,
            owner.length * etype.getSize());
        type.commit();
        return type;
    }

    private void gather(int[] owner, int unit, int disp, byte[] content, byte[] data) {
        int at = 0;
        for (int place = 0; at < data.length; place++) {
            if (owner[place % owner.length] == rank) {
                System.arraycopy(content, disp + place * unit, data, at, unit);
                at += unit;
            }
        }
    }

    private static byte[] merged(int[] owner, int unit, int disp, int items, byte[] content, byte[] before) {
        byte[] merged = before;
        for (int place = 0; place < items * owner.length; place++) {
            if (owner[place % owner.length] >= 0) {
                int at = disp + place * unit;
                merged = at + unit > merged.length ? Arrays.copyOf(merged, at + unit) : merged;
                System.arraycopy(content, at, merged, at, unit);
            }
        }
        return merged;
    }

    private int readable(int[] owner, int unit, int disp, int items, int length) {
        int readable = 0;
        for (int place = 0; place < items * owner.length; place++) {
            if (owner[place % owner.length] == rank) {
                readable += Math.max(0, Math.min(unit, length - disp - place * unit));
            }
        }
        return readable;
    }

    /** All ranks append records at the shared pointer: none is lost, none lies on another. */
    private void shared() {
        File file = open("shared", MPI.MODE_CREATE | MPI.MODE_RDWR, null);
        Datatype record = Datatype.createContiguous(2, MPI.INT);
        record.commit();
        file.setView(0, record, record, "native");
        for (int i = 0; i < RECORDS; i++) {
            file.writeShared(new int[] {rank, i}, 1, record);
        }
        file.sync();
        check(file.getPositionShared() == (long) RECORDS * ranks, "the shared pointer is " + file.getPositionShared());
        int[] all = new int[2 * RECORDS * ranks];
        file.readAt(0, all, RECORDS * ranks, record);
        int[] next = new int[ranks];
        for (int i = 0; i < all.length; i += 2) {
            check(all[i + 1] == next[all[i]]++, "a record of rank " + all[i] + " is missing or out of order");
        }
        file.seekShared(0, MPI.SEEK_SET);
        int read = 0;
        while (file.readShared(new int[2], 1, record).getCount(record) == 1) {
            read++;
        }
        int[] sum = {read};
        MPI.COMM_WORLD.allReduce(sum, 1, MPI.INT, MPI.SUM);
        check(sum[0] == RECORDS * ranks, sum[0] + " records were read");
        file.close();
    }

    private void ordered() {
        File file = open("ordered", MPI.MODE_CREATE | MPI.MODE_RDWR, null);
        file.setView(0, MPI.INT, MPI.INT, "native");
        for (int round = 0; round < 10; round++) {
            int[] mine = new int[rank + 1];
            Arrays.fill(mine, round * ranks + rank);
            check(file.writeOrdered(mine, rank + 1, MPI.INT).getCount(MPI.INT) == rank + 1, "a wrong count");
        }
        file.seekShared(0, MPI.SEEK_SET);
        for (int round = 0; round < 10; round++) {
            int[] back = new int[rank + 1];
            file.readOrderedBegin(back, rank + 1, MPI.INT);
            file.readOrderedEnd(back);
            for (int each : back) {
                check(each == round * ranks + rank, "read " + each + " in round " + round);
            }
        }
        int[] total = {0};
        file.readAt((long) ranks * (ranks + 1) / 2 * 10 - 1, total, 1, MPI.INT);
        check(total[0] == 10 * ranks - 1, "the last element is " + total[0]);
        file.close();
    }

    /** What is wrong on the last rank fails on all, and the file can be used afterwards. */
    /** Writes items that lie apart in memory. */
    private static Status spread(File file, byte[] data, int items, Datatype etype, int unit) {
        Datatype apart = Datatype.createResized(etype, 0, 2 * unit);
        apart.commit();
        byte[] wide = new byte[2 * items * unit];
        for (int i = 0; i < items; i++) {
            System.arraycopy(data, i * unit, wide, 2 * i * unit, unit);
        }
        return file.writeAll(wide, items, apart);
    }

    private void oneRankIsWrong() throws IOException {
        boolean last = rank == ranks - 1;
        fails(MPI.ERR_AMODE, () -> open("wrong", last ? 0 : MPI.MODE_RDWR, null));
        fails(MPI.ERR_NO_SUCH_FILE, () -> open("absent", MPI.MODE_RDWR, null));
        File file = open("wrong", MPI.MODE_CREATE | MPI.MODE_RDWR | MPI.MODE_DELETE_ON_CLOSE, null);
        boolean asks = !isLocal();
        wrongArguments(file, asks);
        Datatype gapped = Datatype.createResized(MPI.INT, 0, Integer.BYTES * (ranks + 1));
        gapped.commit();
        file.setView(0, MPI.BYTE, last ? gapped : MPI.BYTE, "native"); // one view with gaps, and all ask again
        wrongArguments(file, true);
        Info always = new Info();
        always.set("collective_buffering", "true");
        file.setView(0, MPI.BYTE, MPI.BYTE, "native", always);
        wrongArguments(file, true);
        file.setInfo(null);
        wrongArguments(file, asks);
        fails(MPI.ERR_COUNT, () -> file.writeOrdered(new byte[4], last ? -1 : 4, MPI.BYTE));
        fails(MPI.ERR_TYPE, () -> file.setView(0, MPI.INT, last ? null : MPI.INT, "native"));
        fails(MPI.ERR_ARG, () -> file.setSize(last ? -1 : 5));
        if (ranks > 1) {
            fails(MPI.ERR_NOT_SAME, () -> file.setSize(last ? 1 : 2));
            fails(MPI.ERR_NOT_SAME, () -> file.seekShared(last ? 1 : 2, MPI.SEEK_SET));
            fails(MPI.ERR_NOT_SAME, () -> file.setAtomicity(last));
            fails(MPI.ERR_NOT_SAME, () -> file.setView(0, last ? MPI.INT : MPI.BYTE, MPI.INT, "native"));
        }
        file.setAtomicity(true);
        file.writeAtAll(4L * rank, new int[] {rank}, 1, MPI.INT);
        file.sync();
        int[] all = new int[ranks];
        file.readAtAll(0, all, ranks, MPI.INT);
        for (int i = 0; i < ranks; i++) {
            check(all[i] == i, "rank " + i + " wrote " + all[i]);
        }
        file.close();
    }

    /** On the last rank: of a collective call that fails on all ranks, or there alone. */
    private void wrongArguments(File file, boolean onAll) {
        boolean last = rank == ranks - 1;
        Runnable write = () -> file.writeAll(new byte[4], last ? 5 : 4, MPI.BYTE);
        Runnable writeAt = () -> file.writeAtAll(last ? -1 : 0, new byte[4], 4, MPI.BYTE);
        if (onAll || last) {
            fails(MPI.ERR_COUNT, write);
            fails(MPI.ERR_ARG, writeAt);
        } else {
            write.run();
            writeAt.run();
        }
    }

    /** Whether a write is a copy on this machine, as in {@code OpenFile}: no rank then asks others for it. */
    private boolean isLocal() throws IOException {
        StoredFile stored = StoredFile.open(directory.resolve("shared"), true, false, false, false);
        try {
            return stored.isLocal() && !"pretended".equals(System.getProperty("brigade.fabric"));
        } finally {
            stored.close();
        }
    }

    private static void fails(int errorClass, Runnable call) {
        try {
            call.run();
        } catch (MPIException e) {
            check(e.getErrorClass() == errorClass, e.getMessage());
            return;
        }
        throw new IllegalStateException("no error of class " + errorClass);
    }

    private void nothingIsLeft() throws IOException {
        MPI.COMM_WORLD.barrier();
        try (var files = Files.list(directory)) {
            check(files.noneMatch(path -> path.toString().endsWith(".shared") || path.endsWith("wrong")),
                "a file is left");
        }
    }
}
