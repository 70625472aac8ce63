package org.brigade.topology.profile;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The fastest paths of a machine, for each examined set of its GPUs: the result of a search, kept in a file. Sets of
 * GPUs are bits of an int. Immutable.
 */
public final class PathProfile {
    private final Origin origin;
    private final int gpus;
    private final int numaNodes;
    private final int indexBits;
    private final Map<Integer, MeasuredPath> rings;
    /** By set, then by the first GPU. */
    private final Map<Integer, Map<Integer, MeasuredPath>> chains;
    private final Map<Integer, List<CrossedPath>> crossed;

    /**
     * The origin of a profile.
     *
     * @param machine on which it was measured
     * @param date of the measurements, as year-month-day
     * @param space {@code device} or {@code host}; in host memory, devices are the processors on which ranks ran
     * @param bytes of each transfer
     * @param devices by index: PCI bus ids of GPUs, lower case, or {@code cpu3}
     */
    public record Origin(MachineFingerprint machine, String date, String space, long bytes, List<String> devices) {
        public Origin {
            devices = List.copyOf(devices);
        }
    }

    private PathProfile(Builder builder) {
        origin = builder.origin;
        gpus = builder.gpus;
        numaNodes = builder.numaNodes;
        indexBits = builder.indexBits;
        rings = Collections.unmodifiableMap(new TreeMap<>(builder.rings));
        chains = copy(builder.chains);
        crossed = new TreeMap<>();
        builder.crossed.forEach((mask, paths) -> crossed.put(mask, List.copyOf(paths)));
    }

    private static Map<Integer, Map<Integer, MeasuredPath>> copy(Map<Integer, Map<Integer, MeasuredPath>> chains) {
        Map<Integer, Map<Integer, MeasuredPath>> copy = new TreeMap<>();
        chains.forEach((mask, byStart) -> copy.put(mask, Collections.unmodifiableMap(new TreeMap<>(byStart))));
        return Collections.unmodifiableMap(copy);
    }

    /** Null for a file of TCCL's, which has no origin. */
    public Origin origin() {
        return origin;
    }

    public int gpus() {
        return gpus;
    }

    public int numaNodes() {
        return numaNodes;
    }

    /** Bits of an index in TCCL's files. */
    public int indexBits() {
        return indexBits;
    }

    /** The fastest ring over a set of two or more GPUs; null if that set was not examined. */
    public MeasuredPath ring(int mask) {
        return rings.get(mask);
    }

    /** The fastest path from a GPU over the rest of a set; null if it was not searched. */
    public MeasuredPath chain(int mask, int start) {
        Map<Integer, MeasuredPath> byStart = chains.get(mask);
        return byStart == null ? null : byStart.get(start);
    }

    /** By set of GPUs. */
    public Map<Integer, MeasuredPath> rings() {
        return rings;
    }

    /** By set of GPUs, then by the first GPU. */
    public Map<Integer, Map<Integer, MeasuredPath>> chains() {
        return chains;
    }

    /** Paths from node to node through a set of GPUs; empty if none was searched. */
    public List<CrossedPath> crossed(int mask) {
        return crossed.getOrDefault(mask, List.of());
    }

    /** The sets that have paths from node to node. */
    public List<Integer> crossedSets() {
        return new ArrayList<>(crossed.keySet());
    }

    /** The index of a GPU (by bus id) or of a processor; -1 if the profile does not have it. */
    public int indexOf(String device) {
        return origin == null ? -1 : origin.devices().indexOf(device.toLowerCase(java.util.Locale.ROOT));
    }

    /** Collects paths. */
    public static final class Builder {
        private final Origin origin;
        private final int gpus;
        private final int numaNodes;
        private final int indexBits;
        private final Map<Integer, MeasuredPath> rings = new TreeMap<>();
        private final Map<Integer, Map<Integer, MeasuredPath>> chains = new TreeMap<>();
        private final Map<Integer, List<CrossedPath>> crossed = new LinkedHashMap<>();

        /** @param origin null if unknown */
        public Builder(Origin origin, NodeLayout layout) {
            this(origin, layout.gpus(), layout.numaNodes(), layout.indexBits());
        }

        Builder(Origin origin, int gpus, int numaNodes, int indexBits) {
            this.origin = origin;
            this.gpus = gpus;
            this.numaNodes = numaNodes;
            this.indexBits = indexBits;
        }

        public Builder ring(int mask, MeasuredPath path) {
            rings.put(mask, path);
            return this;
        }

        public Builder chain(int mask, MeasuredPath path) {
            chains.computeIfAbsent(mask, set -> new TreeMap<>()).put(path.gpus().get(0), path);
            return this;
        }

        public Builder crossed(int mask, CrossedPath path) {
            crossed.computeIfAbsent(mask, set -> new ArrayList<>()).add(path);
            return this;
        }

        public PathProfile build() {
            return new PathProfile(this);
        }
    }
}
