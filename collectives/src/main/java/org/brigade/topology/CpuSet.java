package org.brigade.topology;

import java.util.BitSet;

/**
 * A set of logical processors by number, in the kernel's two notations: lists ({@code 0-23,48-71}) and maps
 * (comma-separated words of 32 bits in hexadecimal, the highest first: {@code 000000ff,ffff0000,00ffffff}). Immutable.
 */
public final class CpuSet {
    public static final CpuSet EMPTY = new CpuSet(new BitSet());
    /**
     * One more than the highest number that is accepted: the kernel's own limit is 8,192. It limits the memory that a
     * file can make us allocate.
     */
    private static final int MOST = 1 << 16;
    private static final int WORD = 32;

    private final BitSet members;

    private CpuSet(BitSet members) {
        this.members = members;
    }

    public static CpuSet of(int... processors) {
        BitSet members = new BitSet();
        for (int processor : processors) {
            members.set(processor);
        }
        return new CpuSet(members);
    }

    /** One bit a processor, the lowest first. */
    public static CpuSet ofMask(long[] words) {
        return new CpuSet(BitSet.valueOf(words));
    }

    /**
     * Reads {@code 0-3,8}; an empty text is the empty set.
     *
     * @throws IllegalArgumentException if it is not such a list, or names a processor above 65,535
     */
    public static CpuSet parseList(String text) {
        BitSet members = new BitSet();
        String list = text.trim();
        int from = 0;
        while (from < list.length()) {
            int comma = list.indexOf(',', from);
            String range = list.substring(from, comma < 0 ? list.length() : comma).trim();
            from = comma < 0 ? list.length() : comma + 1;
            int dash = range.indexOf('-');
            int first = number(dash < 0 ? range : range.substring(0, dash), 10, text);
            int last = dash < 0 ? first : number(range.substring(dash + 1), 10, text);
            if (last < first || last >= MOST) {
                throw wrong(text);
            }
            members.set(first, last + 1);
        }
        return new CpuSet(members);
    }

    /** As {@link #parseList}, but any other text is the empty set: for files that not every kernel has. */
    public static CpuSet listOrEmpty(String text) {
        try {
            return parseList(text);
        } catch (IllegalArgumentException e) {
            return EMPTY;
        }
    }

    /**
     * Reads {@code 00000000,00ffffff}.
     *
     * @throws IllegalArgumentException if it is not such a map, or names a processor above 65,535
     */
    public static CpuSet parseMap(String text) {
        String[] words = text.trim().split(",", -1);
        if (words.length > MOST / WORD) {
            throw wrong(text);
        }
        BitSet members = new BitSet();
        for (int i = 0; i < words.length; i++) {
            int base = (words.length - 1 - i) * WORD;
            int word = number(words[i], 16, text);
            for (int bit = 0; bit < WORD; bit++) {
                if ((word >>> bit & 1) != 0) {
                    members.set(base + bit);
                }
            }
        }
        return new CpuSet(members);
    }

    private static int number(String digits, int radix, String text) {
        try {
            return radix == 16 ? Integer.parseUnsignedInt(digits.trim(), radix)
                : Integer.parseInt(digits.trim(), radix);
        } catch (NumberFormatException e) {
            throw wrong(text);
        }
    }

    private static IllegalArgumentException wrong(String text) {
        return new IllegalArgumentException("\"" + (text.length() > 60 ? text.substring(0, 60) + "..." : text)
            + "\" is no set of processors (0-23,48 or 0000ff00,00ffffff)");
    }

    public boolean isEmpty() {
        return members.isEmpty();
    }

    public int size() {
        return members.cardinality();
    }

    public boolean contains(int processor) {
        return processor >= 0 && members.get(processor);
    }

    public boolean containsAll(CpuSet other) {
        BitSet rest = (BitSet) other.members.clone();
        rest.andNot(members);
        return rest.isEmpty();
    }

    public CpuSet and(CpuSet other) {
        BitSet both = (BitSet) members.clone();
        both.and(other.members);
        return new CpuSet(both);
    }

    public CpuSet or(CpuSet other) {
        BitSet any = (BitSet) members.clone();
        any.or(other.members);
        return new CpuSet(any);
    }

    public CpuSet minus(CpuSet other) {
        BitSet rest = (BitSet) members.clone();
        rest.andNot(other.members);
        return new CpuSet(rest);
    }

    /** The lowest member, or -1. */
    public int first() {
        return members.nextSetBit(0);
    }

    /** A copy, which may be changed. */
    public BitSet toBitSet() {
        return (BitSet) members.clone();
    }

    /** All members, ascending. */
    public int[] toArray() {
        int[] all = new int[members.cardinality()];
        for (int i = 0, member = members.nextSetBit(0); i < all.length; member = members.nextSetBit(member + 1)) {
            all[i++] = member;
        }
        return all;
    }

    /** The kernel's map, with at least {@code words} words. */
    public String toMap(int words) {
        int count = Math.max(Math.max(words, 1), (members.length() + WORD - 1) / WORD);
        StringBuilder text = new StringBuilder();
        for (int word = count - 1; word >= 0; word--) {
            int value = 0;
            for (int bit = 0; bit < WORD; bit++) {
                value |= (members.get(word * WORD + bit) ? 1 : 0) << bit;
            }
            text.append(String.format("%08x", value)).append(word == 0 ? "" : ",");
        }
        return text.toString();
    }

    /** The kernel's list: {@code 0-23,48-71}. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (int first = members.nextSetBit(0); first >= 0; first = members.nextSetBit(members.nextClearBit(first))) {
            int last = members.nextClearBit(first) - 1;
            text.append(text.length() == 0 ? "" : ",").append(first).append(last > first ? "-" + last : "");
        }
        return text.toString();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof CpuSet set && members.equals(set.members);
    }

    @Override
    public int hashCode() {
        return members.hashCode();
    }
}
