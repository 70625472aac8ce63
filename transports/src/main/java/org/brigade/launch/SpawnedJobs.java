package org.brigade.launch;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import mpi.spi.SpawnCommand;
import org.brigade.bootstrap.GroupLetter;
import org.brigade.bootstrap.SpawnRequest;
import org.brigade.bootstrap.ports.Door;
import org.brigade.bootstrap.ports.FilePorts;

/**
 * The jobs that ranks spawn. A rank leaves a letter, and this launcher starts the processes as a job of its own, with
 * the class path and the flags of the first one. The launcher waits for all jobs. A job that fails ends the jobs that
 * it has spawned, as these may wait for it; it does not end the job that has spawned it, whose calls get an error.
 */
final class SpawnedJobs extends Thread {
    /** How often to look for a letter. A look costs a system call, and a JVM starts in twice this time. */
    private static final long INTERVAL_MILLIS = 100;

    /** One spawned job. */
    private final class Child extends Thread {
        private final String parent;
        private final String port;
        private final RankProcesses ranks;
        private final RankProcesses.Program[] programs;
        private final ProcessBuilder builder;
        private final RankEnvironment environment;

        Child(SpawnRequest request, int number, RankProcesses.Program[] programs, int size) {
            super("spawned job " + number);
            parent = request.job();
            port = request.port();
            this.programs = programs;
            ranks = new RankProcesses(first, number, size);
            builder = new ProcessBuilder(new ArrayList<>());
            environment = new RankEnvironment(builder.environment(), size, null, 1, options.fabric(), null);
            environment.door(Door.box(root));
            new PathOptions(options.directory()).settings(builder.environment());
            environment.parent(port);
        }

        @Override
        public void run() {
            String why;
            int exit = 0;
            try {
                exit = ranks.runSpawned(programs, builder, environment);
                why = "the processes have ended before all were in MPI.Init"
                    + (exit == 0 ? "" : "; the first bad exit code was " + exit)
                    + ". Their own messages say why; check the command and its class path";
            } catch (LaunchException e) {
                why = e.getMessage();
            }
            // The port is open as long as its owners wait: then they get an error, and the launcher has none.
            boolean refused = door.tell(port, GroupLetter.failure(why));
            ended(this, refused ? 0 : exit);
        }
    }

    private final RankProcesses first;
    private final LaunchOptions options;
    private final String root;
    private final List<Child> running = new ArrayList<>();
    private int started;
    private int code;
    private boolean over;
    /** Null until the first look. */
    private Door door;

    /** @param root the key of the first job */
    SpawnedJobs(RankProcesses first, String root, LaunchOptions options) {
        super("spawned jobs");
        setDaemon(true);
        this.first = first;
        this.options = options;
        this.root = root;
    }

    @Override
    public void run() {
        try {
            // Nothing is looked up before: the ranks' JVMs need the processors.
            sleep(INTERVAL_MILLIS);
            door();
            while (look()) {
                sleep(INTERVAL_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            System.err.println("mpjrun: no process can be spawned: " + e.getMessage());
        }
    }

    private synchronized void door() throws IOException {
        String ports = ChildCommand.setting(options, "ports");
        String seen = ports == null || ports.isBlank() ? null : new PathOptions(options.directory()).path(ports.trim());
        door = new Door(FilePorts.ofThisUser(seen), root);
    }

    /** Starts what has been asked for; false if the jobs are over. */
    private synchronized boolean look() throws IOException {
        byte[] letter = over ? null : door.next();
        while (letter != null) {
            launch(SpawnRequest.of(letter));
            letter = door.next();
        }
        return !over;
    }

    private void launch(SpawnRequest request) {
        try {
            RankProcesses.Program[] programs = new RankProcesses.Program[request.programs().size()];
            int size = 0;
            for (int i = 0; i < programs.length; i++) {
                SpawnCommand asked = request.programs().get(i);
                size = Math.addExact(size, asked.processes());
                programs[i] = new RankProcesses.Program(ChildCommand.of(asked, options),
                    ChildCommand.directory(asked, options), asked.processes());
            }
            Child child = new Child(request, ++started, programs, size);
            running.add(child);
            child.start();
        } catch (LaunchException | ArithmeticException e) {
            door.tell(request.port(), GroupLetter.failure(e.getMessage()));
        }
    }

    private synchronized void ended(Child child, int exit) {
        running.remove(child);
        if (exit != 0) {
            code = code == 0 ? exit : code;
            endChildrenOf(child.environment.key());
        }
        notifyAll();
    }

    private void endChildrenOf(String job) {
        for (Child each : new ArrayList<>(running)) {
            if (each.parent.equals(job)) {
                endChildrenOf(each.environment.key());
                each.ranks.endWithParent();
            }
        }
    }

    /**
     * Waits for all jobs once the first one has ended.
     *
     * @param exit the first job's exit code
     * @return the first bad exit code of all jobs
     */
    synchronized int toTheirEnd(int exit) {
        if (exit != 0) {
            code = code == 0 ? exit : code;
            over = true;
            endChildrenOf(root);
        }
        while (!running.isEmpty()) {
            try {
                wait();
            } catch (InterruptedException e) {
                for (Child each : running) {
                    each.ranks.endInterrupted();
                }
            }
        }
        over = true;
        return code;
    }

    /** Ends all jobs because the launcher is told to end. */
    void endAll() {
        List<Child> all;
        synchronized (this) {
            over = true;
            all = new ArrayList<>(running);
        }
        for (Child each : all) {
            each.ranks.endInterrupted();
        }
    }

    /** Removes what killed processes have left. */
    void sweep() {
        Door looked;
        synchronized (this) {
            looked = door;
        }
        if (looked != null) {
            looked.sweep();
        }
    }
}
