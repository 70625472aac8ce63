package org.brigade.cli.bench.versus;

/** A limit that nobody measured. */
public final class InventedLimit {
    private InventedLimit() {
    }

    /**
     * @param roundTrip microseconds
     * @param each microseconds in which each of two threads copies a byte
     */
    public static MachineLimit make(double roundTrip, long[] sizes, double each) {
        MachineLimit limit = new MachineLimit(new BenchJob("latency", "8", 2, 0));
        limit.add("round-trip,2,64," + roundTrip);
        for (long bytes : sizes) {
            limit.add("copy,2," + bytes + "," + bytes * each);
        }
        return limit;
    }
}
