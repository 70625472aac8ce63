package org.brigade.simulate;

import java.util.Arrays;
import org.brigade.schedule.FlatSchedule;
import org.brigade.schedule.Opcode;
import org.brigade.schedule.Slice;

/**
 * The positions of all lanes of all ranks in their schedules, which stay folded. Lanes are numbered consecutively:
 * those of rank 0, those of rank 1, ...
 */
final class Ranks {
    private final FlatSchedule[] programs;
    private final CallSizes[] sizes;
    private final int lanesEach;
    private final long[] finished;

    // By lane.
    private final int[] position;
    private final int[] round;
    /** -1 outside loops over windows. */
    private final int[] window;
    private final int[] rounds;
    private final boolean[] busy;
    private final boolean[] ended;

    /** How often each step has run; a rank's steps begin at {@link #firstStep}. */
    private final int[] runs;
    private final int[] firstStep;

    /** Ranks to visit before the instant ends: a ring. */
    private final int[] awake;
    private final boolean[] isAwake;
    private int awakeFirst;
    private int awakeCount;

    Ranks(FlatSchedule[] programs, CallSizes[] sizes) {
        this.programs = programs;
        this.sizes = sizes;
        lanesEach = programs[0].lanes.length;
        int lanes = programs.length * lanesEach;
        finished = new long[programs.length];
        position = new int[lanes];
        round = new int[lanes];
        window = new int[lanes];
        Arrays.fill(window, -1);
        rounds = new int[lanes];
        busy = new boolean[lanes];
        ended = new boolean[lanes];
        firstStep = new int[programs.length + 1];
        for (int rank = 0; rank < programs.length; rank++) {
            firstStep[rank + 1] = firstStep[rank] + programs[rank].steps.length;
        }
        runs = new int[firstStep[programs.length]];
        awake = new int[programs.length];
        isAwake = new boolean[programs.length];
    }

    /** The ranks that send to one of the networks, ascending. */
    int[] masters(int rail) {
        int[] found = new int[programs.length];
        int count = 0;
        for (int rank = 0; rank < programs.length; rank++) {
            FlatSchedule program = programs[rank];
            for (int step = 0; step < program.steps.length; step++) {
                if (program.steps[step] != null && program.steps[step].opcode() == Opcode.SEND
                    && program.peers[step].at(0) == programs.length + rail) {
                    found[count++] = rank;
                    break;
                }
            }
        }
        return Arrays.copyOf(found, count);
    }

    int count() {
        return programs.length;
    }

    /** Number of steps of all ranks. */
    int steps() {
        return runs.length;
    }

    int rank(int lane) {
        return lane / lanesEach;
    }

    int firstLane(int rank) {
        return rank * lanesEach;
    }

    int lanesEach() {
        return lanesEach;
    }

    /** By rank, when it has ended, in picoseconds. */
    long[] finished() {
        return finished;
    }

    /** Makes {@link #advance} visit a rank. */
    void wake(int rank) {
        if (!isAwake[rank]) {
            isAwake[rank] = true;
            int place = awakeFirst + awakeCount++;
            awake[place >= awake.length ? place - awake.length : place] = rank;
        }
    }

    /** The current step of a lane has ended. */
    void completed(int lane) {
        int rank = rank(lane);
        step(lane, rank);
        busy[lane] = false;
        wake(rank);
    }

    private void step(int lane, int rank) {
        int[] code = programs[rank].lanes[lane - firstLane(rank)];
        runs[firstStep[rank] + code[position[lane] + 1]]++;
        position[lane] += 2;
    }

    /** Begins all steps that can begin now, also those that can when these end at once. */
    void advance(Messages messages, long now) {
        while (awakeCount > 0) {
            int rank = awake[awakeFirst];
            awakeFirst = awakeFirst + 1 == awake.length ? 0 : awakeFirst + 1;
            awakeCount--;
            isAwake[rank] = false;
            boolean again = true;
            while (again) {
                again = false;
                for (int lane = firstLane(rank); lane < firstLane(rank) + lanesEach; lane++) {
                    if (!busy[lane] && !ended[lane]) {
                        again |= run(lane, rank, messages, now);
                    }
                }
            }
        }
    }

    /**
     * Runs a lane until a step takes time or waits for another lane. Returns whether a step has ended that another lane
     * may wait for.
     */
    private boolean run(int lane, int rank, Messages messages, long now) {
        FlatSchedule program = programs[rank];
        int[] code = program.lanes[lane - firstLane(rank)];
        int windows = sizes[rank].windows();
        boolean any = false;
        while (true) {
            int at = position[lane];
            switch (code[at]) {
                case FlatSchedule.STEP : {
                    int step = code[at + 1];
                    if (!fulfilled(program, step, lane, rank, windows)) {
                        return any;
                    }
                    Slice slice = program.targets[step] != null ? program.targets[step] : program.sources[step];
                    long bytes = slice == null ? 0 : sizes[rank].of(slice, rank, round[lane], window[lane]);
                    if (slice != null && bytes == 0) {
                        step(lane, rank);
                        any = true;
                        break;
                    }
                    busy[lane] = true;
                    begin(program, step, lane, rank, bytes, messages, now);
                    return any;
                }
                case FlatSchedule.LOOP : {
                    boolean overWindows = code[at + 1] == FlatSchedule.WINDOWS;
                    int times = overWindows ? windows : code[at + 2];
                    if (times == 0) {
                        position[lane] = code[at + 3];
                        break;
                    }
                    if (overWindows) {
                        window[lane] = 0;
                    } else {
                        round[lane] = 0;
                        rounds[lane] = times;
                    }
                    position[lane] = at + 4;
                    break;
                }
                case FlatSchedule.NEXT : {
                    boolean overWindows = code[at + 1] == FlatSchedule.WINDOWS;
                    if (overWindows ? ++window[lane] < windows : ++round[lane] < rounds[lane]) {
                        position[lane] = code[at + 2];
                    } else {
                        if (overWindows) {
                            window[lane] = -1;
                        } else {
                            round[lane] = 0;
                        }
                        position[lane] = at + 3;
                    }
                    break;
                }
                default :
                    ended[lane] = true;
                    finished[rank] = now;
                    return any;
            }
        }
    }

    private boolean fulfilled(FlatSchedule program, int step, int lane, int rank, int windows) {
        int[] awaits = program.awaits[step];
        for (int i = 0; i < awaits.length; i += 3) {
            if (runs[firstStep[rank] + awaits[i]] < program.needed(step, i, round[lane], Math.max(window[lane], 0),
                windows)) {
                return false;
            }
        }
        return true;
    }

    private void begin(FlatSchedule program, int step, int lane, int rank, long bytes, Messages messages, long now) {
        int number = firstStep[rank] + step;
        switch (program.steps[step].opcode()) {
            case SEND -> messages.send(lane, rank, program.peers[step].at(round[lane]), number, bytes, now);
            case RECV -> messages.receive(lane, program.peers[step].at(round[lane]), rank, number, bytes, false, now);
            case RECV_REDUCE ->
                messages.receive(lane, program.peers[step].at(round[lane]), rank, number, bytes, true, now);
            case COPY, REDUCE ->
                messages.local(lane, rank, number, bytes, program.steps[step].opcode() == Opcode.REDUCE, now);
        }
    }

    /** The first lane that has not reached its end, in words; null if all have. */
    String stuck() {
        for (int lane = 0; lane < ended.length; lane++) {
            if (!ended[lane]) {
                int rank = rank(lane);
                FlatSchedule program = programs[rank];
                int step = program.lanes[lane - firstLane(rank)][position[lane] + 1];
                return "rank " + rank + " waits in step " + step + " (" + program.steps[step].opcode()
                    + (program.peers[step] == null ? "" : " with rank " + program.peers[step].at(round[lane]))
                    + ") in round " + round[lane] + ", window "
                    + Math.max(window[lane], 0) + (busy[lane] ? "" : ", for another lane");
            }
        }
        return null;
    }
}
