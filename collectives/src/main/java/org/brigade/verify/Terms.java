package org.brigade.verify;

import java.util.Arrays;

/**
 * Symbolic values: leaves (element p of rank r's contribution) and sums of two terms. Each term exists once, so equal
 * terms are equal numbers. Sums are never reassociated; for commutative operations a+b and b+a are one term.
 */
public final class Terms {
    /** The value of unwritten memory. */
    public static final int UNWRITTEN = 0;

    private final int elements;
    private final int leaves;
    private final boolean commutative;
    private int[] left = new int[64];
    private int[] right = new int[64];
    private int sums;
    private int[] table = new int[256];

    public Terms(int ranks, int elements, boolean commutative) {
        this.elements = Math.max(1, elements);
        this.leaves = ranks * this.elements;
        this.commutative = commutative;
    }

    public int leaf(int rank, int element) {
        return 1 + rank * elements + element;
    }

    public int sum(int a, int b) {
        int first = commutative ? Math.min(a, b) : a;
        int second = commutative ? Math.max(a, b) : b;
        int slot = slot(first, second);
        while (table[slot] != 0) {
            int known = table[slot] - 1;
            if (left[known] == first && right[known] == second) {
                return 1 + leaves + known;
            }
            slot = slot + 1 & table.length - 1;
        }
        if (sums == left.length) {
            left = Arrays.copyOf(left, 2 * sums);
            right = Arrays.copyOf(right, 2 * sums);
        }
        left[sums] = first;
        right[sums] = second;
        table[slot] = ++sums;
        if (2 * sums > table.length) {
            rehash();
        }
        return leaves + sums;
    }

    private int slot(int first, int second) {
        return (int) ((first * 0x9E3779B97F4A7C15L + second * 0xC2B2AE3D27D4EB4FL) >>> 33) & table.length - 1;
    }

    private void rehash() {
        table = new int[2 * table.length];
        for (int i = 0; i < sums; i++) {
            int slot = slot(left[i], right[i]);
            while (table[slot] != 0) {
                slot = slot + 1 & table.length - 1;
            }
            table[slot] = i + 1;
        }
    }

    /**
     * Whether a term is the sum of one element of ranks 0 to {@code ranks - 1}, each once; in rank order unless
     * operations commute.
     */
    public boolean sumsAll(int term, int ranks, int element) {
        int[] order = new int[ranks];
        if (flatten(term, element, order, 0) != ranks) {
            return false;
        }
        if (commutative) {
            Arrays.sort(order);
        }
        for (int rank = 0; rank < ranks; rank++) {
            if (order[rank] != rank) {
                return false;
            }
        }
        return true;
    }

    /** Collects the ranks in a term from left to right; a wrong element counts as too many. */
    private int flatten(int term, int element, int[] order, int count) {
        if (count > order.length || term == UNWRITTEN) {
            return order.length + 1;
        }
        if (term <= leaves) {
            if ((term - 1) % elements != element || count == order.length) {
                return order.length + 1;
            }
            order[count] = (term - 1) / elements;
            return count + 1;
        }
        int sum = term - 1 - leaves;
        return flatten(right[sum], element, order, flatten(left[sum], element, order, count));
    }

    /** A term in words: {@code (a0+a1)+a2}; {@code a2[7]} if the element is not {@code element}. */
    public String toString(int term, int element) {
        if (term == UNWRITTEN) {
            return "nothing";
        }
        if (term <= leaves) {
            int at = (term - 1) % elements;
            return "a" + (term - 1) / elements + (at == element ? "" : "[" + at + "]");
        }
        int sum = term - 1 - leaves;
        return operand(left[sum], element) + "+" + operand(right[sum], element);
    }

    private String operand(int term, int element) {
        return term > leaves ? "(" + toString(term, element) + ")" : toString(term, element);
    }
}
