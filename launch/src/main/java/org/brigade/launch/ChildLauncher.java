package org.brigade.launch;

import java.io.IOException;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.brigade.bootstrap.Processors;
import org.brigade.launch.options.LaunchOptions;
import org.brigade.launch.options.ProgramOptions;
import org.brigade.nativ.Affinity;

/**
 * The main class of the launcher that a rank starts to spawn processes, where its job's launcher cannot start any:
 * {@link org.brigade.bootstrap.ports.SpawnLauncher}. A byte of its input says that the rank has finalized; the launcher
 * then waits for all jobs. The end of its input says that the rank is gone, and ends all jobs.
 */
public final class ChildLauncher {
    private static final int PARENT_IS_GONE = 1;
    private static final int ARGUMENTS = 3;

    private ChildLauncher() {
    }

    /** Arguments: its name, a process whose processors it may use or 0, the class path, options for java. */
    public static void main(String[] line) throws IOException {
        unbind(Long.parseLong(line[1]));
        LaunchOptions options = new LaunchOptions(new ProgramOptions(1, null, line[2], null,
            Arrays.asList(line).subList(ARGUMENTS, line.length), List.of()));
        SpawnedJobs jobs = new SpawnedJobs(RankProcesses.none(), line[0], options);
        Runtime.getRuntime().addShutdownHook(new Thread("end of jobs") {
            @Override
            public void run() {
                jobs.endAll();
                jobs.sweep();
            }
        });
        jobs.start();
        if (System.in.read() < 0) {
            System.exit(PARENT_IS_GONE);
        }
        Thread watch = new Thread("end of parent") {
            @Override
            public void run() {
                try {
                    while (System.in.read() >= 0) {
                        // Nothing more is said.
                    }
                } catch (IOException gone) {
                    // As at the end of the input.
                }
                System.exit(PARENT_IS_GONE);
            }
        };
        watch.setDaemon(true);
        watch.start();
        System.exit(jobs.toTheirEnd(0));
    }

    /** A launcher binds each rank to a processor of its own; spawned processes would all share the root's. */
    private static void unbind(long pid) {
        long[] theirs = pid == 0 ? new long[0] : Processors.ofProcess(pid).mask();
        if (theirs.length > 0 && !Arrays.equals(theirs, Processors.ofProcess(ProcessHandle.current().pid()).mask())) {
            Affinity.set(BitSet.valueOf(theirs));
        }
    }
}
