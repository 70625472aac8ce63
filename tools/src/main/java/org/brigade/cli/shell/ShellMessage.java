package org.brigade.cli.shell;

import java.io.Serializable;
import jdk.jshell.spi.ExecutionControl.ClassBytecodes;

/** What console and ranks tell each other. */
sealed interface ShellMessage extends Serializable {
    /** From a rank that has joined the job. */
    record Hello(int rank, long pid) implements ShellMessage {
        private static final long serialVersionUID = 1;
    }

    /** To all ranks: classes that a line has become. */
    record Load(ClassBytecodes[] classes) implements ShellMessage {
        private static final long serialVersionUID = 1;
    }

    /**
     * To the picked ranks: runs a static method without parameters of a loaded class.
     *
     * @param run its number, for the answer
     * @param repeats how often
     * @param aligned whether the ranks begin behind a barrier of MPI.COMM_WORLD
     */
    record Invoke(int run, String owner, String method, int repeats, boolean aligned) implements ShellMessage {
        private static final long serialVersionUID = 1;
    }

    /** To ranks: say what you wait for. They do so even while they wait. */
    record Look(int look) implements ShellMessage {
        private static final long serialVersionUID = 1;
    }

    /**
     * From a rank: what it waits for.
     *
     * @param nanos how long it has waited in one call; 0 if it does not
     * @param words {@code has waited for 3 s in barrier number 1 of MPI_COMM_WORLD for rank 0}
     */
    record Seen(int look, long nanos, String words) implements ShellMessage {
        private static final long serialVersionUID = 1;
    }

    /** To all ranks: finalize and exit. */
    record Quit() implements ShellMessage {
        private static final long serialVersionUID = 1;
    }

    /** From a rank: a line that a snippet has printed. */
    record Output(boolean error, String line) implements ShellMessage {
        private static final long serialVersionUID = 1;
    }

    /**
     * From a rank: how a run ended.
     *
     * @param thrown whether by an exception
     * @param text the value as Java would write it, or the exception
     * @param nanos the median time of a repeat
     */
    record Answer(int run, boolean thrown, String text, long nanos) implements ShellMessage {
        private static final long serialVersionUID = 1;
    }
}
