package org.brigade.pattern;

/**
 * Two binary trees over positions 1 to n; each position is an inner node in at most one of them. Both are in order: the
 * left subtree of a node comes before the node, the right one after it. Inner nodes of tree 0 are the even positions.
 * If n is even, tree 1 is the mirror image of tree 0; else position 1 heads the same tree over the others.
 *
 * <p>
 * Source: Sanders, Speck, Träff, "Two-tree algorithms for full bandwidth broadcast, reduction and scan", 2009, section
 * 2.
 */
public record TwoTrees(int n) {
    /** No node: the parent of a tree's top, or a missing child. */
    public static final int NONE = 0;

    /** The parent of a position. */
    public int parent(int tree, int position) {
        if (tree == 0) {
            return parentIn(n, position);
        }
        if (n % 2 == 0) {
            return mirrored(parentIn(n, n + 1 - position));
        }
        return position == 1 ? NONE : parentIn(n - 1, position - 1) + 1;
    }

    /** The left child. */
    public int left(int tree, int position) {
        if (tree == 0) {
            return leftIn(position);
        }
        if (n % 2 == 0) {
            return mirrored(rightIn(n, n + 1 - position));
        }
        int left = position == 1 ? NONE : leftIn(position - 1);
        return left == NONE ? NONE : left + 1;
    }

    /** The right child. */
    public int right(int tree, int position) {
        if (tree == 0) {
            return rightIn(n, position);
        }
        if (n % 2 == 0) {
            return mirrored(leftIn(n + 1 - position));
        }
        int right = position == 1 ? Integer.highestOneBit(n - 1) : rightIn(n - 1, position - 1);
        return right == NONE ? NONE : right + 1;
    }

    /** The position without parent. */
    public int top(int tree) {
        return tree == 0 ? Integer.highestOneBit(n) : n % 2 == 0 ? mirrored(Integer.highestOneBit(n)) : 1;
    }

    /** The most edges from a top to a leaf. */
    public int height() {
        int first = 31 - Integer.numberOfLeadingZeros(n);
        return n % 2 == 0 || n == 1 ? first : 32 - Integer.numberOfLeadingZeros(n - 1);
    }

    private int mirrored(int position) {
        return position == NONE ? NONE : n + 1 - position;
    }

    private static int parentIn(int n, int position) {
        int bit = Integer.lowestOneBit(position);
        int parent = (position ^ bit) | bit << 1;
        return parent <= n ? parent : position ^ bit;
    }

    private static int leftIn(int position) {
        int bit = Integer.lowestOneBit(position);
        return bit == 1 ? NONE : position - bit / 2;
    }

    private static int rightIn(int n, int position) {
        for (int step = Integer.lowestOneBit(position) / 2; step > 0; step /= 2) {
            if (position + step <= n) {
                return position + step;
            }
        }
        return NONE;
    }
}
