package org.brigade.launch.processes;

import static org.brigade.launch.processes.SpawningProgram.require;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;
import mpi.Comm;
import mpi.File;
import mpi.Intercomm;
import mpi.Intracomm;
import mpi.MPI;
import mpi.Request;
import mpi.Win;

/**
 * Makes all kinds of calls on a thread whose flag is set, and then, from the second round on, on one that another
 * thread interrupts all the time. The argument: a folder.
 */
public final class InterruptedProgram {
    private static final Intracomm WORLD = MPI.COMM_WORLD;
    private static final int LONG = 300_000;
    private static final int ROUNDS = 3;

    private static String folder;
    private static int rank;
    private static int size;

    private InterruptedProgram() {
    }

    private interface Step {
        void run() throws Exception;
    }

    private static void step(String what, Step step) throws Exception {
        Thread.currentThread().interrupt();
        try {
            step.run();
        } catch (Exception e) {
            throw new IllegalStateException(what + " depends on interrupts", e);
        }
        require(Thread.interrupted(), what + " has lost the flag");
    }

    public static void main(String[] line) throws Exception {
        folder = line[0];
        step("Init", () -> MPI.Init(line));
        rank = WORLD.getRank();
        size = WORLD.getSize();
        Intercomm parent = Intercomm.getParent();
        if (!parent.isNull()) {
            step("disconnect", parent::disconnect);
            step("Finalize", MPI::Finalize);
            return;
        }
        Thread main = Thread.currentThread();
        for (int round = 0; round < ROUNDS; round++) {
            calls(round);
            if (round == 0) {
                Thread interrupter = new Thread(() -> {
                    while (true) {
                        main.interrupt();
                        LockSupport.parkNanos(20_000);
                    }
                });
                interrupter.setDaemon(true);
                interrupter.start();
            }
        }
        Comm[] spawned = {null};
        step("spawn", () -> spawned[0] =
            WORLD.spawn(InterruptedProgram.class.getName(), new String[] {folder}, 1, MPI.INFO_NULL, 0, new int[1]));
        step("disconnect", ((Intercomm) spawned[0])::disconnect);
        step("Finalize", MPI::Finalize);
        System.out.println("all is right");
    }

    private static void calls(int round) throws Exception {
        int next = (rank + 1) % size;
        int last = (rank + size - 1) % size;
        Intracomm[] made = {null};
        step("dup", () -> made[0] = WORLD.dup());
        step("barrier", () -> made[0].barrier());
        step("free", () -> made[0].free());
        step("splitType", () -> WORLD.splitType(Comm.TYPE_SHARED, 0, MPI.INFO_NULL).free());
        step("allReduce", () -> {
            int[] sum = new int[LONG];
            Arrays.fill(sum, 1);
            WORLD.allReduce(sum, LONG, MPI.INT, MPI.SUM);
            require(sum[LONG - 1] == size, "the sum is " + sum[LONG - 1]);
        });
        step("sendRecv", () -> {
            int[] in = new int[LONG];
            WORLD.sendRecv(new int[LONG], LONG, MPI.INT, next, 0, in, LONG, MPI.INT, last, 0);
        });
        step("waits", () -> {
            // Rank 0 waits until the others are late by far, in each kind of wait.
            int[] word = {0};
            if (rank == 0) {
                WORLD.probe(1, 1);
                WORLD.recv(word, 1, MPI.INT, 1, 1);
                Request.waitAny(new Request[] {WORLD.iRecv(word, 1, MPI.INT, 1, 2)});
                WORLD.iBarrier().waitFor();
            } else {
                sleep();
                if (rank == 1) {
                    WORLD.send(word, 1, MPI.INT, 0, 1);
                    sleep();
                    WORLD.send(word, 1, MPI.INT, 0, 2);
                }
                sleep();
                WORLD.iBarrier().waitFor();
            }
        });
        step("objects", () -> {
            Object[] words = {rank == 0 ? "word" : null};
            WORLD.Bcast(words, 0, 1, MPI.OBJECT, 0);
            require(words[0].equals("word"), "" + words[0]);
        });
        step("windows", () -> {
            ByteBuffer memory = MPI.newByteBuffer(64);
            Win window = new Win(memory, 64, 1, MPI.INFO_NULL, WORLD);
            window.fence(0);
            window.put(MPI.newByteBuffer(8).put(0, (byte) 7), 8, MPI.BYTE, next, 0, 8, MPI.BYTE);
            window.fence(0);
            require(memory.get(0) == 7, "the window has " + memory.get(0));
            window.free();
        });
        step("shared windows", () -> {
            Intracomm node = WORLD.splitType(Comm.TYPE_SHARED, 0, MPI.INFO_NULL);
            Win window = new Win(64, 1, MPI.INFO_NULL, node, MPI.newByteBuffer(0), Win.FLAVOR_SHARED);
            window.fence(0);
            window.free();
            node.free();
        });
        step("ports", InterruptedProgram::meet);
        step("files", () -> files(round));
    }

    private static void sleep() {
        long until = System.nanoTime() + 30_000_000;
        while (System.nanoTime() - until < 0) {
            Thread.onSpinWait();
        }
    }

    private static void meet() throws Exception {
        byte[] name = new byte[MPI.MAX_PORT_NAME];
        String port = null;
        if (rank == 0) {
            port = Intracomm.openPort();
            System.arraycopy(port.getBytes(), 0, name, 0, port.length());
            Intracomm.publishName(folder, port);
            Intracomm.lookupName(folder);
            Intracomm.unpublishName(folder, port);
        }
        WORLD.bcast(name, name.length, MPI.BYTE, 0);
        if (rank == 0) {
            MPI.COMM_SELF.accept(port, 0).disconnect();
            Intracomm.closePort(port);
        } else if (rank == 1) {
            MPI.COMM_SELF.connect(new String(name).trim(), 0).disconnect();
        }
    }

    private static void files(int round) throws Exception {
        int[] numbers = new int[1000];
        Arrays.fill(numbers, rank + round);
        int[] read = new int[1000];
        File file = new File(WORLD, Path.of(folder, "file" + round).toString(), MPI.MODE_CREATE | MPI.MODE_RDWR);
        for (int i = 0; i < 50; i++) {
            file.writeAt(4000L * rank, numbers, 1000, MPI.INT);
            file.readAt(4000L * rank, read, 1000, MPI.INT);
            require(Arrays.equals(numbers, read), "the file is wrong");
            file.writeAtAll(4000L * rank, numbers, 1000, MPI.INT);
        }
        file.seekShared(0, MPI.SEEK_SET);
        for (int i = 0; i < 20; i++) {
            file.writeShared(numbers, 1, MPI.INT);
        }
        WORLD.barrier();
        require(file.getPositionShared() == 80L * size, "the shared pointer is at " + file.getPositionShared());
        file.sync();
        file.close();
    }
}
