package org.brigade.transport.cuda.group;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.brigade.transport.cuda.group.ResidentKernel;
import org.brigade.transport.cuda.kernel.Doorbell;

/**
 * The protocol between a host and its resident kernels, in every order in which its reads and writes of shared words
 * can happen: {@link ResidentKernel} and {@link Doorbell} on one side, resident.cuh with two thread blocks on the
 * other. Each step below is one access of one side. A kernel may leave whenever it finds no call.
 *
 * <p>
 * Claims: every call is done once by all blocks that it is for, with its own arguments, before the host sees it
 * answered; and nobody waits for ever.
 */
final class DoorbellModel {
    /** What the protocol would be without one of its rules, to see that the model misses each. */
    enum Flaw {
        NONE, EPOCH_NOT_AWAITED, LEFT_TAKEN_FOR_NOT_DONE, MARK_COUNTS_FROM_NOTHING, RUNG_BEFORE_LEFT,
        LAUNCHED_WHERE_NONE_IS
    }

    static final int CALLS = 3;
    private static final int MOST_KERNELS = 12;

    // Words of a state. HOST, FIRST and SECOND are where the host and the two blocks are in their programs.
    private static final int HOST = 0, CALL = 1, LAUNCHES = 2, LEAVING = 3, RUNG = 4;
    private static final int QUAD = 6, NUMBER = 9, FINISHED = 12, LEFT = 13;
    private static final int RUNNING = 14, FIRST = 15, SECOND = 16, HELD = 17, GOING = 20, SEQUENCE = 21, PASSED = 22,
        EPOCH_HERE = 23, SECOND_PASSED = 24, SECOND_CALL = 25;
    private static final int EPOCH = 26, MARK = 27, MARKED_CALL = 28, LEAVE_WORD = 29, COUNT = 30, DONE = 31,
        BEGAN = DONE + CALLS + 2, BEGAN_PASSED = BEGAN + MOST_KERNELS + 1;
    private static final int WORDS = BEGAN_PASSED + MOST_KERNELS + 1;
    private static final int LEAVE = 100; // a quad's content that is no call

    private final boolean[] forAll;
    private final boolean[] leavesAfter;
    private final Flaw flaw;
    private String wrong;

    DoorbellModel(boolean[] forAll, boolean[] leavesAfter, Flaw flaw) {
        this.forAll = forAll;
        this.leavesAfter = leavesAfter;
        this.flaw = flaw;
    }

    // ---- the host; calls count from 1 ----

    private void host(int[] s, List<int[]> next) {
        int call = s[CALL];
        int at = s[HOST];
        if (at == 0) { // the doorbell is free if nobody has been told to leave, or he has
            boolean wait = s[LEAVING] == 1 && s[LEFT] != s[LAUNCHES] && flaw != Flaw.RUNG_BEFORE_LEFT;
            if (!wait) {
                int[] n = to(s, next, HOST, 1);
                n[LEAVING] = 0;
                n[RUNG] += forAll[call - 1] ? 1 : 0;
            }
        } else if (at <= 6) { // the words of the call, with its number: in the model three, in some order
            int quad = 2 - (at - 1) / 2;
            int[] n = to(s, next, HOST, at + 2);
            n[QUAD + quad] = n[NUMBER + quad] = call;
        } else if (at == 7) {
            int[] n = to(s, next, HOST, 8);
            if (s[LAUNCHES] == 0 || flaw == Flaw.LAUNCHED_WHERE_NONE_IS && s[LEFT] == s[LAUNCHES]) {
                launch(n);
            }
        } else if (at == 8) { // waits
            if (s[FINISHED] == call) {
                ended(to(s, next, HOST, 0));
            } else {
                to(s, next, HOST, 16);
            }
        } else if (at == 16) { // has not found it finished, and looks, as long as it takes, for something to happen
            if (s[FINISHED] == call) {
                to(s, next, HOST, 8);
            }
            if (s[LEFT] == s[LAUNCHES]) {
                to(s, next, HOST, 9);
            }
        } else if (at == 9) { // has seen that the kernel left; was it before it did this call?
            int[] n = to(s, next, HOST, 8);
            if (s[FINISHED] != call || flaw == Flaw.LEFT_TAKEN_FOR_NOT_DONE) {
                launch(n);
            }
        } else if (at >= 10 && at <= 15) { // tells it to leave, by way of the doorbell
            int quad = 2 - (at - 10) / 2;
            int[] n = to(s, next, HOST, at == 14 ? 0 : at + 2);
            n[QUAD + quad] = LEAVE;
            n[NUMBER + quad] = call;
        }
    }

    /** The call is answered. */
    private void ended(int[] n) {
        int call = n[CALL];
        int blocks = n[DONE + call];
        if (blocks != (forAll[call - 1] ? 3 : 1)) {
            wrong = "call " + call + " is answered when blocks " + blocks + " have done it";
        }
        n[CALL]++;
        if (call == CALLS) {
            n[HOST] = 20;
        } else if (leavesAfter[call - 1] && n[LEFT] != n[LAUNCHES]) {
            n[LEAVING] = 1;
            n[HOST] = 10; // with the next call's number, as CALL is now
        }
    }

    private void launch(int[] n) {
        int kernel = ++n[LAUNCHES];
        if (kernel > MOST_KERNELS) {
            wrong = "kernels are launched without end";
            return;
        }
        n[BEGAN + kernel] = n[CALL];
        n[BEGAN_PASSED + kernel] = n[RUNG] - (forAll[n[CALL] - 1] ? 1 : 0);
    }

    // ---- block 0 of the running kernel ----

    private void first(int[] s, List<int[]> next) {
        int at = s[FIRST];
        if (at == 0) { // the next kernel begins when all blocks of the last one have ended
            if (s[LAUNCHES] > s[RUNNING] && s[SECOND] == 0) {
                int[] n = to(s, next, FIRST, 1);
                int kernel = ++n[RUNNING];
                n[SECOND] = 1;
                n[SEQUENCE] = n[BEGAN + kernel];
                n[PASSED] = n[SECOND_PASSED] = flaw == Flaw.MARK_COUNTS_FROM_NOTHING ? 0 : n[BEGAN_PASSED + kernel];
                n[EPOCH_HERE] = n[EPOCH];
                n[HELD] = n[HELD + 1] = n[HELD + 2] = 0;
                n[GOING] = 0;
            }
        } else if (at == 1) { // each of three threads looks at its quad; the first may find that it is time to go
            boolean all = true;
            for (int quad = 0; quad < 3; quad++) {
                if (s[HELD + quad] == 0) {
                    all = false;
                    if (s[NUMBER + quad] == s[SEQUENCE]) {
                        to(s, next, FIRST, 1)[HELD + quad] = s[QUAD + quad] == 0 ? -1 : s[QUAD + quad];
                    } else if (quad == 0 && s[GOING] == 0) {
                        to(s, next, FIRST, 1)[GOING] = 1;
                    }
                }
            }
            if (all || s[GOING] == 1) {
                to(s, next, FIRST, s[GOING] == 1 || s[HELD] == LEAVE ? 7 : 2);
            }
        } else if (at == 2) { // a call
            for (int quad = 0; quad < 3; quad++) {
                if (s[HELD + quad] != s[SEQUENCE]) {
                    wrong = "call " + s[SEQUENCE] + " is begun with a quad of " + s[HELD + quad];
                    return;
                }
            }
            int[] n = to(s, next, FIRST, 3);
            if (forAll[s[SEQUENCE] - 1]) {
                n[MARKED_CALL] = s[SEQUENCE];
                n[MARK] = s[PASSED] + 1;
            }
        } else if (at == 3) {
            int[] n = to(s, next, FIRST, 4);
            done(n, s[SEQUENCE], 1);
            if (forAll[s[SEQUENCE] - 1] && ++n[COUNT] < 2) {
                n[FIRST] = 6; // the other block will answer
            } else {
                n[COUNT] = 0;
            }
        } else if (at == 4) {
            to(s, next, FIRST, 5)[FINISHED] = s[SEQUENCE];
        } else if (at == 5) {
            to(s, next, FIRST, 6)[EPOCH] = s[EPOCH_HERE] + 1;
        } else if (at == 6) { // a call of all has ended when the epoch says so
            if (!forAll[s[SEQUENCE] - 1] || s[EPOCH] == s[EPOCH_HERE] + 1 || flaw == Flaw.EPOCH_NOT_AWAITED) {
                int[] n = to(s, next, FIRST, 1);
                n[PASSED] += forAll[s[SEQUENCE] - 1] ? 1 : 0;
                n[EPOCH_HERE]++;
                n[SEQUENCE]++;
                n[HELD] = n[HELD + 1] = n[HELD + 2] = 0;
            }
        } else if (at == 7) {
            to(s, next, FIRST, 8)[LEAVE_WORD] = s[RUNNING];
        } else if (at == 8) {
            to(s, next, FIRST, 0)[LEFT] = s[RUNNING];
        }
    }

    // ---- block 1 ----

    private void second(int[] s, List<int[]> next) {
        int at = s[SECOND];
        if (at == 1) {
            if (s[MARK] == s[SECOND_PASSED] + 1) {
                int[] n = to(s, next, SECOND, 2);
                n[SECOND_CALL] = s[MARKED_CALL];
            } else if (s[LEAVE_WORD] == s[RUNNING]) {
                to(s, next, SECOND, 0);
            }
        } else if (at == 2) {
            int[] n = to(s, next, SECOND, 3);
            done(n, s[SECOND_CALL], 2);
            n[SECOND_PASSED]++;
            if (++n[COUNT] < 2) {
                n[SECOND] = 1;
            } else {
                n[COUNT] = 0;
            }
        } else if (at == 3) {
            to(s, next, SECOND, 4)[FINISHED] = s[SECOND_CALL];
        } else if (at == 4) {
            to(s, next, SECOND, 1)[EPOCH] = s[SECOND_CALL]; // as many calls have ended as its number says
        }
    }

    private void done(int[] n, int call, int block) {
        if ((n[DONE + call] & block) != 0) {
            wrong = "call " + call + " is done twice by block " + (block - 1);
        }
        n[DONE + call] |= block;
    }

    private static int[] to(int[] s, List<int[]> next, int program, int step) {
        int[] n = s.clone();
        n[program] = step;
        next.add(n);
        return n;
    }

    // ---- all orders ----

    /** What can go wrong; null if nothing. */
    String search() {
        Set<List<Integer>> seen = new HashSet<>();
        ArrayDeque<int[]> open = new ArrayDeque<>();
        int[] start = new int[WORDS];
        start[CALL] = 1;
        open.add(start);
        while (!open.isEmpty()) {
            int[] state = open.remove();
            List<int[]> next = new ArrayList<>();
            host(state, next);
            first(state, next);
            second(state, next);
            if (wrong != null) {
                return wrong + ", " + this;
            }
            boolean over =
                state[HOST] == 20 && state[RUNNING] == state[LAUNCHES] && state[FIRST] == 0 && state[SECOND] == 0;
            if (next.isEmpty() && !over) {
                return "all wait for ever in call " + state[CALL] + ", " + this;
            }
            if (over && state[EPOCH] != CALLS) {
                return "the epoch is " + state[EPOCH] + " after " + CALLS + " calls, " + this;
            }
            for (int[] each : next) {
                if (seen.add(Arrays.stream(each).boxed().toList())) {
                    open.add(each);
                }
            }
        }
        return null;
    }

    @Override
    public String toString() {
        return "calls of all blocks " + Arrays.toString(forAll) + ", told to leave after "
            + Arrays.toString(leavesAfter);
    }
}
