package org.brigade.topology.discovery;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** NVIDIA's GPUs, as NVML lists them. */
final class NvmlGpus {
    private NvmlGpus() {
    }

    /**
     * @param library a name or path
     * @param notes receives the reason if there are none
     */
    static List<GpuFacts> read(String library, List<String> notes) {
        List<GpuFacts> gpus = new ArrayList<>();
        try (Nvml nvml = Nvml.open(library)) {
            for (int i = 0; i < nvml.count(); i++) {
                String busId = nvml.busId(i);
                if (busId != null) {
                    int sm = nvml.computeCapability(i);
                    gpus.add(new GpuFacts(busId, i, sm, nvml.name(i), nvml.memory(i), nvml.pcieGeneration(i),
                        nvml.pcieWidth(i), links(nvml, i, sm), nvml.c2cLinks(i),
                        nvml.c2cMegabytes(i)));
                }
            }
        } catch (LinkageError e) {
            notes.add("NVML cannot be used, so NVLinks are unknown: "
                + e.getMessage().lines().findFirst().orElse(e.toString()));
        }
        return gpus;
    }

    private static List<GpuFacts.NvLink> links(Nvml nvml, int gpu, int sm) {
        Map<String, Integer> counts = new LinkedHashMap<>();
        for (int link = 0; link < most(sm); link++) {
            if (nvml.nvLinkActive(gpu, link)) {
                counts.merge(String.valueOf(nvml.nvLinkPeer(gpu, link)), 1, Integer::sum);
            }
        }
        List<GpuFacts.NvLink> links = new ArrayList<>();
        counts.forEach((target, count) -> links.add(new GpuFacts.NvLink(target.equals("null") ? null : target, count)));
        return links;
    }

    /** Most links of a GPU of this generation. */
    private static int most(int sm) {
        if (sm < 70) {
            return sm < 60 ? 0 : 4;
        }
        if (sm < 80) {
            return 6;
        }
        return sm < 90 ? 12 : 18;
    }
}
