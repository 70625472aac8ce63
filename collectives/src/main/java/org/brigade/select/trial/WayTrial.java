package org.brigade.select.trial;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.brigade.algorithm.CostModel;
import org.brigade.select.trial.MeasuredWay.Tried;

/**
 * Finds the fastest way for one class of calls, within them. All members ask {@link #next} and tell it the same times,
 * so all of them run the same way in each call.
 *
 * <p>
 * A way is tried in turn with the best one so far: one call that is not compared (code and memory come with it), then
 * {@value #SAMPLES}. It becomes the best if its median is shorter by more than the noise. What calls took longer than
 * the best way's is a debt; nothing is tried while that is more than a twentieth of the time of all calls of the class.
 * A way that is far slower is dropped after one call.
 */
public final class WayTrial {
    static final int SAMPLES = 5;
    /** Calls of the shipped way before anything is tried: the first ones load code. */
    static final int FIRST_CALLS = 8;
    private static final int DEBT_OF = 20;
    private static final double GAIN = 0.97;
    private static final double FAR = 1.5;
    /** If so many calls of the class had other sizes than the one that is measured, take theirs. */
    private static final int OTHER_SIZES = 64;

    private final SizeClass where;
    private final int ranks;
    private final CostModel costs;
    private long bytes;
    private Candidates candidates;

    private Way best;
    /** The best way's last times. */
    private final long[] bestTimes = new long[SAMPLES];
    private int bestCalls;
    private final List<Way> waiting = new ArrayList<>();
    private int phase;
    /** The way that is tried; null if none is. */
    private Way tried;
    private final long[] times = new long[SAMPLES];
    /** Calls of the tried way, the first included. */
    private int calls;
    /** The best way's turn. */
    private boolean rests;
    private int others;
    private long spent;
    private long debt;
    private final List<Tried> results = new ArrayList<>();
    private boolean over;

    /** @param bytes of the first call */
    public WayTrial(SizeClass where, int ranks, long bytes, CostModel costs) {
        this.where = where;
        this.ranks = ranks;
        this.costs = costs;
        begin(bytes);
    }

    private void begin(long size) {
        bytes = size;
        candidates = new Candidates(where, ranks, size, costs);
        best = where.shipped();
        bestCalls = 0;
        waiting.clear();
        phase = 0;
        tried = null;
        rests = false;
        others = 0;
        results.clear();
    }

    /** The way for a call that nobody tries anything in. */
    public Way best(long size) {
        return best.serves(ranks, size, where.placement()) ? best : where.shipped();
    }

    /** What to try in the next call of the class if it has this size and all members can; null: nothing. */
    public Way next(long size) {
        return over || size != bytes || rests || tried == null || debt * DEBT_OF > spent ? null : tried;
    }

    /** Whether the time of the next call of what is tried will not be compared. */
    public boolean isFirst() {
        return calls == 0;
    }

    /** A call of the class is about to run. */
    public void sees(long size) {
        if (!over && size != bytes && ++others >= OTHER_SIZES) {
            begin(size);
        } else if (size == bytes) {
            others = 0;
        }
    }

    /** Some member cannot run what is tried. */
    public void refused() {
        if (tried != null) {
            goOn();
        }
    }

    /** What a call took on the member where it took longest. */
    public void took(Way way, long size, long nanos) {
        if (over || size != bytes) {
            return;
        }
        spent += nanos;
        if (way.equals(tried)) {
            debt += Math.max(0, nanos - median(bestTimes));
            rests = true;
            if (calls++ > 0) {
                times[calls - 2] = nanos;
                judge();
            }
        } else if (way.equals(best)) {
            rests = false;
            bestTimes[bestCalls++ % SAMPLES] = nanos;
            if (tried == null && bestCalls >= FIRST_CALLS) {
                goOn();
            }
        } else {
            debt += Math.max(0, nanos - median(bestTimes)); // given up meanwhile
        }
    }

    private void judge() {
        int compared = calls - 1;
        long[] sofar = Arrays.copyOf(times, compared);
        long usual = median(bestTimes);
        if (compared == 1 && sofar[0] > FAR * usual) {
            results.add(new Tried(tried, sofar[0]));
            if (tried.share() > best.share() && tried.algorithm() == best.algorithm()) {
                waiting.removeIf(each -> each.share() > best.share()); // more by the host costs more still
            }
            goOn();
        } else if (compared == SAMPLES) {
            long median = median(sofar);
            results.add(new Tried(tried, median));
            if (median < GAIN * usual) {
                if (results.stream().noneMatch(each -> each.way().equals(best))) {
                    results.add(0, new Tried(best, usual));
                }
                best = tried;
                System.arraycopy(times, 0, bestTimes, 0, SAMPLES);
                bestCalls = SAMPLES;
            }
            goOn();
        }
    }

    /** Takes the next way to try, or ends. */
    private void goOn() {
        calls = 0;
        tried = null;
        while (waiting.isEmpty() && phase < Candidates.PHASES) {
            waiting.addAll(candidates.of(phase++, best));
        }
        if (waiting.isEmpty()) {
            if (best.equals(where.shipped())) {
                results.add(0, new Tried(best, median(bestTimes)));
            }
            over = true;
        } else {
            tried = waiting.remove(0);
        }
    }

    /** Whether nothing is left to try. */
    public boolean isOver() {
        return over;
    }

    /** What was found, once it is over. */
    public MeasuredWay result() {
        return new MeasuredWay(where, bytes, best, List.copyOf(results));
    }

    private static long median(long[] times) {
        long[] sorted = times.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }
}
