package org.brigade.cli.info;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import mpi.MPIException;
import mpi.spi.DeviceBuffer;
import mpi.spi.release.Release;
import org.brigade.aggregation.process.AggregationInventory;
import org.brigade.assembly.Parts;
import org.brigade.bootstrap.Job;
import org.brigade.bootstrap.Processors;
import org.brigade.cli.device.CudaMemory;
import org.brigade.probe.CompiledCode;
import org.brigade.probe.SharedMemory;
import org.brigade.probe.SingleCopy;
import org.brigade.cli.probe.WrongSettings;
import org.brigade.cli.shared.Json;
import org.brigade.cli.shared.SubCommand;
import org.brigade.device.Devices;
import org.brigade.launch.BindingInventory;
import org.brigade.select.MemorySpace;
import org.brigade.select.ResidentMode;
import org.brigade.select.Settings;
import org.brigade.select.TuningException;
import org.brigade.select.TuningSource;
import org.brigade.select.TuningTable;
import org.brigade.setting.Portable;
import org.brigade.topology.CpuSet;
import org.brigade.topology.system.HostShape;
import org.brigade.transport.Fabric;
import org.brigade.transport.Transport;
import org.brigade.transport.cuda.driver.CudaDriver;
import org.brigade.transport.cuda.driver.CudaInventory;
import org.brigade.transport.hostmpi.HostMpiInventory;
import org.brigade.transport.sisci.SisciInventory;
import org.brigade.transport.ucx.UcxInventory;
import org.brigade.tuned.ClusterTable;
import org.brigade.tuned.TunedTable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code brigade info}: what Brigade finds on this machine, and why something is missing. */
@Command(name = "info", mixinStandardHelpOptions = true, description = "Says what Brigade finds on this machine.",
    footer = {"", "  brigade info --topology here.svg                    draws this machine",
        "  brigade info --topology here.xml                    writes it as NCCL's NCCL_TOPO_FILE",
        "  brigade info --topology here.machine --nodes 16     describes 16 such nodes, for simulate and"
            + " tune --simulate",
        "  brigade info --from topo.xml --topology there.svg   draws a file of NCCL_TOPO_DUMP_FILE",
        "  brigade info --from dgx-h100                        describes a known machine"})
public final class InfoCommand extends SubCommand implements Runnable {
    @Option(names = "--topology", paramLabel = "FILE",
        description = "Writes the topology: a picture (.svg), in NCCL's format (.xml), or as a machine to simulate"
            + " (.machine).")
    private Path topology;

    @Option(names = "--nodes", paramLabel = "N",
        description = "With a .machine: the number of nodes, linked by their adapters (default: ${DEFAULT-VALUE}).",
        defaultValue = "1")
    private int nodes;

    @Option(names = "--from", paramLabel = "SOURCE",
        description = "Instead of this machine's topology: that of an NCCL file (.xml), a machine file (.machine) or a"
            + " known machine.")
    private String source;

    @Option(names = "--settings", description = "Lists all settings, and nothing else.")
    private boolean settings;

    @Option(names = "--markdown", description = "With --settings: as the page docs/settings.md.")
    private boolean markdown;

    @Option(names = "--json", description = "Prints one JSON object, and nothing else.")
    private boolean json;

    @Override
    public void run() {
        if (nodes < 1) {
            throw wrong("--nodes must be 1 or more");
        }
        PrintWriter out = out();
        if (markdown && !settings) {
            throw wrong("--markdown goes with --settings");
        }
        if (markdown && json) {
            throw wrong("--markdown and --json are two formats; choose one");
        }
        if (markdown) {
            out.print(SettingsPage.markdown());
            out.flush();
            return;
        }
        if (settings) {
            if (json) {
                out.print(Json.write(SettingsList.named()));
                out.flush();
            } else {
                SettingsList.print(out);
            }
            return;
        }
        InfoReport report = new InfoReport(out, json);
        if (source != null) {
            topology(report, TopologyReport.from(source));
        } else {
            everything(report);
        }
        report.end();
    }

    private void everything(InfoReport out) {
        out.line("brigade", "brigade", Release.number());
        out.line("system", "system",
            System.getProperty("os.name") + " " + System.getProperty("os.version") + ", "
                + System.getProperty("os.arch") + ", "
                + Runtime.getRuntime().availableProcessors() + " processors; this process may run on "
                + Processors.ofThisThread());
        out.line("java", "java",
            Runtime.version() + ", " + System.getProperty("java.vendor") + ", " + System.getProperty("java.home"));
        SharedMemory memory = SharedMemory.here();
        out.line("sharedMemory", SharedMemory.place(),
            memory.words() + (memory.missing() == null ? "" : "; mount a tmpfs there"));
        if (Portable.ON) {
            out.line("portable", "portable mode", "on: Java alone, ranks of one machine; no GPUs, fabrics, single copy,"
                + " binding or reduction in the network");
        }
        settings(out);
        CompiledCode code = CompiledCode.here();
        out.line("compiledCode", "compiled code", code.words() + (code.loaded() ? "" : "; " + code.cost()));
        SingleCopy single = SingleCopy.here();
        out.line("singleCopy", "single copy",
            single.words() + (single.off() || single.available() ? "" : "; " + SingleCopy.COST));
        devices(out);
        adapters(out);
        hostMpi(out);
        ucx(out);
        out.lines("inNetwork", "in-network", AggregationInventory.lines(Settings.ofThisProcess()));
        TopologyReport here = TopologyReport.ofThisMachine();
        topology(out, here);
        out.line("thisProcess", "this process", here.placeOfThisProcess());
        out.line("binding", "binding", BindingInventory.line());
        out.line("waiting", "waiting", waiting(Processors.ofThisThread()));
        Job job = job(out);
        if (job != null) {
            out.line("launcher", "launcher",
                job.launcher() + ": rank " + job.rank() + " of " + job.size() + ", " + job.localRank() + " of "
                    + job.localSize()
                    + " on this node");
            for (Transport transport : Parts.load().transports()) {
                String reason = transport.unfit(job);
                out.entry("transports", transport.name(), "transport " + transport.name(),
                    reason == null ? "ready" : "not usable: " + reason);
            }
            for (Fabric fabric : Parts.load().fabrics()) {
                String reason = unfit(fabric, job);
                out.entry("fabrics", fabric.name(), "fabric " + fabric.name(),
                    reason == null ? "ready" : "not usable: " + reason);
            }
        }
        out.line("tuning", "tuning", tuning(MemorySpace.HOST));
        out.lines("tunedTables", "", tunedHere());
        out.line("deviceTuning", "tuning, device", tuning(MemorySpace.DEVICE));
    }

    /** How ranks would wait that may run wherever this process may. */
    private static String waiting(Processors here) {
        int most = Math.min(CpuSet.ofMask(here.mask()).size(), here.quota());
        String set = Settings.ofThisProcess().get("spins");
        return (most < 2 ? "" : upTo(most / 2) + ": spin; ") + upTo(Math.max(1, most))
            + ": spin, and yield now and then; more: yield " + (set == null ? "at once" : "after " + set + " looks")
            + " (-Dbrigade.waiting.report=true: each rank of a job says what it does)";
    }

    private static String upTo(int ranks) {
        return ranks == 1 ? "1 rank" : "up to " + ranks + " ranks";
    }

    private static String unfit(Fabric fabric, Job job) {
        try {
            return fabric.unfit(job);
        } catch (TuningException wrong) {
            return wrong.getMessage();
        }
    }

    private void topology(InfoReport out, TopologyReport report) {
        out.lines("topology", "topology", report.lines());
        if (topology != null) {
            report.write(topology, nodes);
            out.line("topologyFile", "", "written to " + topology);
        }
    }

    private static void settings(InfoReport out) {
        Settings set = Settings.ofThisProcess();
        List<String> given = set.given();
        out.line("settings", "settings",
            given.isEmpty() ? "none (brigade info --settings lists them)" : String.join(" ", given));
        String wrong = WrongSettings.of(set).words();
        if (wrong != null) {
            out.line("wrongSettings", "", "wrong: " + wrong);
        }
    }

    private static void devices(InfoReport out) {
        String missing = CudaDriver.missing();
        if (missing != null) {
            out.line("cuda", "CUDA", "not available: " + missing);
            return;
        }
        out.line("cuda", "CUDA", CudaInventory.versions());
        out.line("residentMode", "resident mode", residentMode());
        int gpus = CudaDriver.devices();
        for (int gpu = 0; gpu < gpus; gpu++) {
            out.entry("gpus", Integer.toString(gpu), "GPU " + gpu,
                CudaDriver.describe(gpu) + CudaInventory.identity(gpu));
        }
        for (int gpu = 0; gpu < gpus; gpu++) {
            for (int peer = gpu + 1; peer < gpus; peer++) {
                out.entry("gpuLinks", gpu + "-" + peer, "GPU " + gpu + " - " + peer, CudaInventory.link(gpu, peer));
            }
        }
    }

    private static void adapters(InfoReport out) {
        String missing = SisciInventory.missing();
        if (missing != null) {
            out.lines("sisci", "SISCI", List.of("not available: " + missing));
            return;
        }
        out.lines("sisci", "SISCI", SisciInventory.lines());
        if (CudaDriver.missing() == null) {
            for (int gpu = 0; gpu < CudaDriver.devices(); gpu++) {
                out.entry("sisciAndGpus", Integer.toString(gpu), "", "GPU " + gpu + ": " + adapterAndGpu(gpu));
            }
        }
    }

    private static String adapterAndGpu(int gpu) {
        CudaMemory.select(gpu);
        try (CudaMemory memory = CudaMemory.allocate(1)) {
            Devices devices = Parts.devices();
            return SisciInventory.deviceMemory(devices, (DeviceBuffer) devices.underlying(memory.at(0)));
        } catch (MPIException | IllegalStateException e) {
            return "not tested: " + e.getMessage();
        }
    }

    private static void hostMpi(InfoReport out) {
        String missing = HostMpiInventory.missing();
        if (missing != null) {
            out.lines("hostMpi", "host's MPI", List.of("not available: " + missing));
            return;
        }
        out.lines("hostMpi", "host's MPI", HostMpiInventory.lines());
    }

    private static void ucx(InfoReport out) {
        String missing = UcxInventory.missing();
        out.lines("ucx", "UCX", missing == null ? UcxInventory.lines() : List.of("not available: " + missing));
    }

    private static String residentMode() {
        ResidentMode mode = ResidentMode.of(Settings.ofThisProcess());
        String lazy = CudaInventory.lazyLoading();
        if (mode.on()) {
            return lazy != null ? "refused: " + lazy : mode + ", where each rank has a GPU";
        }
        return "off (brigade.device.resident=on"
            + (lazy == null ? ")" : ", and CUDA_MODULE_LOADING=EAGER in the environment)");
    }

    private static Job job(InfoReport out) {
        try {
            return Parts.load().bootstrap().job();
        } catch (MPIException e) {
            out.line("launcher", "launcher", "not understood: " + e.getMessage());
            return null;
        }
    }

    /** The tables that brigade tune wrote for machines of this shape. */
    private static List<String> tunedHere() {
        Settings settings = Settings.ofThisProcess();
        int[] ranks = TunedTable.tuned();
        List<String> lines = new ArrayList<>();
        for (int each : ranks) {
            TunedTable tuned = TunedTable.find(settings, each);
            lines.add("jobs of " + each + " ranks on this machine: " + (tuned.table() != null
                ? "first " + tuned.file() + ", " + tuned.table().rules().size() + " rules"
                : tuned.complaint() != null ? tuned.complaint()
                    : "the table of brigade tune is left out, as brigade.tuning is set"));
        }
        if (ranks.length == 0) {
            lines.add(
                "no table of brigade tune in " + TunedTable.folder() + " is for this machine: " + HostShape.here());
        }
        ClusterTable.files().forEach(file -> lines.add("jobs on several nodes of the shape that " + file + " tells"));
        return lines;
    }

    private static String tuning(MemorySpace space) {
        try {
            TuningTable table = TuningSource.load(space, Settings.ofThisProcess());
            return table.source() + ", " + table.rules().size() + " rules; latency " + table.latencyNanos()
                + " ns, bandwidth "
                + table.gigabytesPerSecond() + " GB/s for predictions";
        } catch (TuningException e) {
            return "not usable: " + e.getMessage();
        }
    }
}
