package org.brigade.transport.sisci;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import mpi.MPI;
import mpi.MPIException;
import org.brigade.memory.NativeMemory;
import org.brigade.transport.sisci.adapter.Adapter;
import org.brigade.transport.sisci.adapter.InboxDescriptor;
import org.brigade.transport.sisci.adapter.Outbox;
import org.brigade.transport.sisci.adapter.SisciSettings;
import org.brigade.transport.sisci.adapter.Teardown;

/** What the ranks of {@link SisciJobsTest} run: allreduces of every size, each compared, while something happens. */
final class SisciProgram {
    private static final int[] COUNTS = {1, 100, 5000, 50_000, 700_000};
    private static final int RING = InboxDescriptor.SMALLEST_RING;

    private SisciProgram() {
    }

    /** {@code SisciProgram rounds [deed of rank 1 after its first round]}. */
    public static void main(String[] arguments) throws Exception {
        MPI.Init(arguments);
        int rank = MPI.COMM_WORLD.getRank();
        int rounds = Integer.parseInt(arguments[0]);
        String deed = arguments.length > 1 ? arguments[1] : "";
        int[] processes = new int[MPI.COMM_WORLD.getSize()];
        MPI.COMM_WORLD.allGather(new int[] {(int) ProcessHandle.current().pid()}, 1, MPI.INT, processes, 1, MPI.INT);
        if (deed.equals("scribble")) {
            MPI.COMM_WORLD.setErrhandler(MPI.ERRORS_RETURN);
        }
        for (int round = 0; round < rounds; round++) {
            try {
                for (int count : COUNTS) {
                    allreduce(rank, count, round);
                }
            } catch (MPIException e) {
                System.out.println("rank " + rank + " caught " + e);
                System.exit(1);
            }
            if (round == 0) {
                System.out.println("rank " + rank + " is process " + processes[rank]);
                if (rank == 1) {
                    act(deed, processes);
                }
            }
        }
        MPI.Finalize();
        System.out.println("rank " + rank + " finalized");
    }

    private static void allreduce(int rank, int count, int round) throws Exception {
        int size = MPI.COMM_WORLD.getSize();
        int[] send = new int[count];
        int[] sum = new int[count];
        for (int i = 0; i < count; i++) {
            send[i] = (rank + 1) * (i + round);
        }
        MPI.COMM_WORLD.allReduce(send, sum, count, MPI.INT, MPI.SUM);
        for (int i = 0; i < count; i++) {
            if (sum[i] != size * (size + 1) / 2 * (i + round)) {
                System.out.println("WRONG: element " + i + " of " + count + " is " + sum[i] + " on rank " + rank);
                Runtime.getRuntime().halt(99);
            }
        }
    }

    private static void act(String deed, int[] processes) throws Exception {
        switch (deed) {
            case "kill" -> later(() -> new ProcessBuilder("kill", "-KILL", "" + processes[1]).start().waitFor());
            case "terminate" -> later(() -> new ProcessBuilder("kill", "-TERM", "" + processes[1]).start().waitFor());
            case "exit" -> later(() -> System.exit(3));
            case "throw" -> throw new IllegalStateException("thrown on purpose");
            case "scribble" -> scribble(processes[0]);
            default -> {}
        }
    }

    private interface Deed {
        void run() throws Exception;
    }

    /** While this rank is in the middle of what follows. */
    private static void later(Deed deed) {
        Thread thread = new Thread(() -> {
            Teardown.nap(new SplittableRandom().nextInt(300) * 1_000_000L);
            try {
                deed.run();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    /**
     * Writes garbage into every inbox of rank 0, which is on node 4, until rank 0 ends the job. This rank sends nothing
     * more: rank 0 would read a record written over garbage half and half, its head from here and its data garbage.
     */
    private static void scribble(int process) {
        Adapter adapter = Adapter.open(new SisciSettings(RING, 1, 1, 1, 0, false));
        List<Outbox> inboxes = new ArrayList<>();
        for (int i = 0; i < 32; i++) {
            try {
                inboxes.add(Outbox.connect(adapter, 4, Adapter.firstId(process) + i, RING));
            } catch (org.brigade.transport.sisci.adapter.SisciException none) {
                // fewer inboxes than numbers
            }
        }
        SplittableRandom random = new SplittableRandom(process);
        while (true) {
            for (Outbox inbox : inboxes) {
                NativeMemory memory = inbox.memory;
                for (int at = 0; at < InboxDescriptor.RINGS; at += 8) {
                    boolean line = at < 4096;
                    memory.putLong(at, line ? random.nextLong()
                        : InboxDescriptor.word(random.nextInt() | 0x800000, 1 + random.nextInt(4)));
                }
                inbox.flush();
            }
        }
    }
}
