package org.brigade.pattern;

/**
 * The tree of numbers 0 to ranks - 1 written in base {@code radix}: a node's parent is the node with its last nonzero
 * digit set to 0. Node 0 is the root, every subtree is a run of consecutive numbers, and the depth is at most the
 * number of digits. Radix 2: the binomial tree.
 */
public record KnomialTree(int ranks, int radix) {
    /**
     * The weight of a node's last nonzero digit; for the root the least power of the radix that is not below ranks.
     */
    private long weight(int node) {
        long weight = 1;
        while (node == 0 ? weight < ranks : node % (weight * radix) == 0) {
            weight *= radix;
        }
        return weight;
    }

    /** The parent of a node other than 0. */
    public int parent(int node) {
        return node - (int) (node % (weight(node) * radix));
    }

    /** The children of a node, those with the largest subtrees first. */
    public int[] children(int node) {
        long top = weight(node);
        int count = 0;
        for (long weight = 1; weight < top; weight *= radix) {
            count += (int) Math.min(radix - 1, Math.max(0, (ranks - 1 - node) / weight));
        }
        int[] children = new int[count];
        for (long weight = top / radix, at = 0; weight >= 1; weight /= radix) {
            for (int digit = 1; digit < radix && node + digit * weight < ranks; digit++) {
                children[(int) at++] = (int) (node + digit * weight);
            }
        }
        return children;
    }

    /** One past the last node of the subtree that {@code node} heads; its first is {@code node}. */
    public int end(int node) {
        return (int) Math.min(node + weight(node), ranks);
    }
}
