package org.brigade.topology.profile;

import java.util.ArrayList;
import java.util.List;
import org.brigade.pattern.TransferRoute;

/**
 * A path over all GPUs of a set, each once, and its speed with all its transfers under way.
 *
 * @param bandwidth bytes/s of its slowest transfer
 * @param gpus in the order of the path
 * @param body its transfers within the node, in order; empty if one GPU both receives from and sends to a network
 * adapter
 */
public record MeasuredPath(double bandwidth, List<Integer> gpus, List<Transfer> body) {
    public MeasuredPath {
        gpus = List.copyOf(gpus);
        body = List.copyOf(body);
        if (!(bandwidth > 0) || Double.isInfinite(bandwidth)) {
            throw new IllegalArgumentException("a path of " + bandwidth + " bytes/s; it must be a positive number");
        }
    }

    /**
     * The path that transfers form.
     *
     * @param mask the GPUs that it must visit, as bits
     * @param ring whether it must end where it began
     * @throws IllegalArgumentException naming the transfer that does not begin where the previous one ended, or the
     * missing GPU
     */
    public static MeasuredPath of(double bandwidth, int mask, List<Transfer> body, boolean ring) {
        List<Integer> gpus = new ArrayList<>();
        int visited = 0;
        Transfer before = null;
        for (Transfer transfer : body) {
            if (transfer.type().inter()) {
                throw new IllegalArgumentException(transfer + " is between nodes; a path has transfers within one");
            }
            if (before != null
                && (before.type().toGpu() != transfer.type().fromGpu() || before.to() != transfer.from())) {
                throw new IllegalArgumentException(transfer + " does not begin where " + before + " ends");
            }
            if (before == null && transfer.type().fromGpu()) {
                visited |= visit(mask, visited, transfer.from(), gpus);
            }
            boolean closes =
                ring && transfer == body.get(body.size() - 1) && !gpus.isEmpty() && transfer.to() == gpus.get(0);
            if (transfer.type().toGpu() && !closes) {
                visited |= visit(mask, visited, transfer.to(), gpus);
            }
            before = transfer;
        }
        if (body.isEmpty() && Integer.bitCount(mask) == 1) {
            visited |= visit(mask, visited, Integer.numberOfTrailingZeros(mask), gpus);
        }
        if (visited != mask) {
            throw new IllegalArgumentException(
                "the path misses GPU " + Integer.numberOfTrailingZeros(mask & ~visited) + " of the set " + mask);
        }
        boolean closed =
            before != null && body.get(0).type().fromGpu() && before.type().toGpu() && before.to() == gpus.get(0);
        if (ring && !closed) {
            throw new IllegalArgumentException("the ring does not end where it begins, at GPU " + gpus.get(0));
        }
        return new MeasuredPath(bandwidth, gpus, body);
    }

    /** How data get directly from one GPU to another on this path; null if they do not. */
    TransferRoute way(int from, int to) {
        for (int i = 0; i < body.size(); i++) {
            Transfer transfer = body.get(i);
            boolean leaves = transfer.type().fromGpu() && transfer.from() == from;
            if (leaves && transfer.type().toGpu() && transfer.to() == to) {
                return transfer.type().read() ? TransferRoute.READ : TransferRoute.WRITE;
            }
            boolean bounces = leaves && !transfer.type().toGpu() && i + 1 < body.size();
            if (bounces && body.get(i + 1).type().toGpu() && body.get(i + 1).to() == to) {
                return TransferRoute.bounce(transfer.to());
            }
        }
        return null;
    }

    private static int visit(int mask, int visited, int gpu, List<Integer> gpus) {
        if (gpu >= 31 || (mask >> gpu & 1) == 0) {
            throw new IllegalArgumentException("the path visits GPU " + gpu + ", which is not in the set " + mask);
        }
        if ((visited >> gpu & 1) != 0) {
            throw new IllegalArgumentException("the path visits GPU " + gpu + " twice");
        }
        gpus.add(gpu);
        return 1 << gpu;
    }

    /** {@code 9.8 GB/s over GPUs 0 3 1: GPU_WRITE_GPUMEM_KERNEL 0>3, ...}. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder().append(Math.round(bandwidth / 1e7) / 100.0).append(" GB/s over GPUs");
        for (int gpu : gpus) {
            text.append(' ').append(gpu);
        }
        String separator = ": ";
        for (Transfer transfer : body) {
            text.append(separator).append(transfer);
            separator = ", ";
        }
        return text.toString();
    }
}
