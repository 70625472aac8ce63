package org.brigade.topology.discovery;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.brigade.topology.model.Component;
import org.brigade.topology.model.ComponentKind;
import org.brigade.topology.model.Topology;
import org.brigade.topology.nccl.NcclTopology;
import org.brigade.topology.system.NumaNode;
import org.brigade.topology.system.SystemFiles;
import org.brigade.topology.xml.XmlNode;
import org.brigade.transport.sisci.adapter.AdapterSlot;

/**
 * Finds the topology of this machine: processors, caches, memory and PCI from sysfs, NVLinks from NVML if available.
 * First makes the document that NCCL would make, then its graph, then adds what the format cannot express. Takes tens
 * of milliseconds; never runs in Init.
 */
public final class Discovery {
    private static final String THIS_MACHINE = "this machine";

    private Discovery() {
    }

    /** This machine. Unknown parts are left out, and noted if they matter. */
    public static NcclTopology thisMachine() {
        List<String> notes = new ArrayList<>();
        List<GpuFacts> gpus = NvmlGpus.read(Nvml.LIBRARY, notes);
        NcclTopology found =
            discover(Path.of("/"), System.getProperty("os.arch"), gpus, AdapterSlot.all());
        if (found.topology().of(ComponentKind.GPU).isEmpty()) {
            notes.clear(); // without GPUs, a missing NVML does not matter
        }
        notes.addAll(found.notes());
        return new NcclTopology(found.document(), found.topology(), notes);
    }

    /**
     * @param root the folder that contains sys and proc
     * @param osArch as {@code os.arch}
     * @param gpus what their driver tells
     * @param slots what SISCI tells of its adapters
     */
    static NcclTopology discover(Path root, String osArch, List<GpuFacts> gpus, List<AdapterSlot> slots) {
        SystemFiles files = new SystemFiles(root);
        List<NumaNode> nodes = NumaNode.read(files);
        XmlNode document = new SystemDocument(files, nodes, CpuIdentity.read(files, osArch), gpus, slots).build();
        NcclTopology machine = NcclTopology.of(document, THIS_MACHINE);
        Topology.Builder builder = new Topology.Builder(machine.topology());
        CoreTree cores = new CoreTree(files, builder);
        List<Component> cpus = machine.topology().of(ComponentKind.CPU);
        for (int i = 0; i < nodes.size(); i++) {
            cores.add(nodes.get(i), cpus.get(i)); // one <cpu> for each, in order
        }
        return new NcclTopology(document, builder.build(), machine.notes());
    }
}
