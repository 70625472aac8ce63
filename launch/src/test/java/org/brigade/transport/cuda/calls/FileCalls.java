package org.brigade.transport.cuda.calls;

import mpi.Datatype;
import mpi.File;
import mpi.MPI;

/** Files written from buffers and read back into others, by pointers, explicit offsets and views. */
final class FileCalls {
    private static final int MODE = MPI.MODE_CREATE | MPI.MODE_RDWR | MPI.MODE_DELETE_ON_CLOSE;

    interface Transfer {
        void run(Trial trial, File file, Object out, Object in) throws Exception;
    }

    private FileCalls() {
    }

    private static void add(CallAudit audit, String directory, String name, Transfer transfer) {
        audit.add(name, t -> {
            File file = new File(t.world, directory + "/audit", MODE, MPI.INFO_NULL);
            Object out = t.in(t.n);
            Object in = t.out(t.n);
            transfer.run(t, file, out, in);
            t.world.barrier();
            file.close();
        });
    }

    private static long own(Trial t) {
        return (long) t.rank * t.n * t.type.getByteSize();
    }

    static void add(CallAudit audit, String directory) {
        add(audit, directory, "writeAt, readAt", (t, file, out, in) -> {
            file.writeAt(own(t), out, t.n, t.type);
            file.readAt(own(t), in, t.n, t.type);
        });
        add(audit, directory, "writeAtAll, readAtAll", (t, file, out, in) -> {
            file.writeAtAll(own(t), out, t.n, t.type);
            file.readAtAll(own(t), in, t.n, t.type);
        });
        add(audit, directory, "write, read", (t, file, out, in) -> {
            file.setView(own(t), MPI.BYTE, MPI.BYTE, "native");
            file.write(out, t.n, t.type);
            file.seek(0, MPI.SEEK_SET);
            file.read(in, t.n, t.type);
        });
        add(audit, directory, "writeAll, readAll, interleaved", (t, file, out, in) -> {
            Datatype element = t.shape.element;
            Datatype every = Datatype.createResized(element, 0, t.size * element.getByteSize());
            every.commit();
            file.setView(t.rank * element.getByteSize(), element, every, "native");
            file.writeAll(out, t.n, t.type);
            file.seek(0, MPI.SEEK_SET);
            file.readAll(in, t.n, t.type);
        });
        add(audit, directory, "writeOrdered, readOrdered", (t, file, out, in) -> {
            file.writeOrdered(out, t.n, t.type);
            file.seekShared(0, MPI.SEEK_SET);
            file.readOrdered(in, t.n, t.type);
        });
        add(audit, directory, "writeShared, readShared", (t, file, out, in) -> {
            for (int turn = 0; turn < 2 * t.size; turn++) {
                if (turn == t.size) {
                    file.seekShared(0, MPI.SEEK_SET);
                }
                t.world.barrier();
                if (turn == t.rank) {
                    file.writeShared(out, t.n, t.type);
                } else if (turn == t.rank + t.size) {
                    file.readShared(in, t.n, t.type);
                }
            }
        });
        add(audit, directory, "nonblocking", (t, file, out, in) -> {
            file.iWriteAt(own(t), out, t.n, t.type).waitFor();
            file.iReadAt(own(t), in, t.n, t.type).waitFor();
            Object more = t.out(t.n);
            file.iWriteAtAll(own(t), in, t.n, t.type).waitFor();
            file.iReadAtAll(own(t), more, t.n, t.type).waitFor();
        });
        add(audit, directory, "nonblocking, by pointers", (t, file, out, in) -> {
            Object more = t.out(t.n);
            file.setView(2 * own(t), MPI.BYTE, MPI.BYTE, "native");
            file.iWrite(out, t.n, t.type).waitFor();
            file.iWriteAll(out, t.n, t.type).waitFor();
            file.seek(0, MPI.SEEK_SET);
            file.iRead(in, t.n, t.type).waitFor();
            file.iReadAll(more, t.n, t.type).waitFor();
        });
        add(audit, directory, "nonblocking, by the shared pointer", (t, file, out, in) -> {
            for (int turn = 0; turn < t.size; turn++) {
                t.world.barrier();
                if (turn == t.rank) {
                    file.iWriteShared(out, t.n, t.type).waitFor();
                }
            }
            t.world.barrier();
            file.seekShared(0, MPI.SEEK_SET);
            for (int turn = 0; turn < t.size; turn++) {
                t.world.barrier();
                if (turn == t.rank) {
                    file.iReadShared(in, t.n, t.type).waitFor();
                }
            }
        });
        add(audit, directory, "split collectives", (t, file, out, in) -> {
            file.writeAtAllBegin(own(t), out, t.n, t.type);
            file.writeAtAllEnd(out);
            file.readAtAllBegin(own(t), in, t.n, t.type);
            file.readAtAllEnd(in);
            file.seekShared(0, MPI.SEEK_SET);
            file.writeOrderedBegin(out, t.n, t.type);
            file.writeOrderedEnd(out);
            file.seekShared(0, MPI.SEEK_SET);
            Object more = t.out(t.n);
            file.readOrderedBegin(more, t.n, t.type);
            file.readOrderedEnd(more);
            file.seek(0, MPI.SEEK_SET);
            file.setView(own(t), MPI.BYTE, MPI.BYTE, "native");
            file.writeAllBegin(out, t.n, t.type);
            file.writeAllEnd(out);
            Object last = t.out(t.n);
            file.seek(0, MPI.SEEK_SET);
            file.readAllBegin(last, t.n, t.type);
            file.readAllEnd(last);
        });
    }
}
