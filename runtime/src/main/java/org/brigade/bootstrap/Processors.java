package org.brigade.bootstrap;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.brigade.process.Platform;
import org.brigade.setting.Portable;

/**
 * The processors on which a process may run, by its affinity, and how many its control group allows. Read without
 * native calls, as MPI.Init needs them.
 *
 * <p>
 * Ranks exchange these, because one rank's affinity says little: a rank that mpirun binds sees one processor, which
 * nevertheless may be its own.
 */
public final class Processors {
    /** Longs of a mask: processors from 1024 on are ignored. */
    public static final int MASK_WORDS = 16;
    /** Longs of {@link #words}. */
    public static final int WORDS = 1 + MASK_WORDS;
    /** Not known; also for ranks that are threads. */
    public static final Processors UNKNOWN = new Processors(new long[0], 0);

    private static final String GROUPS = "/sys/fs/cgroup";

    /** One bit a processor, without trailing zeros; empty if unknown. */
    private final long[] mask;
    /** Whole processors; 0 if the control group sets no limit. */
    private final int quota;

    private Processors(long[] mask, int quota) {
        int length = mask.length;
        while (length > 0 && mask[length - 1] == 0) {
            length--;
        }
        this.mask = Arrays.copyOf(mask, length);
        this.quota = quota;
    }

    /** A mask with one bit a processor, and a limit of whole processors, 0 for none. */
    public static Processors of(long[] mask, int quota) {
        return new Processors(mask, quota);
    }

    /** The processors of the calling thread; as many as the JVM counts, where the system does not name them. */
    public static Processors ofThisThread() {
        if (Portable.ON) {
            return new Processors(first(Runtime.getRuntime().availableProcessors()), 0);
        }
        long[] allowed = allowed(file("/proc/thread-self/status"));
        return new Processors(existing(allowed), limit());
    }

    private static long[] first(int count) {
        long[] mask = new long[MASK_WORDS];
        for (int i = 0; i < Math.min(count, MASK_WORDS * Long.SIZE); i++) {
            mask[i >> 6] |= 1L << (i & 63);
        }
        return mask;
    }

    /** Those of a mask that the machine has: without restrictions the kernel lists others, too. */
    private static long[] existing(long[] allowed) {
        long[] online = online(file("/sys/devices/system/cpu/online"));
        boolean any = false;
        for (int i = 0; i < MASK_WORDS; i++) {
            online[i] &= allowed[i];
            any |= online[i] != 0;
        }
        return any ? online : allowed;
    }

    /** The processors that another process of this machine may use; unknown if there is none. */
    public static Processors ofProcess(long pid) {
        return new Processors(existing(allowed(file("/proc/".concat(Long.toString(pid)).concat("/status")))), 0);
    }

    /** Reads what {@link #words} has written. */
    public static Processors ofWords(long[] words) {
        return words.length == 0 ? UNKNOWN : new Processors(Arrays.copyOfRange(words, 1, words.length), (int) words[0]);
    }

    /** The quota and the mask; not more words than {@link #WORDS}. */
    public long[] words() {
        long[] words = new long[1 + mask.length];
        words[0] = quota;
        System.arraycopy(mask, 0, words, 1, mask.length);
        return words;
    }

    /**
     * A number that all processes of this machine share, whatever their containers, and no others; 0 if the kernel
     * gives none. In the portable mode, which joins the processes of one user of one machine only, their folder's.
     */
    public static long machine() {
        if (Portable.ON) {
            return Platform.here().memory();
        }
        long number = 0;
        for (byte c : file("/proc/sys/kernel/random/boot_id")) {
            number = number * 31 + c;
        }
        return number;
    }

    boolean isKnown() {
        return mask.length > 0;
    }

    /** Number of processors. */
    int count() {
        int count = 0;
        for (long word : mask) {
            count += Long.bitCount(word);
        }
        return count;
    }

    /** The lowest number; -1 if unknown. */
    int first() {
        for (int word = 0; word < mask.length; word++) {
            if (mask[word] != 0) {
                return word * Long.SIZE + Long.numberOfTrailingZeros(mask[word]);
            }
        }
        return -1;
    }

    /** One bit a processor; empty if unknown. */
    public long[] mask() {
        return mask;
    }

    /** How many the control group allows; the largest number if it sets no limit. */
    public int quota() {
        return quota == 0 ? Integer.MAX_VALUE : quota;
    }

    // ---- what the kernel says ----

    /** {@code Cpus_allowed:\tff,ffffffff}: hexadecimal, the highest processors first. */
    static long[] allowed(byte[] status) {
        long[] mask = new long[MASK_WORDS];
        int from = find(status, "Cpus_allowed:");
        if (from < 0) {
            return mask;
        }
        int end = from;
        while (end < status.length && status[end] != '\n') {
            end++;
        }
        for (int at = end - 1, bit = 0; at >= from && bit < MASK_WORDS * Long.SIZE; at--) {
            int digit = Character.digit(status[at], 16);
            if (digit >= 0) {
                mask[bit >> 6] |= (long) digit << (bit & 63);
                bit += 4;
            }
        }
        return mask;
    }

    /** {@code 0-3,8-11}; all processors if the text is empty. */
    static long[] online(byte[] list) {
        long[] mask = new long[MASK_WORDS];
        if (list.length == 0 || list[0] < '0' || list[0] > '9') {
            Arrays.fill(mask, -1);
            return mask;
        }
        int number = 0;
        int first = -1;
        for (byte c : list) {
            if (c >= '0' && c <= '9') {
                number = Math.min(number * 10 + c - '0', MASK_WORDS * Long.SIZE);
            } else if (c == '-') {
                first = number;
                number = 0;
            } else {
                for (int i = first < 0 ? number : first; i <= number && i < MASK_WORDS * Long.SIZE; i++) {
                    mask[i >> 6] |= 1L << (i & 63);
                }
                if (c != ',') {
                    return mask;
                }
                first = -1;
                number = 0;
            }
        }
        return mask;
    }

    /** The smallest limit of this process's control group and of the groups around it. */
    private static int limit() {
        // In a container, version 1 shows the container's own group at the root.
        byte[] granted = file(GROUPS + "/cpu/cpu.cfs_quota_us");
        int least = number(granted, 0) <= 0 ? 0 : quota(granted, file(GROUPS + "/cpu/cpu.cfs_period_us"));
        String group = group(file("/proc/self/cgroup"));
        while (group != null) {
            byte[] both = file(GROUPS + group + "/cpu.max");
            int quota = quota(both, both);
            least = quota > 0 && (least == 0 || quota < least) ? quota : least;
            int parent = group.lastIndexOf('/');
            group = parent < 0 ? null : group.substring(0, parent);
        }
        return least;
    }

    /**
     * The group of version 2's hierarchy: {@code /user.slice/job} for {@code 0::/user.slice/job}, empty for the root;
     * null if there is none.
     */
    static String group(byte[] groups) {
        int from = find(groups, "0::");
        if (from < 0) {
            return null;
        }
        int end = from;
        while (end < groups.length && groups[end] != '\n') {
            end++;
        }
        String path = new String(groups, from, end - from, StandardCharsets.UTF_8);
        return path.equals("/") ? "" : path;
    }

    /**
     * A limit, from {@code 150000 100000} (microseconds) or its two numbers in two files: processors, rounded up; 0 for
     * {@code max} or -1.
     */
    static int quota(byte[] granted, byte[] period) {
        long quota = number(granted, 0);
        int gap = 0;
        while (granted == period && gap < period.length && period[gap] != ' ') {
            gap++;
        }
        long each = number(period, granted == period ? gap + 1 : 0);
        return quota <= 0 || each <= 0 ? 0 : (int) Math.min(Integer.MAX_VALUE, (quota + each - 1) / each);
    }

    private static long number(byte[] text, int at) {
        long number = -1;
        for (int i = at; i < text.length && text[i] >= '0' && text[i] <= '9' && number < Long.MAX_VALUE / 16; i++) {
            number = Math.max(number, 0) * 10 + text[i] - '0';
        }
        return number;
    }

    /** Position behind {@code begin} at the start of a line; -1 if no line begins so. */
    private static int find(byte[] text, String begin) {
        for (int at = 0; at + begin.length() <= text.length; at++) {
            if (at == 0 || text[at - 1] == '\n') {
                int same = 0;
                while (same < begin.length() && text[at + same] == begin.charAt(same)) {
                    same++;
                }
                if (same == begin.length()) {
                    return at + same;
                }
            }
        }
        return -1;
    }

    /** The file's content; empty if it cannot be read. */
    static byte[] file(String path) {
        return Platform.here().kernel(path);
    }

    /** {@code 0-3,8-11, limited to 2 by the control group}. */
    @Override
    public String toString() {
        if (mask.length == 0) {
            return "unknown processors";
        }
        StringBuilder text = new StringBuilder();
        int end = mask.length * Long.SIZE;
        for (int i = 0; i < end; i++) {
            if (has(i) && (i == 0 || !has(i - 1))) {
                int last = i;
                while (last + 1 < end && has(last + 1)) {
                    last++;
                }
                text.append(text.isEmpty() ? "" : ",").append(i).append(last > i ? "-" + last : "");
            }
        }
        return quota == 0 ? text.toString() : text + ", limited to " + quota + " by the control group";
    }

    /** Whether this is one of them. */
    boolean has(int processor) {
        return processor >> 6 < mask.length && (mask[processor >> 6] >>> (processor & 63) & 1) != 0;
    }
}
