package org.brigade.topology.profile;

/**
 * In which order rings and chains visit the nodes of a communicator. Nodes are numbered from 0 on, in the order of
 * their lowest ranks. The same on all ranks.
 */
public interface NodeOrder {
    /** All nodes, as a ring visits them. */
    int[] ring();

    /** All nodes, as a chain visits them that begins on {@code node}. */
    int[] from(int node);

    /** One after the other, by their numbers. */
    static NodeOrder byNumber(int nodes) {
        return new NodeOrder() {
            @Override
            public int[] ring() {
                return from(0);
            }

            @Override
            public int[] from(int node) {
                int[] order = new int[nodes];
                for (int n = 0; n < nodes; n++) {
                    order[n] = (node + n) % nodes;
                }
                return order;
            }
        };
    }
}
