package org.brigade.launch.messages;

import java.nio.DoubleBuffer;
import java.util.Random;
import mpi.Comm;
import mpi.MPI;
import mpi.Request;

/**
 * Long messages of random calls, from and to memory in the heap and outside it; every value is compared. With a second
 * argument, rank 1 kills itself in the middle.
 */
public final class LoanProgram {
    private static final int MOST = 1 << 18;
    private static final int CALLS = 120;

    private final int rank = MPI.COMM_WORLD.getRank();
    private final int size = MPI.COMM_WORLD.getSize();
    private final DoubleBuffer send = MPI.newDoubleBuffer(MOST);
    private final DoubleBuffer recv = MPI.newDoubleBuffer(MOST);
    private final double[] array = new double[MOST];
    private int call;

    private LoanProgram() throws Exception {
    }

    public static void main(String[] args) throws Exception {
        String[] own = MPI.Init(args);
        LoanProgram program = new LoanProgram();
        Random random = new Random(Long.parseLong(own[0]));
        for (int i = 0; i < CALLS; i++) {
            if (own.length > 1 && i == CALLS / 2 && program.rank == 1) {
                new Thread(() -> Runtime.getRuntime().halt(3)).start();
            }
            program.next(random);
        }
        System.out.println("rank " + program.rank + " passed");
        MPI.Finalize();
    }

    private double value(int of, int i) {
        return 3 * of + i % 1000 + call;
    }

    private void next(Random random) throws Exception {
        call++;
        int count = random.nextInt(1 << 10 + random.nextInt(9)) + 1;
        int root = random.nextInt(size);
        int kind = random.nextInt(6);
        for (int i = 0; i < count; i++) {
            send.put(i, value(rank, i));
        }
        Comm world = MPI.COMM_WORLD;
        int left = (rank + size - 1) % size;
        int right = (rank + 1) % size;
        switch (kind) {
            case 0 -> {
                MPI.COMM_WORLD.allReduce(send, recv, count, MPI.DOUBLE, MPI.SUM);
                for (int i = 0; i < count; i++) {
                    double sum = 0;
                    for (int of = 0; of < size; of++) {
                        sum += value(of, i);
                    }
                    require(recv.get(i), sum, "allReduce", i);
                }
            }
            case 1 -> {
                MPI.COMM_WORLD.bcast(send, count, MPI.DOUBLE, root);
                for (int i = 0; i < count; i++) {
                    require(send.get(i), value(root, i), "bcast", i);
                }
            }
            case 2 -> {
                world.sendRecv(send, count, MPI.DOUBLE, right, 5, recv, count, MPI.DOUBLE, left, 5);
                for (int i = 0; i < count; i++) {
                    require(recv.get(i), value(left, i), "sendRecv", i);
                }
            }
            case 3 -> {
                Request request = world.iSend(send, count, MPI.DOUBLE, right, 6);
                world.recv(array, count, MPI.DOUBLE, left, 6);
                request.waitFor();
                for (int i = 0; i < count; i++) {
                    require(array[i], value(left, i), "recv", i);
                }
            }
            case 4 -> {
                int part = Math.max(1, count / size);
                for (int i = 0; i < part * size; i++) {
                    send.put(i, value(rank, i));
                }
                MPI.COMM_WORLD.allToAll(send, part, MPI.DOUBLE, recv, part, MPI.DOUBLE);
                for (int i = 0; i < part * size; i++) {
                    require(recv.get(i), value(i / part, rank * part + i % part), "allToAll", i);
                }
            }
            default -> {
                int part = Math.max(1, count / size);
                MPI.COMM_WORLD.allGather(send, part, MPI.DOUBLE, recv, part, MPI.DOUBLE);
                for (int i = 0; i < part * size; i++) {
                    require(recv.get(i), value(i / part, i % part), "allGather", i);
                }
            }
        }
    }

    private void require(double found, double expected, String of, int at) {
        if (found != expected) {
            throw new AssertionError("rank " + rank + ", call " + call + ", " + of + ": element " + at + " is " + found
                + ", not " + expected);
        }
    }
}
