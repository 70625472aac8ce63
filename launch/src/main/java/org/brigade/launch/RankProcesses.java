package org.brigade.launch;

import java.io.File;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.brigade.bootstrap.OtherThreads;
import org.brigade.bootstrap.exchange.ExchangeFile;
import org.brigade.bootstrap.ports.LauncherInbox;
import org.brigade.engine.job.JobEnd;
import org.brigade.launch.options.DebugPorts;
import org.brigade.launch.options.JobHosts;
import org.brigade.launch.options.LaunchException;
import org.brigade.launch.options.LaunchOptions;
import org.brigade.launch.options.OutputOptions;
import org.brigade.setting.Quantity;
import org.brigade.setting.Setting;

/**
 * The ranks of one job as processes of this machine, or of several hosts: started together, watched, and ended together
 * if one fails. Variables tell the ranks who they are ({@link RankEnvironment}).
 */
public final class RankProcesses {
    /** How long the other ranks may go on after one has failed, for their last output. */
    private static final long LAST_WORDS_MILLIS = 100;
    /** How long processes may take to end after they have begun to, all together: a host dies with all its ranks. */
    private static final long ENDING_MILLIS = 20_000;
    /** How long the kernel may take to end a rank after SIGKILL. */
    private static final long KILLED_MILLIS = 500;

    private final Process[] processes;
    private final LineReader[] readers;
    /** For messages: {@code " of spawned job 1"}; empty for the first job. */
    private final String name;
    private final LinkedBlockingQueue<Integer> ended = new LinkedBlockingQueue<>();
    /** Receives the lines; null: they go to the launcher's own streams. */
    private final RankOutput output;
    private final boolean errors;
    /** A single rank writes to the launcher's streams directly. */
    private final boolean inherit;
    private final SharedStream outStream;
    private final SharedStream errStream;
    /** What stands before the rank in a tag: {@code "1:"}; empty for the first job. */
    private final String tag;
    private volatile boolean interrupted;
    /** Knows what to remove; null before there is anything. */
    private volatile RankEnvironment leavings;
    /** The jobs that ranks of this one have spawned; null if they cannot. */
    private volatile SpawnedJobs spawned;
    /** How long the hooks of a rank may take after SIGTERM, before SIGKILL. */
    private final long graceMillis;
    private final RankBinder binder;
    private final RankPlace place;
    /** Null: ranks have no files. */
    private final OutputFolder folder;
    /** Null: none is debugged. */
    private final DebugPorts debug;
    private final TimeLimit limit;

    private RankProcesses(int ranks, RankOutput output, boolean errors, OutputOptions how, RankBinder binder,
        LaunchOptions options, String console) {
        boolean tagged = how.tagged();
        name = "";
        processes = new Process[ranks];
        readers = new LineReader[2 * ranks];
        this.output = output;
        this.errors = errors;
        folder = OutputFolder.of(how);
        debug = options == null ? null : options.debug();
        limit = new TimeLimit(options == null ? 0 : options.timeoutSeconds());
        boolean here = options == null || options.hosts() == null;
        inherit = output == null && ranks == 1 && !tagged && folder == null && here;
        outStream = new SharedStream(FileDescriptor.out, tagged);
        errStream = SharedStream.areOne() ? outStream : new SharedStream(FileDescriptor.err, tagged);
        tag = "";
        this.binder = binder;
        place = here ? new LocalRanks(binder) : new HostRanks(options, output == null, console);
        graceMillis = grace(options);
    }

    /** A job that ranks of another one have spawned: its output goes where that of the first job goes. */
    RankProcesses(RankProcesses first, int number, int ranks) {
        name = " of spawned job " + number;
        processes = new Process[ranks];
        readers = new LineReader[2 * ranks];
        output = first.output;
        errors = first.errors;
        inherit = false;
        outStream = first.outStream;
        errStream = first.errStream;
        tag = number + ":";
        binder = first.binder;
        place = new LocalRanks(binder);
        folder = first.folder;
        debug = null;
        limit = new TimeLimit(0);
        graceMillis = first.graceMillis;
    }

    private static long grace(LaunchOptions options) {
        Setting grace = Setting.of("grace");
        String set = options == null ? null : ChildCommand.setting(options.first(), grace.key);
        return 1000 * Quantity.parse(set != null && grace.accepts(set) ? set : grace.standard);
    }

    /** No ranks: the jobs that are spawned beside them write to this process's streams. */
    static RankProcesses none() {
        return new RankProcesses(0, null, true, OutputOptions.PLAIN, RankBinder.none(), null, null);
    }

    /**
     * Runs a job on one node to its end. Standard input goes to rank 0; every line of standard output goes to a
     * program, and so does standard error if {@code errors}. A rank that is killed by a signal ends the others, unless
     * all of them return errors (MPI.ERRORS_RETURN); a rank that exits with a code of its own does so intentionally.
     *
     * @param command of every rank
     * @param directory working directory; null: the present one
     * @return 0 if all ranks exited 0, else the code of the first that did not: its own, or 128 + signal; 1 if ranks
     * have given up though none has failed
     * @throws LaunchException if a rank cannot be started; then none is left running
     */
    public static int run(List<String> command, int ranks, String directory, RankOutput output, boolean errors) {
        return new RankProcesses(ranks, output, errors, OutputOptions.PLAIN, RankBinder.none(), null, null).toItsEnd(
            new Program[] {new Program(command, directory, List.of(), ranks)}, null, 1, null, null);
    }

    /** The same with everything as a command line says. */
    public static int run(LaunchOptions options, RankOutput output, boolean errors) {
        return run(options, output, errors, null);
    }

    /**
     * The same for a console.
     *
     * @param console the socket at which a console waits for the ranks: an argument of the program, in place of which
     * ranks of other hosts get one of theirs; null: there is none
     */
    public static int run(LaunchOptions options, RankOutput output, boolean errors, String console) {
        RankBinder binder = RankBinder.of(options.binding(), options.reportsBindings(),
            ChildCommand.setting(options.first(), OtherThreads.SETTING));
        return new RankProcesses(options.ranks(), output, errors, options.output(), binder, options, console)
            .toItsEnd(options);
    }

    /** The same; standard output and standard error of the ranks go where this process's go. */
    public static int run(LaunchOptions options) {
        return run(options, null, true, null);
    }

    private int toItsEnd(LaunchOptions options) {
        JobHosts hosts = options.hosts();
        if (hosts == null) {
            return toItsEnd(RankCommand.programs(options), options.nodeOf(), options.nodes(), options.fabric(),
                options);
        }
        int[] hostOf = hosts.names().size() > 1 ? hosts.hostOf() : null;
        return toItsEnd(RankCommand.programs(options), hostOf, hosts.names().size(), options.fabric(), options);
    }

    /** @param options of the jobs that ranks may spawn; null: they may not */
    private int toItsEnd(Program[] programs, int[] nodeOf, int nodes, String fabric, LaunchOptions options) {
        Thread hook = new Thread("end of job") {
            @Override
            public void run() {
                SecondInterrupt.calls(() -> killAll());
                SpawnedJobs others = spawned;
                if (others != null) {
                    others.askAll(); // that all hooks run at the same time
                }
                endInterrupted();
                place.close();
                if (others != null) {
                    others.endAll();
                }
                sweep();
            }
        };
        Runtime.getRuntime().addShutdownHook(hook);
        boolean here = options == null || options.hosts() == null;
        try (ExchangeFile exchange = nodeOf == null || !here ? null : ExchangeFile.create(processes.length)) {
            ProcessBuilder builder = new ProcessBuilder(new ArrayList<>());
            if (!here) {
                HostRanks.keepHandedOver(builder.environment());
            }
            RankEnvironment environment = new RankEnvironment(builder.environment(), processes.length, nodeOf, nodes,
                fabric, exchange == null ? null : exchange.place());
            leavings = environment;
            if (options != null && here) {
                spawned = new SpawnedJobs(this, environment.key(), options);
                environment.door(LauncherInbox.box(environment.key()));
            }
            place.open(processes.length, nodeOf, name, errStream, environment);
            start(programs, builder, environment);
            if (spawned != null) {
                spawned.start();
            }
            if (debug != null) {
                errStream.say(debug.words());
            }
            limit.start(new Runnable() { // no lambda: the first of a JVM costs 10 ms
                @Override
                public void run() {
                    sayWaits(environment.key());
                    end(graceMillis);
                }
            });
            int code = watch();
            place.close();
            return spawned == null ? code : spawned.toTheirEnd(code);
        } catch (IOException e) {
            throw new LaunchException("ranks of different nodes cannot find each other: " + e.getMessage()
                + "; make /dev/shm or " + System.getProperty("java.io.tmpdir")
                + " writable");
        } finally {
            if (!interrupted) {
                place.close();
                sweep();
                try {
                    Runtime.getRuntime().removeShutdownHook(hook);
                } catch (IllegalStateException e) {
                    // The launcher is being ended at this very moment; the hook has nothing left to do.
                }
            }
        }
    }

    /** Removes what killed ranks could not remove. */
    private void sweep() {
        RankEnvironment left = leavings;
        if (left != null) {
            left.sweep();
        }
        SpawnedJobs others = spawned;
        if (others != null) {
            others.sweep();
        }
    }

    /** Ends the ranks because the launcher is told to end. */
    void endInterrupted() {
        interrupted = true;
        end(graceMillis);
        try {
            for (int rank = 0; rank < processes.length; rank++) {
                finishReading(rank);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Ends all processes of all jobs at once. */
    private void killAll() {
        kill();
        SpawnedJobs others = spawned;
        if (others != null) {
            others.killAll();
        }
        sweep();
    }

    /** Asks all ranks to end. */
    void ask() {
        for (Process process : processes) {
            if (process != null) {
                place.ask(process);
            }
        }
    }

    /** Kills all ranks. */
    void kill() {
        for (Process process : processes) {
            if (process != null) {
                place.kill(process);
            }
        }
    }

    /** Ends the ranks because the job that has spawned this one has failed. */
    void endWithParent() {
        end(graceMillis);
    }

    /** Runs a spawned job to its end; returns its exit code, as {@link #run}. */
    int runSpawned(Program[] programs, ProcessBuilder builder, RankEnvironment environment) {
        leavings = environment;
        place.open(processes.length, null, name, errStream, environment);
        try {
            start(programs, builder, environment);
            return watch();
        } catch (RuntimeException | Error e) {
            end(0); // those that run would wait for the others
            throw e;
        } finally {
            place.close();
            environment.sweep();
        }
    }

    /** The processes of one command; they have variables of their own, {@code NAME=VALUE} each. */
    record Program(List<String> command, String directory, List<String> variables, int ranks) {
    }

    private void start(Program[] programs, ProcessBuilder builder, RankEnvironment environment) {
        // One pipe for both if both go to one place: this keeps their order.
        boolean joined = output == null && errStream == outStream && !inherit;
        builder.redirectOutput(inherit ? ProcessBuilder.Redirect.INHERIT : ProcessBuilder.Redirect.PIPE);
        builder.redirectError(inherit || !errors ? ProcessBuilder.Redirect.INHERIT : ProcessBuilder.Redirect.PIPE);
        builder.redirectErrorStream(joined);
        int application = 0;
        int last = programs[0].ranks;
        environment.variables(programs[0].variables);
        for (int rank = 0; rank < processes.length && !interrupted; rank++) {
            if (rank == last) {
                last += programs[++application].ranks;
                environment.variables(programs[application].variables);
            }
            Program program = programs[application];
            environment.rank(rank);
            environment.application(application);
            RankCommand.forRank(program.command, rank, debug, builder.command());
            builder.directory(program.directory == null ? null : new File(program.directory));
            builder.redirectInput(place.input(rank == 0 && name.isEmpty()));
            try {
                processes[rank] = place.start(builder, rank);
            } catch (IOException e) {
                end(0);
                throw new LaunchException(
                    "rank " + rank + " of " + processes.length + name + " cannot be started: " + e.getMessage()
                        + "; check the directory, the limits on open files and processes (ulimit -n, ulimit -u)"
                        + " and that " + program.command.get(0) + " can be run");
            }
            if (!inherit) {
                FileOutputStream file = folder == null ? null : folder.open(tag, rank, processes.length);
                read(rank, false, file);
                if (errors && !joined) {
                    read(rank, true, file);
                }
            }
            watchEnd(rank);
        }
    }

    private void read(int rank, boolean error, FileOutputStream file) {
        LineReader.Target shown = output != null ? new OutputLines(output) : error ? errStream : outStream;
        LineReader.Target target = file == null ? shown : folder.target(file, shown);
        LineReader reader = new LineReader(rank, tag + rank, error,
            error ? processes[rank].getErrorStream() : processes[rank].getInputStream(), target);
        readers[2 * rank + (error ? 1 : 0)] = reader;
        reader.start();
    }

    private void watchEnd(int rank) {
        Thread watcher = new Thread("end of rank " + rank) {
            @Override
            public void run() {
                try {
                    processes[rank].waitFor();
                    ended.add(rank);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        };
        watcher.setDaemon(true);
        watcher.start();
    }

    private int watch() {
        int code = 0;
        try {
            FirstFailure failure = new FirstFailure(processes, ended);
            while (failure.next()) {
                code = code == 0 ? failure.code() : code;
                if (interrupted || limit.isOver()) {
                    break;
                }
                boolean last = failure.left() == 0;
                Others others = last ? Others.ALL_ENDED
                    : Signals.isDeath(failure.code()) ? others(processes, place) : Others.END;
                finishReading(failure.rank());
                String fate = place.fate(processes[failure.rank()]);
                errStream.say("mpjrun: rank " + failure.rank() + " of " + processes.length + name + " "
                    + (fate == null ? failure.words() : fate)
                    + switch (others) {
                        case ALL_ENDED -> "";
                        case GO_ON -> "; the others return errors, and go on";
                        case END -> "; ending the job";
                    });
                if (others == Others.END) {
                    await(LAST_WORDS_MILLIS);
                    showCalls();
                    end(graceMillis);
                    break;
                }
            }
            boolean late = limit.stop();
            for (int rank = 0; rank < processes.length; rank++) {
                finishReading(rank);
            }
            return late ? TimeLimit.CODE : code;
        } catch (InterruptedException e) {
            end(0);
            Thread.currentThread().interrupt();
            return 130;
        }
    }

    /** Says which calls the ranks have made last, unless a rank has said it: those that compute notice no death. */
    private void showCalls() throws InterruptedException {
        List<String> lines = place.lastCalls(processes, ENDING_MILLIS);
        if (!lines.isEmpty()) {
            errStream.say(JobEnd.text(lines).trim());
        }
    }

    private void sayWaits(String job) {
        try {
            errStream.say(limit.words(place.waits(job)));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits until all output of an ended rank has been passed on. */
    private void finishReading(int rank) throws InterruptedException {
        for (int i = 2 * rank; i <= 2 * rank + 1; i++) {
            if (readers[i] != null && !processes[rank].isAlive()) {
                readers[i].finish();
            }
        }
    }

    /** What becomes of the other ranks of a job when one has been killed. */
    enum Others {
        GO_ON, ALL_ENDED, END
    }

    /**
     * The others go on if every running rank has said so. None is left if all have ended without giving up. Else the
     * job ends.
     */
    static Others others(Process[] processes, RankPlace place) throws InterruptedException {
        Others found = Others.ALL_ENDED;
        long deadline = System.nanoTime() + ENDING_MILLIS * 1_000_000;
        for (Process process : processes) {
            if (process.isAlive() && place.goesOn(process)) {
                found = Others.GO_ON;
            } else if (!hasEnded(process, place, deadline) || process.exitValue() == JobEnd.VICTIM) {
                return Others.END;
            }
        }
        return found;
    }

    /**
     * Whether a rank without a mark has ended or is ending. The kernel closes an ending process's files, and so takes
     * its mark away, before the process has ended: on a busy machine the rest may take seconds.
     */
    private static boolean hasEnded(Process process, RankPlace place, long deadline) throws InterruptedException {
        if (process.waitFor(LAST_WORDS_MILLIS, TimeUnit.MILLISECONDS)) {
            return true;
        }
        return place.isEnding(process) && process.waitFor(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
    }

    /** Ends all running ranks: asks them, and kills those that do not follow in time. */
    private void end(long graceMillis) {
        if (graceMillis > 0) {
            ask();
            await(graceMillis);
        }
        kill();
        await(KILLED_MILLIS);
    }

    /** Waits until all have ended, at most so long. */
    private void await(long millis) {
        long deadline = System.nanoTime() + millis * 1_000_000;
        try {
            for (Process process : processes) {
                if (process != null
                    && !process.waitFor(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS)) {
                    return;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
