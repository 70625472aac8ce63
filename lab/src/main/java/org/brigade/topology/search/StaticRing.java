package org.brigade.topology.search;

import java.util.ArrayList;
import java.util.List;
import org.brigade.topology.machine.NodePath;
import org.brigade.topology.machine.NodePaths;
import org.brigade.topology.model.Component;
import org.brigade.topology.model.ComponentKind;
import org.brigade.topology.model.Distance;
import org.brigade.topology.model.Topology;
import org.brigade.topology.model.TopologyLink;
import org.brigade.topology.profile.NodeLayout;
import org.brigade.topology.profile.Transfer;

/**
 * The ring that is chosen without measurements, as NCCL chooses: the order with the widest links on paper, of those the
 * one with the nearest neighbours. From GPU to GPU a direct write if they are near enough and one can access the other,
 * else a bounce buffer at the NUMA node of one of them.
 *
 * <p>
 * NCCL 2.18, with which TCCL was compared, uses peers at any {@link Distance} on AMD, but only below a PCIe switch on
 * Intel (graph/paths.cc, ncclTopoCheckP2p), and bounce buffers at the receiver (transport/shm.cc). A user can set both.
 *
 * <p>
 * Up to {@value #MOST_TRIED} GPUs all orders are tried; with more, each GPU is followed by the nearest remaining one.
 */
public final class StaticRing {
    private static final int MOST_TRIED = 8;

    private final Topology topology;
    private final NodeLayout layout;
    private final Distance farthest;
    private final boolean atSender;
    /** [from][to], and [from] to itself null. */
    private final NodePath[][] ways;
    private double bestWidth;
    private int bestLength;
    private int[] best;

    /**
     * For a topology's first node.
     *
     * @param layout of that node, GPUs in its order
     * @param farthest GPUs up to this distance write to each other directly
     * @param atSender whether bounce buffers are at the sender's NUMA node; else at the receiver's
     */
    public StaticRing(Topology topology, NodeLayout layout, Distance farthest, boolean atSender) {
        this.topology = topology;
        this.layout = layout;
        this.farthest = farthest;
        this.atSender = atSender;
        List<Component> gpus = topology.of(ComponentKind.GPU, 0);
        NodePaths paths = new NodePaths(topology);
        ways = new NodePath[gpus.size()][gpus.size()];
        for (int from = 0; from < ways.length; from++) {
            for (int to = 0; to < ways.length; to++) {
                ways[from][to] = from == to ? null : paths.best(gpus.get(from).id(), gpus.get(to).id());
            }
        }
    }

    /** The transfers of the ring over a set of two or more GPUs. */
    public List<Transfer> over(int mask) {
        int[] gpus = new int[Integer.bitCount(mask)];
        int count = 0;
        for (int gpu = 0; gpu < layout.gpus(); gpu++) {
            if ((mask >> gpu & 1) != 0) {
                gpus[count++] = gpu;
            }
        }
        best = null;
        bestWidth = -1;
        bestLength = Integer.MAX_VALUE;
        if (gpus.length <= MOST_TRIED) {
            tryAll(gpus, 1);
        } else {
            best = nearest(gpus);
        }
        List<Transfer> ring = new ArrayList<>();
        for (int i = 0; i < best.length; i++) {
            int from = best[i];
            int to = best[(i + 1) % best.length];
            if (layout.peers()[from][to] && ways[from][to].distance().compareTo(farthest) <= 0) {
                ring.add(Mover.KERNEL.write(from, to));
            } else {
                int numa = layout.numaOfGpu()[atSender ? from : to];
                ring.add(Mover.KERNEL.toHost(from, numa));
                ring.add(Mover.KERNEL.fromHost(numa, to));
            }
        }
        return ring;
    }

    /** Tries all orders that begin as {@code gpus} does, up to {@code fixed}. */
    private void tryAll(int[] gpus, int fixed) {
        if (fixed >= gpus.length) {
            double width = width(gpus);
            int length = length(gpus);
            if (width > bestWidth || width == bestWidth && length < bestLength) {
                bestWidth = width;
                bestLength = length;
                best = gpus.clone();
            }
            return;
        }
        for (int i = fixed; i < gpus.length; i++) {
            int[] next = gpus.clone();
            int chosen = next[i];
            System.arraycopy(next, fixed, next, fixed + 1, i - fixed);
            next[fixed] = chosen;
            tryAll(next, fixed + 1);
        }
    }

    /** Bytes/s of the ring's narrowest link, shared by the hops that use it. */
    private double width(int[] order) {
        int[] uses = new int[2 * topology.links().size()];
        double narrowest = Double.POSITIVE_INFINITY;
        for (int i = 0; i < order.length; i++) {
            NodePath way = ways[order[i]][order[(i + 1) % order.length]];
            for (int hop = 0; hop < way.links().length; hop++) {
                uses[direction(way, hop)]++;
            }
        }
        for (int id = 0; id < topology.links().size(); id++) {
            TopologyLink link = topology.link(id);
            narrowest = uses[2 * id] > 0 ? Math.min(narrowest, link.forward() / uses[2 * id]) : narrowest;
            narrowest = uses[2 * id + 1] > 0 ? Math.min(narrowest, link.backward() / uses[2 * id + 1]) : narrowest;
        }
        return narrowest;
    }

    private int direction(NodePath way, int hop) {
        TopologyLink link = topology.link(way.links()[hop]);
        return 2 * link.id() + (link.halfDuplex() || link.a() == way.components()[hop] ? 0 : 1);
    }

    private int length(int[] order) {
        int length = 0;
        for (int i = 0; i < order.length; i++) {
            length += far(order[i], order[(i + 1) % order.length]);
        }
        return length;
    }

    /** Compares by distance, then by links. */
    private int far(int from, int to) {
        return ways[from][to].distance().ordinal() * topology.links().size() + ways[from][to].links().length;
    }

    private int[] nearest(int[] gpus) {
        int[] order = gpus.clone();
        for (int at = 1; at < order.length; at++) {
            int chosen = at;
            for (int i = at + 1; i < order.length; i++) {
                chosen = far(order[at - 1], order[i]) < far(order[at - 1], order[chosen]) ? i : chosen;
            }
            int gpu = order[chosen];
            System.arraycopy(order, at, order, at + 1, chosen - at);
            order[at] = gpu;
        }
        return order;
    }
}
