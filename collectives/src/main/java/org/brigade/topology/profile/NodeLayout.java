package org.brigade.topology.profile;

import java.util.Arrays;

/**
 * What the search for paths knows of a node beside measurements: which GPUs reach each other, its memories, and its
 * symmetries. In a profile of host memory the processor cores of the ranks stand for GPUs.
 *
 * @param numaNodes NUMA nodes with memory, 1 or more
 * @param numaOfGpu for each GPU the NUMA node that it is attached to
 * @param nicNuma for each network adapter its NUMA node; may be empty
 * @param peers [from][to]: whether that GPU can access the other's memory directly
 * @param gpuRelation [GPU][GPU]: pairs that may not replace each other have different numbers; on the diagonal the kind
 * of GPU, and how it is attached
 * @param numaRelation [NUMA node][NUMA node]: likewise. All zeros in both is what TCCL assumes: all NUMA nodes are
 * alike, and all GPUs of one NUMA node
 * @param footprints what transfers use, if relations of pairs do not tell everything
 */
public record NodeLayout(int numaNodes, int[] numaOfGpu, int[] nicNuma, boolean[][] peers, int[][] gpuRelation,
    int[][] numaRelation,
    Footprint.Source footprints) {
    /** A layout with unknown footprints. */
    public NodeLayout(int numaNodes, int[] numaOfGpu, int[] nicNuma, boolean[][] peers, int[][] gpuRelation,
        int[][] numaRelation) {
        this(numaNodes, numaOfGpu, nicNuma, peers, gpuRelation, numaRelation, transfer -> Footprint.UNKNOWN);
    }

    public NodeLayout {
        int gpus = numaOfGpu.length;
        boolean square = peers.length == gpus && gpuRelation.length == gpus && numaRelation.length == numaNodes;
        for (int gpu = 0; square && gpu < gpus; gpu++) {
            square = peers[gpu].length == gpus && gpuRelation[gpu].length == gpus;
        }
        if (!square || numaNodes < 1 || numaNodes > Transfer.MOST || gpus > 30) {
            throw new IllegalArgumentException(gpus + " GPUs and " + numaNodes + " NUMA nodes: "
                + "at least 1 and at most " + Transfer.MOST
                + " NUMA nodes, at most 30 GPUs, and a row and a column for each");
        }
        for (int numa : numaOfGpu) {
            check(numa, numaNodes, "GPU");
        }
        for (int numa : nicNuma) {
            check(numa, numaNodes, "network adapter");
        }
    }

    private static void check(int numa, int numaNodes, String what) {
        if (numa < 0 || numa >= numaNodes) {
            throw new IllegalArgumentException("a " + what + " on NUMA node " + numa + " of " + numaNodes);
        }
    }

    /** TCCL's view: all GPUs reach each other, NUMA nodes are alike, and so are GPUs of one NUMA node. */
    public static NodeLayout uniform(int numaNodes, int[] numaOfGpu, int... nicNuma) {
        int gpus = numaOfGpu.length;
        boolean[][] peers = new boolean[gpus][gpus];
        for (boolean[] row : peers) {
            Arrays.fill(row, true);
        }
        return new NodeLayout(numaNodes, numaOfGpu.clone(), nicNuma.clone(), peers, new int[gpus][gpus],
            new int[numaNodes][numaNodes]);
    }

    public int gpus() {
        return numaOfGpu.length;
    }

    /** The set of all GPUs: bit i is GPU i. */
    public int allGpus() {
        return (1 << gpus()) - 1;
    }

    /** Bits of an index in TCCL's files: enough for a GPU and for a NUMA node, at least 1. */
    public int indexBits() {
        return Math.max(1, 32 - Integer.numberOfLeadingZeros(Math.max(gpus(), numaNodes) - 1));
    }

    /**
     * The adapter for transfers to and from a NUMA node's memory: one on that node if it has one, else the first; -1 if
     * there is none.
     */
    public int nicFor(int numa) {
        for (int nic = 0; nic < nicNuma.length; nic++) {
            if (nicNuma[nic] == numa) {
                return nic;
            }
        }
        return nicNuma.length > 0 ? 0 : -1;
    }
}
