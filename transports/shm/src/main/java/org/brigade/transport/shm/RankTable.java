package org.brigade.transport.shm;

import static org.brigade.transport.shm.SegmentDescriptor.*;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.brigade.bootstrap.Processors;
import org.brigade.memory.NativeMemory;
import org.brigade.process.ProcessIdentity;
import org.brigade.waiting.FlightRecorder;
import org.brigade.waiting.LastCalls;
import org.brigade.waiting.RankActivity;
import org.brigade.waiting.RankState;
import org.brigade.waiting.RecordedCall;
import org.brigade.waiting.WaitRecord;

/**
 * What the ranks of a job tell each other: which process each one is, whether it still takes part, and why the job
 * failed.
 */
final class RankTable {
    static final long ABSENT = 0;
    static final long ATTACHED = 1;
    static final long FINISHED = 2;
    static final long EXITED = 3;
    /** In Finalize, on the way from ATTACHED to FINISHED. */
    static final long LEAVING = 4;

    private static final long WRITING = 1;
    private static final long WRITTEN = 2;

    static final long ARE_SHOWN = -1;

    private final NativeMemory memory;

    RankTable(NativeMemory memory) {
        this.memory = memory;
    }

    void attach(int rank, ProcessIdentity identity, Processors processors) {
        int row = row(rank);
        long[] words = processors.words();
        memory.putLong(row + ROW_PROCESSORS, words.length);
        for (int i = 0; i < words.length; i++) {
            memory.putLong(row + ROW_PROCESSOR_WORDS + i * Long.BYTES, words[i]);
        }
        memory.putLong(row + ROW_PID, identity.pid());
        memory.putLong(row + ROW_START, identity.startTime());
        memory.putLong(row + ROW_NAMESPACE, identity.namespace());
        memory.putLongRelease(row + ROW_STATE, ATTACHED);
    }

    /** Tells this rank's number in the job, before it attaches. */
    void number(int rank, int inJob, int size) {
        memory.putLong(row(rank) + ROW_RANK, inJob);
        memory.putLong(row(rank) + ROW_SIZE, size);
    }

    /** An attached rank's number in the job. */
    int inJob(int rank) {
        return (int) memory.getLong(row(rank) + ROW_RANK);
    }

    /** The job's size, as an attached rank has told. */
    int jobSize(int rank) {
        return (int) memory.getLong(row(rank) + ROW_SIZE);
    }

    /** What can be seen of all ranks that have attached. */
    List<RankState> states(int ranks) {
        List<RankState> states = new ArrayList<>();
        for (int rank = 0; rank < ranks; rank++) {
            if (state(rank) != ABSENT) {
                ProcessIdentity process = identity(rank);
                states.add(new RankState(inJob(rank), process.pid(), isHere(rank) && !process.ended(),
                    new WaitRecord(memory, waitRecord(ranks, rank)).read()));
            }
        }
        return states;
    }

    /** What can be seen of the calls of all ranks that have attached, in the order of {@link #states}. */
    List<RankActivity> activity(int ranks) {
        List<RankActivity> activity = new ArrayList<>();
        List<RankState> states = states(ranks);
        for (int rank = 0; rank < ranks && activity.size() < states.size(); rank++) {
            if (state(rank) != ABSENT) {
                FlightRecorder recorder = recorder(ranks, rank);
                List<RecordedCall> newest = recorder.read(1);
                activity.add(new RankActivity(states.get(activity.size()), recorder.made(),
                    recorder.sum(), newest.isEmpty() ? null : newest.get(0)));
            }
        }
        return activity;
    }

    FlightRecorder recorder(int ranks, int rank) {
        return new FlightRecorder(memory, SegmentDescriptor.lastCalls(ranks, rank), TIME);
    }

    /** Sets how many lines of calls are shown of each rank when one has died. */
    void callsShown(int each) {
        memory.putLong(CALLS_SHOWN, each);
    }

    /**
     * As {@link org.brigade.transport.Endpoint#lastCalls}, of the ranks that have attached, for the rank at a place,
     * which calls {@link #callsAreShown} when it has shown them.
     */
    List<String> lastCalls(int ranks, int place, boolean show) {
        boolean shows = show && memory.getLong(CALLS_SHOWN) != 0;
        return memory.compareAndSetLong(SHOWN, 0, shows ? place + 1 : ARE_SHOWN) && shows ? calls(ranks) : List.of();
    }

    void callsAreShown() {
        memory.putLongRelease(SHOWN, ARE_SHOWN);
    }

    /** Whether a rank that runs has begun to show the last calls, and has not shown them yet. */
    boolean areCallsBeingShown() {
        long shows = memory.getLongAcquire(SHOWN);
        return shows > 0 && !identity((int) shows - 1).ended();
    }

    /** The last calls for the launcher, which shows them unless they are shown: no rank is going to any more. */
    List<String> unshownCalls(int ranks) {
        long shows = memory.getLongAcquire(SHOWN);
        while (shows != ARE_SHOWN) {
            if (memory.compareAndSetLong(SHOWN, shows, ARE_SHOWN)) {
                return memory.getLong(CALLS_SHOWN) == 0 ? List.of() : calls(ranks);
            }
            shows = memory.getLongAcquire(SHOWN);
        }
        return List.of();
    }

    private List<String> calls(int ranks) {
        List<LastCalls.Of> all = new ArrayList<>();
        for (int rank = 0; rank < ranks; rank++) {
            if (state(rank) != ABSENT) {
                ProcessIdentity process = identity(rank);
                all.add(new LastCalls.Of(
                    new RankState(inJob(rank), process.pid(), isHere(rank) && !process.ended(), null),
                    recorder(ranks, rank).read(FlightRecorder.CALLS)));
            }
        }
        return LastCalls.lines(all, (int) memory.getLong(CALLS_SHOWN), System.nanoTime());
    }

    long state(int rank) {
        return memory.getLongAcquire(row(rank) + ROW_STATE);
    }

    ProcessIdentity identity(int rank) {
        int row = row(rank);
        return new ProcessIdentity(memory.getLong(row + ROW_PID), memory.getLong(row + ROW_START),
            memory.getLong(row + ROW_NAMESPACE));
    }

    /** The processors on which an attached rank may run. */
    Processors processors(int rank) {
        int row = row(rank);
        long[] words = new long[(int) Math.min(Processors.WORDS, memory.getLong(row + ROW_PROCESSORS))];
        for (int i = 0; i < words.length; i++) {
            words[i] = memory.getLong(row + ROW_PROCESSOR_WORDS + i * Long.BYTES);
        }
        return Processors.ofWords(words);
    }

    /** Tells where this process keeps its random number. */
    void tellNumber(int rank, long address, long first, long second) {
        int row = row(rank);
        memory.putLong(row + ROW_NUMBER, first);
        memory.putLong(row + ROW_NUMBER + Long.BYTES, second);
        memory.putLongRelease(row + ROW_NUMBER_ADDRESS, address);
    }

    /** Where a process keeps its random number; 0 if it has not told. */
    long numberAddress(int rank) {
        return memory.getLongAcquire(row(rank) + ROW_NUMBER_ADDRESS);
    }

    /** Half 0 or 1 of a process's random number; only if it has told. */
    long number(int rank, int half) {
        return memory.getLong(row(rank) + ROW_NUMBER + half * Long.BYTES);
    }

    /** Whether all ranks have attached (some may have left since). */
    boolean allAttached(int ranks) {
        for (int rank = 0; rank < ranks; rank++) {
            if (state(rank) == ABSENT) {
                return false;
            }
        }
        return true;
    }

    /**
     * Whether nobody but the rank at a place needs the segment any more: all others have left, are ending or have
     * ended.
     */
    boolean isOver(int place, int ranks) {
        boolean over = true;
        for (int rank = 0; over && rank < ranks; rank++) {
            over = rank == place || !isHere(rank) || isEnding(rank) || identity(rank).ended();
        }
        return over;
    }

    /** Whether a rank takes part, or is in Finalize. */
    boolean isHere(int rank) {
        long state = state(rank);
        return state == ATTACHED || state == LEAVING;
    }

    /**
     * Moves this process's rank from ATTACHED or LEAVING to another state; EXITED and FINISHED stay. Any thread may
     * call this: exit hooks run in their own.
     */
    void leave(int rank, long state) {
        long was = state(rank);
        while ((was == ATTACHED || was == LEAVING) && !memory.compareAndSetLong(row(rank) + ROW_STATE, was, state)) {
            was = state(rank);
        }
    }

    /**
     * Tells that this process has begun to end: its shutdown hooks run. They may still communicate and finalize, so the
     * rank is there until its process is gone.
     */
    void ends(int rank) {
        memory.putLongRelease(row(rank) + ROW_ENDING, 1);
    }

    boolean isEnding(int rank) {
        return memory.getLongAcquire(row(rank) + ROW_ENDING) != 0;
    }

    /** Records why the job failed and its exit code, unless a failure is recorded already. */
    void fail(String why, int code) {
        if (!memory.compareAndSetLong(FAILURE, 0, WRITING)) {
            return;
        }
        byte[] text = why.getBytes(StandardCharsets.UTF_8);
        int length = Math.min(text.length, ROWS - FAILURE_TEXT);
        memory.bytes.put(FAILURE_TEXT, text, 0, length);
        memory.putLong(FAILURE_LENGTH, length);
        memory.putLongRelease(FAILURE, (long) code << 32 | WRITTEN);
    }

    /** Why the job failed; null if it has not. */
    String failure() {
        if ((int) memory.getLongAcquire(FAILURE) != WRITTEN) {
            return null;
        }
        byte[] text = new byte[(int) memory.getLong(FAILURE_LENGTH)];
        memory.bytes.get(FAILURE_TEXT, text);
        return new String(text, StandardCharsets.UTF_8);
    }

    /** The exit code of {@link #failure}; 1 if there is none, or it is being written. */
    int failureCode() {
        int code = (int) (memory.getLongAcquire(FAILURE) >>> 32);
        return code == 0 ? 1 : code;
    }
}
