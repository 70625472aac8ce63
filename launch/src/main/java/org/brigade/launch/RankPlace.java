package org.brigade.launch;

import java.io.IOException;
import java.util.List;

/** Where the ranks of one job run: on this machine ({@link LocalRanks}), or on several hosts ({@link HostRanks}). */
interface RankPlace {
    /**
     * Prepares what the ranks need before the first is started, and tells their environment.
     *
     * @param nodeOf the emulated node of each rank; null: all are on one
     * @param name of the job for messages: {@code " of spawned job 1"}
     */
    void open(int ranks, int[] nodeOf, String name, SharedStream messages, RankEnvironment environment);

    /** Starts a rank. */
    Process start(ProcessBuilder builder, int rank) throws IOException;

    /** Where {@link #start} has standard input come from; null: as for any process. */
    ProcessBuilder.Redirect input(boolean first);

    /** Asks a rank to end. */
    void ask(Process rank);

    /** Kills a rank. */
    void kill(Process rank);

    /** Whether a rank has said that it goes on when others are killed. */
    boolean goesOn(Process rank) throws InterruptedException;

    /** Whether the process of a rank is ending, or has ended. */
    boolean isEnding(Process rank) throws InterruptedException;

    /** What has become of a rank, in words that follow its name; null: its exit code says it. */
    default String fate(Process rank) {
        return null;
    }

    /** The last calls of ranks, unless a rank has said them. */
    List<String> lastCalls(Process[] ranks, long patienceMillis) throws InterruptedException;

    /** Who waits for whom in this job. */
    List<String> waits(String job) throws InterruptedException;

    /** The job has ended. */
    void close();
}
