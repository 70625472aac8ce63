package org.brigade.topology.search;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.brigade.topology.profile.Footprint;
import org.brigade.topology.profile.NodeLayout;
import org.brigade.topology.profile.Transfer;

/**
 * Whether two sets of transfers are the same except for the names of NUMA nodes and GPUs, and so equally fast. NUMA
 * nodes are mapped one to one, and GPUs to GPUs of the NUMA node that theirs is mapped to, such that a
 * {@link NodeLayout}'s relations of pairs are kept. The parts that transfers use ({@link Footprint}) are mapped one to
 * one to parts of the same kind. If adapters take part, their NUMA nodes keep their names. Decided by backtracking over
 * the transfers.
 */
final class Isomorphism {
    private static final int NODES = 3;

    private final NodeLayout layout;
    private final List<Transfer> from;
    private final List<Transfer> to;
    private final boolean[] taken;
    /** By host and index: its image, or -1. */
    private final int[][] gpus;
    private final int[][] numas;
    /** By host and image: whether it is taken. */
    private final boolean[][] gpuTaken;
    private final boolean[][] numaTaken;
    private final boolean inter;
    /** By part: its image; and by image: its part. */
    private final Map<Integer, Integer> parts = new HashMap<>();
    private final Map<Integer, Integer> origins = new HashMap<>();

    private Isomorphism(NodeLayout layout, TransferSet from, TransferSet to) {
        this.layout = layout;
        this.from = from.transfers();
        this.to = to.transfers();
        taken = new boolean[this.to.size()];
        gpus = new int[NODES][layout.gpus()];
        numas = new int[NODES][layout.numaNodes()];
        gpuTaken = new boolean[NODES][layout.gpus()];
        numaTaken = new boolean[NODES][layout.numaNodes()];
        inter = from.inter();
        for (int node = 0; node < NODES; node++) {
            Arrays.fill(gpus[node], -1);
            Arrays.fill(numas[node], -1);
        }
    }

    static boolean between(NodeLayout layout, TransferSet from, TransferSet to) {
        return from.equals(to) || from.size() == to.size() && new Isomorphism(layout, from, to).match(0);
    }

    /** The same number for isomorphic sets, and mostly different numbers for others. */
    static int hash(NodeLayout layout, TransferSet set) {
        List<Transfer> transfers = set.transfers();
        int[][] gpu = new int[NODES][layout.gpus()];
        int[][] numa = new int[NODES][layout.numaNodes()];
        for (Transfer transfer : transfers) {
            (transfer.type().fromGpu() ? gpu : numa)[transfer.fromNode()][transfer.from()] +=
                mix(2 * transfer.type().ordinal());
            (transfer.type().toGpu() ? gpu : numa)[transfer.toNode()][transfer.to()] +=
                mix(2 * transfer.type().ordinal() + 1);
        }
        int[][] whole = new int[NODES][];
        for (int node = 0; node < NODES; node++) {
            whole[node] = numa[node].clone();
            for (int i = 0; i < layout.gpus(); i++) {
                whole[node][layout.numaOfGpu()[i]] += gpu[node][i] == 0 ? 0 : mix(gpu[node][i]);
            }
        }
        int sum = 0;
        for (Transfer transfer : transfers) {
            int from = at(layout, gpu, whole, transfer.type().fromGpu(), transfer.fromNode(), transfer.from());
            int to = at(layout, gpu, whole, transfer.type().toGpu(), transfer.toNode(), transfer.to());
            sum += mix(mix(from) + 31 * mix(to + transfer.type().ordinal())
                + 31 * 31 * hash(layout.footprints().of(transfer)));
        }
        return sum;
    }

    private static int hash(Footprint footprint) {
        return mix(footprint.kind() + 31 * Arrays.hashCode(footprint.kinds()));
    }

    private static int at(NodeLayout layout, int[][] gpu, int[][] whole, boolean isGpu, int node, int index) {
        return isGpu ? mix(gpu[node][index]) + 7 * whole[node][layout.numaOfGpu()[index]] : 5 * whole[node][index];
    }

    private static int mix(int value) {
        int mixed = (value + 0x9e3779b9) * 0x85ebca6b;
        mixed = (mixed ^ mixed >>> 15) * 0xc2b2ae35;
        return mixed ^ mixed >>> 13;
    }

    private boolean match(int position) {
        if (position == from.size()) {
            return true;
        }
        Transfer transfer = from.get(position);
        for (int i = 0; i < taken.length; i++) {
            Transfer image = to.get(i);
            if (taken[i] || image.type() != transfer.type() || image.fromNode() != transfer.fromNode()
                || image.toNode() != transfer.toNode()) {
                continue;
            }
            int[][] undo = {gpus[transfer.fromNode()].clone(), numas[transfer.fromNode()].clone(),
                gpus[transfer.toNode()].clone(), numas[transfer.toNode()].clone()};
            List<Integer> placed = new ArrayList<>();
            taken[i] = true;
            if (placeParts(layout.footprints().of(transfer), layout.footprints().of(image), placed)
                && place(transfer.type().fromGpu(), transfer.fromNode(), transfer.from(), image.from())
                && place(transfer.type().toGpu(), transfer.toNode(), transfer.to(), image.to())
                && match(position + 1)) {
                return true;
            }
            taken[i] = false;
            placed.forEach(part -> origins.remove(parts.remove(part)));
            restore(transfer.fromNode(), undo[0], undo[1]);
            restore(transfer.toNode(), undo[2], undo[3]);
        }
        return false;
    }

    /** @param placed receives the newly mapped parts */
    private boolean placeParts(Footprint footprint, Footprint image, List<Integer> placed) {
        if (footprint.kind() != image.kind() || !Arrays.equals(footprint.kinds(), image.kinds())) {
            return false;
        }
        for (int i = 0; i < footprint.parts().length; i++) {
            Integer known = parts.get(footprint.parts()[i]);
            if (known != null ? known != image.parts()[i] : origins.containsKey(image.parts()[i])) {
                return false;
            }
            if (known == null) {
                parts.put(footprint.parts()[i], image.parts()[i]);
                origins.put(image.parts()[i], footprint.parts()[i]);
                placed.add(footprint.parts()[i]);
            }
        }
        return true;
    }

    private void restore(int node, int[] gpu, int[] numa) {
        gpus[node] = gpu.clone();
        numas[node] = numa.clone();
        retake(gpuTaken[node], gpu);
        retake(numaTaken[node], numa);
    }

    private static void retake(boolean[] taken, int[] images) {
        Arrays.fill(taken, false);
        for (int image : images) {
            if (image >= 0) {
                taken[image] = true;
            }
        }
    }

    private boolean place(boolean isGpu, int node, int index, int image) {
        if (!isGpu) {
            return placeNuma(node, index, image);
        }
        if (gpus[node][index] >= 0) {
            return gpus[node][index] == image;
        }
        if (gpuTaken[node][image] || !placeNuma(node, layout.numaOfGpu()[index], layout.numaOfGpu()[image])) {
            return false;
        }
        gpus[node][index] = image;
        gpuTaken[node][image] = true;
        return kept(layout.gpuRelation(), gpus[node], index, image);
    }

    private boolean placeNuma(int node, int index, int image) {
        if (numas[node][index] >= 0) {
            return numas[node][index] == image;
        }
        if (numaTaken[node][image] || inter && index != image && (hasNic(index) || hasNic(image))) {
            return false;
        }
        numas[node][index] = image;
        numaTaken[node][image] = true;
        return kept(layout.numaRelation(), numas[node], index, image) && (!inter || nicsKept(index, image));
    }

    /** Whether the relations of {@code index} to all mapped ones are those of its image. */
    private static boolean kept(int[][] relation, int[] images, int index, int image) {
        for (int other = 0; other < images.length; other++) {
            if (images[other] >= 0 && (relation[index][other] != relation[image][images[other]]
                || relation[other][index] != relation[images[other]][image])) {
                return false;
            }
        }
        return true;
    }

    private boolean nicsKept(int index, int image) {
        for (int nic : layout.nicNuma()) {
            if (layout.numaRelation()[index][nic] != layout.numaRelation()[image][nic]) {
                return false;
            }
        }
        return true;
    }

    private boolean hasNic(int numa) {
        for (int nic : layout.nicNuma()) {
            if (nic == numa) {
                return true;
            }
        }
        return false;
    }
}
