package org.brigade.topology.search;

import java.util.ArrayList;
import java.util.List;
import org.brigade.topology.profile.Crossing;
import org.brigade.topology.profile.NodeLayout;
import org.brigade.topology.profile.Transfer;

/** The fastest way by trying all of them. */
public final class BruteForce {
    private final PathSearch ways;
    private final NodeLayout layout;
    private final TransferMeter meter;
    private double best;

    public BruteForce(NodeLayout layout, TransferMeter meter) {
        this.layout = layout;
        this.meter = meter;
        ways = new PathSearch(layout, meter);
    }

    /** Bytes/s of the best ring over the GPUs of a set. */
    public double ring(int mask) {
        best = 0;
        int first = Integer.numberOfTrailingZeros(mask);
        go(mask, 1 << first, first, first, List.of(), true, null, null);
        return best;
    }

    /** Bytes/s of the best chain from a GPU. */
    public double chain(int mask, int start) {
        best = 0;
        go(mask, 1 << start, start, start, List.of(), false, null, null);
        return best;
    }

    /** Bytes/s of the best way between two crossings, 0 if there is none. */
    public double through(int mask, Crossing head, Crossing tail) {
        best = 0;
        for (int start = 0; start < layout.gpus(); start++) {
            if ((mask >> start & 1) != 0 && !(head.toGpu() && head.to() != start)) {
                go(mask, 1 << start, start, start, List.of(), false, head, tail);
            }
        }
        return best;
    }

    private void go(int mask, int visited, int first, int last, List<Transfer> body, boolean ring, Crossing head,
        Crossing tail) {
        if (visited == mask) {
            end(mask, first, last, body, ring, head, tail);
            return;
        }
        for (int gpu = 0; gpu < layout.gpus(); gpu++) {
            if ((mask >> gpu & 1) != 0 && (visited >> gpu & 1) == 0) {
                for (List<Transfer> hop : ways.hops(last, gpu)) {
                    go(mask, visited | 1 << gpu, first, gpu, joined(body, hop), ring, head, tail);
                }
            }
        }
    }

    private void end(int mask, int first, int last, List<Transfer> body, boolean ring, Crossing head, Crossing tail) {
        List<List<Transfer>> whole = new ArrayList<>();
        if (ring) {
            for (List<Transfer> hop : ways.hops(last, first)) {
                whole.add(joined(body, hop));
            }
        } else if (head == null) {
            whole.add(body);
        } else if (!tail.fromGpu() || tail.from() == last) {
            List<Transfer> all = joined(body, List.of(head.head(), tail.tail()));
            all = head.toGpu() ? all : joined(all, List.of(Mover.KERNEL.fromHost(head.to(), first)));
            whole.add(tail.fromGpu() ? all : joined(all, List.of(Mover.KERNEL.toHost(last, tail.from()))));
        }
        for (List<Transfer> transfers : whole) {
            best = Math.max(best, meter.bandwidth(TransferSet.of(transfers)));
        }
    }

    private static List<Transfer> joined(List<Transfer> body, List<Transfer> more) {
        List<Transfer> joined = new ArrayList<>(body);
        joined.addAll(more);
        return joined;
    }
}
