package org.brigade.cli.bench.regress;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.brigade.cli.bench.report.MachineFacts;

/**
 * What machines must have in common for their ratios to be compared.
 *
 * @param near whether two threads exchange a cache line as fast as cores that share a cache do. It is measured, because
 * a hypervisor moves virtual cores without telling the kernel.
 */
public record MachineShape(int processors, String vendor, String processor, boolean near) {
    /** Round trips of cache lines took 55 to 140 ns between cores that share a cache, and 260 to 520 between others. */
    private static final double NEAR_MICROSECONDS = 0.2;

    /** @param roundTrip microseconds in which a cache line goes to another core and back */
    public static MachineShape of(MachineFacts machine, double roundTrip) {
        return new MachineShape(machine.processors(), machine.vendor(), machine.processor(),
            roundTrip < NEAR_MICROSECONDS);
    }

    /** The name of a new file for this shape. */
    public String file() {
        String maker = vendor.isEmpty() ? "unknown" : vendor.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "");
        String model = processor.toLowerCase(Locale.ROOT).replaceAll("\\((r|tm)\\)", "").replaceAll("[^a-z0-9]+", "-")
            .replaceAll("^-|-$", "");
        return "host-" + processors + "-" + (model.isEmpty() ? maker : model) + "-" + words() + ".json";
    }

    private String words() {
        return near ? "near" : "far";
    }

    @Override
    public String toString() {
        return processors + " processors, " + (processor.isEmpty() ? vendor : processor) + ", cores " + words();
    }

    Map<String, Object> json() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("processors", processors);
        json.put("vendor", vendor);
        json.put("processor", processor);
        json.put("cores", words());
        return json;
    }

    /** Whether a file is for machines of this shape. */
    boolean isDescribedBy(Object json) {
        return json instanceof Map<?, ?> map && Double.valueOf(processors).equals(map.get("processors"))
            && vendor.equals(map.get("vendor")) && processor.equals(map.get("processor"))
            && words().equals(map.get("cores"));
    }
}
