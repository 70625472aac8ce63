package org.brigade.cli.bench.regress;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.brigade.topology.system.HostShape;

/**
 * What machines must have in common for their ratios to be compared.
 *
 * @param near whether two threads exchange a cache line as fast as cores that share a cache do. It is measured, because
 * a hypervisor moves virtual cores without telling the kernel.
 */
public record MachineShape(HostShape machine, boolean near) {
    /** Round trips of cache lines took 55 to 140 ns between cores that share a cache, and 260 to 520 between others. */
    private static final double NEAR_MICROSECONDS = 0.2;

    /** @param roundTrip microseconds in which a cache line goes to another core and back */
    public static MachineShape of(HostShape machine, double roundTrip) {
        return new MachineShape(machine, roundTrip < NEAR_MICROSECONDS);
    }

    /** The beginning of a file's name for this shape; other shapes may have the same. */
    String file() {
        String model = machine.processor().toLowerCase(Locale.ROOT).replaceAll("\\((r|tm)\\)", "")
            .replaceAll("[^a-z0-9]+", "-").replaceAll("^-|-$", "");
        return "host-" + machine.processors() + "-" + (model.isEmpty() ? "unknown" : model) + "-" + words();
    }

    private String words() {
        return near ? "near" : "far";
    }

    @Override
    public String toString() {
        return machine + "; a cache line's round trip is that of cores " + (near ? "that share" : "without")
            + " a cache";
    }

    Map<String, Object> json() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("machine", machine.toString());
        json.put("cores", words());
        return json;
    }

    /** Whether a file is for machines of this shape. */
    boolean isDescribedBy(Object json) {
        return json instanceof Map<?, ?> map && machine.toString().equals(map.get("machine"))
            && words().equals(map.get("cores"));
    }
}
