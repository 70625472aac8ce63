package org.brigade.launch;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import mpi.spi.SpawnCommand;
import org.brigade.bootstrap.GroupLetter;
import org.brigade.bootstrap.Job;
import org.brigade.bootstrap.SpawnRequest;
import org.brigade.bootstrap.ports.FilePorts;
import org.brigade.bootstrap.ports.LauncherInbox;
import org.brigade.launch.options.LaunchException;
import org.brigade.launch.options.LaunchOptions;
import org.brigade.launch.options.PathOptions;

/**
 * The jobs that ranks spawn. A rank leaves a letter, and this launcher starts the processes as a job of its own, with
 * the class path and the flags of the first one. The launcher waits for all jobs. A job that fails ends the jobs that
 * it has spawned, as these may wait for it; it does not end the job that has spawned it, whose calls get an error.
 */
final class SpawnedJobs extends Thread {
    /** How often to look for a letter. A look costs a system call, and a JVM starts in twice this time. */
    private static final long INTERVAL_MILLIS = 100;
    private static final String OUT_OF_MEMORY =
        "Brigade's launcher has too little memory for so many processes; spawn fewer at a time";

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
            environment.door(LauncherInbox.box(root));
            new PathOptions(options.directory()).settings(builder.environment());
            environment.parent(port);
        }

        @Override
        public void run() {
            String why = OUT_OF_MEMORY;
            int exit = 1;
            boolean refused = false;
            try {
                exit = ranks.runSpawned(programs, builder, environment);
                why = "the processes have ended before all were in MPI.Init"
                    + (exit == 0 ? "" : "; the first bad exit code was " + exit)
                    + ". Their own messages say why; check the command and its class path";
            } catch (Throwable e) {
                why = reason(e);
            } finally {
                // The port is open as long as its owners wait: then they get an error, and the launcher has none.
                try {
                    refused = refuse(port, why);
                } finally {
                    ended(this, refused ? 0 : exit);
                }
            }
        }
    }

    private final RankProcesses first;
    private final LaunchOptions options;
    private final String root;
    private final List<Child> running = new CopyOnWriteArrayList<>();
    private int started;
    private int code;
    private boolean over;
    /** Null until the first look. */
    private LauncherInbox door;
    /** What was said last of looks that failed. */
    private String said = "";

    /** @param root the key of the first job */
    SpawnedJobs(RankProcesses first, String root, LaunchOptions options) {
        super("spawned jobs");
        setDaemon(true);
        this.first = first;
        this.options = options;
        this.root = root;
    }

    /** Nobody else answers the letters, so whatever goes wrong with one, the next look comes. */
    @Override
    public void run() {
        try {
            do {
                // Nothing is looked up at once: the ranks' JVMs need the processors.
                sleep(INTERVAL_MILLIS);
            } while (looked());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** False if the jobs are over. */
    private boolean looked() {
        try {
            return look();
        } catch (Throwable e) {
            complain(e);
            return true;
        }
    }

    private void complain(Throwable e) {
        try {
            String why = reason(e);
            if (!why.equals(said)) {
                said = why;
                System.err.println("mpjrun: a request to spawn cannot be read: " + why);
            }
        } catch (OutOfMemoryError still) {
            // The next look may find memory again.
        }
    }

    /** Starts what has been asked for; false if the jobs are over. */
    private synchronized boolean look() throws IOException {
        if (door == null) {
            String ports = ChildCommand.setting(options.first(), "ports");
            String seen =
                ports == null || ports.isBlank() ? null : new PathOptions(options.directory()).path(ports.trim());
            door = new LauncherInbox(FilePorts.ofThisUser(seen), root);
        }
        byte[] letter = over ? null : door.next();
        while (letter != null) {
            launch(SpawnRequest.of(letter));
            letter = door.next();
        }
        return !over;
    }

    /** Whatever goes wrong, those who ask are told: they wait for an answer. */
    private void launch(SpawnRequest request) {
        Child child = null;
        try {
            RankProcesses.Program[] programs = new RankProcesses.Program[request.programs().size()];
            long size = 0;
            for (int i = 0; i < programs.length; i++) {
                SpawnCommand asked = request.programs().get(i);
                size += asked.processes();
                programs[i] = new RankProcesses.Program(ChildCommand.of(asked, options.first()),
                    ChildCommand.directory(asked, options.first()), List.of(), asked.processes());
            }
            if (size > Job.MOST_RANKS) {
                throw new LaunchException(Job.tooMany(size));
            }
            child = new Child(request, ++started, programs, (int) size);
            running.add(child);
            child.start();
        } catch (Throwable e) {
            running.remove(child);
            refuse(request.port(), reason(e));
        }
    }

    /** Tells those who ask why they get nothing; false if they do not wait any more. */
    private boolean refuse(String port, String why) {
        return door.tell(port, GroupLetter.failure(why));
    }

    private static String reason(Throwable e) {
        return e instanceof OutOfMemoryError ? OUT_OF_MEMORY
            : e instanceof LaunchException || e instanceof IOException && e.getMessage() != null ? e.getMessage()
                : "Brigade's launcher failed: " + e;
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

    /** Asks all processes to end. */
    void askAll() {
        for (Child each : running) {
            each.ranks.ask();
        }
    }

    /** Kills all processes. */
    void killAll() {
        for (Child each : running) {
            each.ranks.kill();
        }
    }

    /** Removes what killed processes have left. */
    void sweep() {
        LauncherInbox looked;
        synchronized (this) {
            looked = door;
        }
        if (looked != null) {
            looked.sweep();
        }
    }
}
