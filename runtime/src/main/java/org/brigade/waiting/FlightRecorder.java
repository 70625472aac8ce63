package org.brigade.waiting;

import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.List;
import mpi.spi.Collective;
import org.brigade.memory.NativeMemory;

/**
 * One rank's last calls and the sum of their bytes, in memory that outlives the rank. The rank writes three words when
 * a call begins and one when it returns, under its engine's lock; it reads no clock and allocates nothing. A call that
 * is short as a rule ({@link #enters}) is written at its end alone, or before it waits ({@link #show}). What a killed
 * rank has written last may be half an entry: the reader then takes it for an older one.
 *
 * <pre>
 *    0  entries of {@link #CALLS} calls; call n (from 1 on) is in entry n % CALLS:
 *         0  what is called (8 bits), which algorithm ran it (5 bits, 0: not known), peer or root + 1 (14 bits,
 *            0: none), bytes (37 bits, all 1: not known)
 *         8  context of the communicator (32 bits), number of the collective or tag (32 bits)
 *        16  the node's time when the call began, or when it returned (40 bits), n (23 bits), 1: it has returned
 *  768  sum of the bytes of all calls but receives, whose senders count them; 56 bytes unused
 *  832  {@link NameTable} of {@link #NAMES} communicators; context c is in entry (c ^ c >>> 18) % NAMES
 * 1856  {@link NameTable} of {@link #ALGORITHMS} algorithms in the order of their first calls, from entry 1 on
 * 2880  end
 * </pre>
 *
 * The sum is written with long calls, before a wait and with each eighth short call, as a word costs an interpreter 1
 * us.
 *
 * The node's time is a word that all ranks of the node share. Those that have to look at a clock anyway write it: every
 * rank in a long wait, and the first rank four times a second. Its unit is 2^20 ns of System.nanoTime.
 */
public class FlightRecorder {
    /** Calls that are kept of each rank. */
    public static final int CALLS = 32;
    public static final int BYTES = 2880;

    /** What is called, beside collectives. A collective is its ordinal, and {@link #NONBLOCKING} more if it is that. */
    public static final int SEND = 64;
    public static final int ISEND = 65;
    public static final int RECV = 66;
    public static final int IRECV = 67;
    public static final int FINALIZE = 68;
    /** A call that has thrown before it began, as its arguments were wrong. */
    public static final int REFUSED = 69;
    public static final int NONBLOCKING = 32;
    /** No peer or root; any peer. */
    public static final int NOBODY = -1;
    /** No call. */
    public static final int NONE = -1;

    /** Of an entry, as compiled code, too, knows it. */
    private static final int ENTRY_BYTES = 24;
    private static final int ENTRY_WORDS = ENTRY_BYTES / Long.BYTES;
    private static final int KEY = 8;
    private static final int STATE = 16;
    private static final int SUM_AT = CALLS * ENTRY_BYTES;
    private static final int SUM_WORD = SUM_AT / Long.BYTES;
    private static final int NAMES_AT = SUM_AT + 64;
    private static final int NAMES = 16;
    private static final int NAME_BYTES = 64;
    private static final int RANK_SHIFT = 18;
    private static final int ALGORITHMS_AT = NAMES_AT + NAMES * NAME_BYTES;
    private static final int ALGORITHMS = 32;
    private static final int ALGORITHM_BYTES = 32;

    private static final int PEER_SHIFT = 37;
    private static final int ALGORITHM_SHIFT = 51;
    private static final int CODE_SHIFT = 56;
    private static final long BYTES_MASK = (1L << PEER_SHIFT) - 1;
    private static final long PEER_MASK = 0x3fff;
    private static final long ALGORITHM_MASK = (long) (ALGORITHMS - 1) << ALGORITHM_SHIFT;
    /** The sum is written with each call of at least so many bytes, and with one of so many shorter calls. */
    private static final int LONG_CALL = 4 << 10;
    private static final int SHORT_CALLS = 8;
    private static final int TIME_SHIFT = 24;
    private static final int UNIT_SHIFT = 20;
    private static final int NUMBER_MASK = (1 << 23) - 1;

    private static final Collective[] COLLECTIVES = Collective.values();

    private final NativeMemory memory;
    private final int at;
    private final int clock;
    /** The entries and the node's time: words of a LongBuffer cost less than those of a ByteBuffer. */
    private final LongBuffer words;
    private final LongBuffer time;
    private final NameTable names;
    private final NameTable algorithms;
    private int number;
    private long sum;
    /** The call that has been entered and is not written, or {@link #NONE}; what is called, and its key. */
    private int entered = NONE;
    private long enteredCall;
    private long enteredKey;
    /** The call whose end has been written, though it has not returned, or {@link #NONE}. */
    private int done = NONE;

    /**
     * @param at where this rank's entries begin; a multiple of 8
     * @param clock where the node's time is; a multiple of 8
     */
    public FlightRecorder(NativeMemory memory, int at, int clock) {
        this.memory = memory;
        this.at = at;
        this.clock = clock;
        words = longs(memory, at, SUM_WORD + 1);
        time = longs(memory, clock, 1);
        names = new NameTable(memory, at + NAMES_AT, NAME_BYTES);
        algorithms = new NameTable(memory, at + ALGORITHMS_AT, ALGORITHM_BYTES);
    }

    private static LongBuffer longs(NativeMemory memory, int at, int count) {
        return memory.bytes.duplicate().position(at).limit(at + count * Long.BYTES).slice()
            .order(ByteOrder.nativeOrder()).asLongBuffer();
    }

    /** Records that nobody else can see. */
    public static FlightRecorder unseen() {
        return new FlightRecorder(NativeMemory.allocate(BYTES + Long.BYTES), 0, BYTES);
    }

    /**
     * A collective begins.
     *
     * @param key of its messages
     * @return its number, for {@link #ended}
     */
    public int begins(Collective collective, boolean blocking, long key, int root, long bytes) {
        return begins(collective.ordinal() + (blocking ? 0 : NONBLOCKING), key, collective.rooted ? root : NOBODY,
            bytes);
    }

    /** As {@link #begins(Collective, boolean, long, int, long)}, for a call that is short unless it waits. */
    public int enters(Collective collective, boolean blocking, long key, int root, long bytes) {
        return enters(collective.ordinal() + (blocking ? 0 : NONBLOCKING), key, collective.rooted ? root : NOBODY,
            bytes);
    }

    /**
     * A call begins.
     *
     * @param code a constant of this class
     * @param key context and tag
     * @return its number, for {@link #ended}
     */
    public int begins(int code, long key, int peer, long bytes) {
        int n = number = number + 1 & NUMBER_MASK;
        write(n, call(code, peer, bytes), key, 0);
        return n;
    }

    /**
     * As {@link #begins(int, long, int, long)}, for a call that is short unless it waits: then it must be
     * {@linkplain #show shown} first.
     */
    public int enters(int code, long key, int peer, long bytes) {
        show();
        int n = number = number + 1 & NUMBER_MASK;
        entered = n;
        enteredCall = call(code, peer, bytes);
        enteredKey = key;
        return n;
    }

    /**
     * As {@link #enters(Collective, boolean, long, int, long)}, for a call that is described as one before.
     *
     * @param word of that one, from {@link #word}
     * @param bytes 0 or more
     */
    public int enters(long word, long key, long bytes) {
        show();
        int n = number = number + 1 & NUMBER_MASK;
        entered = n;
        enteredCall = word;
        enteredKey = key;
        sum += bytes;
        return n;
    }

    /**
     * A call begins that compiled code notes at its end, if it need not wait; else it must be {@link #enter}ed.
     *
     * @param bytes 0 or more
     * @return its number
     */
    public int next(long bytes) {
        if (entered != NONE) {
            show();
        }
        int n = number = number + 1 & NUMBER_MASK;
        sum += bytes;
        return n;
    }

    /** The call of this number, the {@link #next}, is not done yet. */
    public void enter(int n, long word, long key) {
        entered = n;
        enteredCall = word;
        enteredKey = key;
    }

    /** What is written of a blocking collective that this algorithm runs. */
    public static long word(Collective collective, int root, long bytes, long algorithm) {
        return word(collective.ordinal(), collective.rooted ? root : NOBODY, bytes) | algorithm;
    }

    /** Writes the call that has been entered, if it is not written yet. */
    public void show() {
        if (entered != NONE) {
            write(entered, enteredCall, enteredKey, 0);
            words.put(SUM_WORD, sum);
            entered = NONE;
        }
    }

    /** As {@link #begins(int, long, int, long)}, for a call that returns at once, as all nonblocking ones do. */
    public void made(int code, long key, int peer, long bytes) {
        int n = number = number + 1 & NUMBER_MASK;
        write(n, call(code, peer, bytes), key, 1);
    }

    /** The first word of a call's entry. Adds its bytes to the sum. */
    private long call(int code, int peer, long bytes) {
        if (bytes > 0 && code != RECV && code != IRECV) {
            sum += bytes;
        }
        return word(code, peer, bytes);
    }

    private static long word(int code, int peer, long bytes) {
        return (long) code << CODE_SHIFT | (peer + 1 & PEER_MASK) << PEER_SHIFT
            | (bytes < BYTES_MASK ? bytes & BYTES_MASK : BYTES_MASK);
    }

    private void write(int n, long call, long key, int returned) {
        LongBuffer longs = words;
        int entry = (n & CALLS - 1) * ENTRY_WORDS;
        longs.put(entry, call);
        longs.put(entry + KEY / Long.BYTES, key);
        longs.put(entry + STATE / Long.BYTES, time.get(0) << TIME_SHIFT | (long) n << 1 | returned);
        if ((n & SHORT_CALLS - 1) == 0 || (call & BYTES_MASK) >= LONG_CALL) {
            longs.put(SUM_WORD, sum);
        }
    }

    /**
     * Notes an algorithm's name, once for all calls.
     *
     * @return for {@link #runs}; 0 if there is no room for more names
     */
    public synchronized long algorithm(String name) {
        for (int i = 1; i < ALGORITHMS; i++) {
            String there = algorithms.text(i, i);
            if (there.isEmpty()) {
                algorithms.put(i, i, name);
            }
            if (there.isEmpty() || there.equals(name)) {
                return (long) i << ALGORITHM_SHIFT;
            }
        }
        return 0;
    }

    /**
     * An algorithm is about to run a call.
     *
     * @param n the call's number
     * @param algorithm that {@link #algorithm} gave
     */
    public void runs(int n, long algorithm) {
        if (n == entered) {
            enteredCall |= algorithm;
        } else if ((number - n & NUMBER_MASK) < CALLS) {
            int entry = (n & CALLS - 1) * ENTRY_WORDS;
            words.put(entry, words.get(entry) & ~ALGORITHM_MASK | algorithm);
        }
    }

    /** A call has returned, or thrown. */
    public void ended(int n) {
        if (n == done) {
            done = NONE;
        } else if (n == entered) {
            entered = NONE;
            write(n, enteredCall, enteredKey, 1);
        } else if ((number - n & NUMBER_MASK) < CALLS) { // another thread may have made many calls since
            words.put((n & CALLS - 1) * ENTRY_WORDS + STATE / Long.BYTES,
                time.get(0) << TIME_SHIFT | (long) n << 1 | 1);
        }
    }

    // ---- for compiled code that writes the entry of a call at its end ----

    /** The address of the entries. */
    public long address() {
        return memory.address() + at;
    }

    /** The address of the node's time. */
    public long clockAddress() {
        return memory.address() + clock;
    }

    /** The number of the call of this key, if it has been entered and is not written; else {@link #NONE}. */
    public int unwritten(long key) {
        return enteredKey == key ? entered : NONE;
    }

    /** The first word of its entry. */
    public long unwrittenCall() {
        return enteredCall;
    }

    /** Compiled code has written its entry, as of a call that has returned. */
    public void written() {
        done = entered;
        entered = NONE;
    }

    /** Sets the node's time. */
    public void tick(long nanoTime) {
        memory.putLong(clock, nanoTime >>> UNIT_SHIFT);
    }

    /** Notes a communicator's name. */
    public void names(int context, String name) {
        names.put(nameEntry(context), context, name);
    }

    /** Ranks number the contexts that they make from the same number on, with their own rank in the high bits. */
    private static int nameEntry(int context) {
        return (context ^ context >>> RANK_SHIFT) & NAMES - 1;
    }

    /** How many calls have been made, modulo {@link RankActivity#MODULUS}. Any process. */
    public int made() {
        return number(newest());
    }

    /** Bytes of all calls but receives; the last few short calls may be missing. Any process. */
    public long sum() {
        return memory.getLong(at + SUM_AT);
    }

    /** The third word of the newest entry; 0 if there is none. */
    private long newest() {
        long newest = 0;
        for (int i = 0; i < CALLS; i++) {
            long state = memory.getLong(at + i * ENTRY_BYTES + STATE);
            if (state != 0 && (newest == 0 || isLater(state, newest))) {
                newest = state;
            }
        }
        return newest;
    }

    /** The program's last calls, the newest first. Any process. */
    public List<RecordedCall> read(int most) {
        long newest = newest();
        List<RecordedCall> calls = new ArrayList<>();
        int n = number(newest);
        for (int i = 0; newest != 0 && i < CALLS && calls.size() < most; i++, n = n - 1 & NUMBER_MASK) {
            int entry = at + (n & CALLS - 1) * ENTRY_BYTES;
            long state = memory.getLongAcquire(entry + STATE);
            long what = memory.getLong(entry);
            long key = memory.getLongAcquire(entry + KEY);
            boolean own = key < 0; // the library's own messages
            if (!own && state != 0 && number(state) == n && number(memory.getLong(entry + STATE)) == n) {
                int context = (int) (key >>> Integer.SIZE);
                int algorithm = (int) ((what & ALGORITHM_MASK) >>> ALGORITHM_SHIFT);
                calls.add(new RecordedCall(word((int) (what >>> CODE_SHIFT)), context,
                    context == 0 ? "" : names.text(nameEntry(context), context),
                    algorithm == 0 ? "" : algorithms.text(algorithm, algorithm), (int) key,
                    isCollective((int) (what >>> CODE_SHIFT)),
                    (int) (what >>> PEER_SHIFT & PEER_MASK) - 1,
                    (what & BYTES_MASK) == BYTES_MASK ? -1 : what & BYTES_MASK, state >>> TIME_SHIFT << UNIT_SHIFT,
                    (state & 1) != 0));
            }
        }
        return calls;
    }

    private static int number(long state) {
        return (int) state >>> 1 & NUMBER_MASK;
    }

    private static boolean isLater(long state, long than) {
        return (number(state) - number(than) & NUMBER_MASK) <= CALLS;
    }

    private static boolean isCollective(int code) {
        return code < SEND;
    }

    private static String word(int code) {
        if (isCollective(code)) {
            int which = code & NONBLOCKING - 1;
            return which >= COLLECTIVES.length ? "?"
                : (code < NONBLOCKING ? "" : "nonblocking ") + COLLECTIVES[which].key();
        }
        return switch (code) {
            case SEND -> "send";
            case ISEND -> "isend";
            case RECV -> "recv";
            case IRECV -> "irecv";
            case FINALIZE -> "Finalize";
            case REFUSED -> RecordedCall.REFUSED;
            default -> "?";
        };
    }
}
