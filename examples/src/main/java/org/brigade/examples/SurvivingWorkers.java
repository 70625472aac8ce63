package org.brigade.examples;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.TreeMap;
import mpi.Intercomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Status;

/**
 * A master spawns workers and hands out tasks to them. When a worker dies, the master and the other workers go on: the
 * tasks whose results are missing are handed out again. The tag says what a message is.
 *
 * <p>
 * Start one rank. Arguments: the number of workers, the number of tasks and, if a worker is to die, its rank.
 */
public final class SurvivingWorkers {
    private static final int TASK = 1;
    private static final int RESULT = 2;
    private static final int STOP = 3;

    private SurvivingWorkers() {
    }

    public static void main(String[] args) throws MPIException, IOException {
        MPI.Init(args);
        MPI.COMM_WORLD.setErrhandler(MPI.ERRORS_RETURN); // else the death of a worker ends the others
        Intercomm parent = Intercomm.getParent();
        if (parent.isNull()) {
            new Master(args).run();
        } else {
            work(parent, args.length > 2 && MPI.COMM_WORLD.getRank() == Integer.parseInt(args[2]));
        }
        MPI.Finalize();
    }

    /** Whether a call has failed because a process has died. */
    private static void requireDeath(MPIException error) throws MPIException {
        if (error.getErrorClass() != MPI.ERR_PROC_FAILED && error.getErrorClass() != MPI.ERR_REVOKED) {
            throw error;
        }
    }

    // ---- the master ----

    private static final class Master {
        private final int tasks;
        /** Tasks that no worker has. */
        private final ArrayDeque<Integer> open = new ArrayDeque<>();
        /** By task: its result. */
        private final TreeMap<Integer, Integer> results = new TreeMap<>();
        private Intercomm workers;

        Master(String[] args) throws MPIException {
            tasks = Integer.parseInt(args[1]);
            workers = MPI.COMM_SELF.spawn(SurvivingWorkers.class.getName(), args, Integer.parseInt(args[0]),
                MPI.INFO_NULL, 0, null);
            workers.setErrhandler(MPI.ERRORS_RETURN);
        }

        void run() throws MPIException {
            while (results.size() < tasks) {
                try {
                    handOutAll();
                    collect();
                } catch (MPIException death) {
                    requireDeath(death);
                    workers.revoke(); // workers that wait here for tasks hear of it
                    workers = workers.shrink();
                    System.out.println("going on with " + workers.getRemoteSize() + " workers");
                }
            }
            int sum = 0;
            for (int result : results.values()) {
                sum += result;
            }
            System.out.println("the squares of the tasks add up to " + sum);
            for (int worker = 0; worker < workers.getRemoteSize(); worker++) {
                stop(worker);
            }
            workers.free(); // waits for nobody; disconnect would wait for all workers
        }

        /** The tasks whose results are missing, one to each worker. */
        private void handOutAll() throws MPIException {
            if (workers.getRemoteSize() == 0) {
                throw new IllegalStateException("no worker is left");
            }
            open.clear();
            for (int task = 1; task <= tasks; task++) {
                if (!results.containsKey(task)) {
                    open.add(task);
                }
            }
            for (int worker = 0; worker < workers.getRemoteSize(); worker++) {
                handOut(worker);
            }
        }

        private void handOut(int worker) throws MPIException {
            if (!open.isEmpty()) {
                workers.send(new int[] {open.remove()}, 1, MPI.INT, worker, TASK);
            }
        }

        private void collect() throws MPIException {
            int[] result = new int[2];
            while (results.size() < tasks) {
                Status status = workers.recv(result, 2, MPI.INT, MPI.ANY_SOURCE, RESULT);
                results.put(result[0], result[1]);
                handOut(status.getSource());
            }
        }

        private void stop(int worker) throws MPIException {
            try {
                workers.send(new int[1], 1, MPI.INT, worker, STOP);
            } catch (MPIException death) {
                requireDeath(death);
            }
        }
    }

    // ---- a worker ----

    private static void work(Intercomm parent, boolean dies) throws MPIException, IOException {
        Intercomm master = parent;
        master.setErrhandler(MPI.ERRORS_RETURN);
        int[] task = new int[1];
        while (true) {
            try {
                if (master.recv(task, 1, MPI.INT, 0, MPI.ANY_TAG).getTag() == STOP) {
                    break;
                }
                if (dies) {
                    die();
                }
                master.send(new int[] {task[0], task[0] * task[0]}, 2, MPI.INT, 0, RESULT);
            } catch (MPIException death) {
                requireDeath(death);
                master = master.shrink(); // the master has revoked it: another worker has died
            }
        }
        master.free();
    }

    private static void die() throws IOException {
        new ProcessBuilder("kill", "-KILL", Long.toString(ProcessHandle.current().pid())).start();
        while (true) {
            Thread.onSpinWait();
        }
    }
}
