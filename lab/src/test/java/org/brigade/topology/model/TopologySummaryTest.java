package org.brigade.topology.model;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TopologySummaryTest {
    @Test
    void whatThereIsComesFirstThenEachKindOfLinkOnce() {
        Topology.Builder builder = new Topology.Builder("t");
        Component cpu = builder.add(ComponentKind.CPU, 0, "cpu0");
        Component other = builder.add(ComponentKind.CPU, 0, "cpu1");
        builder.link(LinkKind.CPU, cpu, other, 20.8e9, 10e9, false, 0);
        builder.link(LinkKind.MEMORY, cpu,
            builder.add(ComponentKind.MEMORY, 0, "memory0", Map.of("bytes", Long.toString(3L << 30))), 150e9, 0);
        builder.link(LinkKind.MEMORY, other,
            builder.add(ComponentKind.MEMORY, 0, "memory1", Map.of("bytes", Long.toString(1L << 30))), 150e9, 0);
        builder.link(LinkKind.CHIP, cpu, builder.add(ComponentKind.CORE, 0, "core0"), 1e9, 0);
        Component nvSwitch = builder.add(ComponentKind.NVSWITCH, 0, "nvswitch0");
        for (int gpu = 0; gpu < 2; gpu++) {
            Component component = builder.add(ComponentKind.GPU, 0, "gpu" + gpu);
            builder.link(LinkKind.PCI, component, cpu, 0.75e9, 0);
            builder.link(LinkKind.NVLINK, component, nvSwitch, 370.8e9, 0);
        }
        builder.link(LinkKind.PCI, cpu, builder.add(ComponentKind.NIC, 0, "nic0"), 5000e9, 0);
        assertEquals(List.of("2 CPUs, 1 core, 2 GPUs, 1 NVSwitch, 1 NIC, 4 GiB", "CPU cpu - cpu 20.8 and 10 GB/s",
            "memory cpu - memory 150 GB/s x 2", "PCIe gpu - cpu 0.75 GB/s x 2",
            "NVLink gpu - nvswitch 371 GB/s x 2"), TopologySummary.lines(builder.build()));
    }

    @Test
    void anEmptyTopologyHasAnEmptyLine() {
        assertEquals(List.of(""), TopologySummary.lines(new Topology.Builder("t").build()));
    }
}
