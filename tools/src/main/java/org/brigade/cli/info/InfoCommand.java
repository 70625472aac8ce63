package org.brigade.cli.info;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import mpi.MPIException;
import mpi.spi.DeviceBuffer;
import org.brigade.aggregation.process.AggregationInventory;
import org.brigade.assembly.Parts;
import org.brigade.bootstrap.Job;
import org.brigade.bootstrap.Processors;
import org.brigade.cli.device.CudaMemory;
import org.brigade.cli.probe.CompiledCode;
import org.brigade.cli.probe.SharedMemory;
import org.brigade.cli.probe.SingleCopy;
import org.brigade.cli.probe.WrongSettings;
import org.brigade.cli.shared.Release;
import org.brigade.device.Devices;
import org.brigade.launch.BindingInventory;
import org.brigade.select.ResidentMode;
import org.brigade.select.Settings;
import org.brigade.select.Space;
import org.brigade.select.TunedTable;
import org.brigade.select.TuningException;
import org.brigade.select.TuningSource;
import org.brigade.select.TuningTable;
import org.brigade.topology.CpuSet;
import org.brigade.topology.system.HostShape;
import org.brigade.transport.Fabric;
import org.brigade.transport.Transport;
import org.brigade.transport.cuda.driver.CudaDriver;
import org.brigade.transport.cuda.driver.CudaInventory;
import org.brigade.transport.hostmpi.HostMpiInventory;
import org.brigade.transport.sisci.SisciInventory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code brigade info}: what Brigade finds on this machine, and why something is missing. */
@Command(name = "info", mixinStandardHelpOptions = true, description = "Says what Brigade finds on this machine.",
    footer = {"", "brigade info --topology here.svg                    draws this machine",
        "brigade info --topology here.xml                    writes it as NCCL's NCCL_TOPO_FILE",
        "brigade info --topology here.machine --nodes 16     describes 16 such nodes, for simulate and tune --simulate",
        "brigade info --from topo.xml --topology there.svg   draws a file of NCCL_TOPO_DUMP_FILE",
        "brigade info --from dgx-h100                        describes a known machine"})
public final class InfoCommand implements Runnable {
    @Spec
    private CommandSpec spec;

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

    @Override
    public void run() {
        if (nodes < 1) {
            throw new ParameterException(spec.commandLine(), "--nodes must be 1 or more");
        }
        PrintWriter out = spec.commandLine().getOut();
        if (markdown && !settings) {
            throw new ParameterException(spec.commandLine(), "--markdown goes with --settings");
        }
        if (markdown) {
            out.print(SettingsPage.markdown());
            out.flush();
            return;
        }
        if (settings) {
            SettingsList.print(out);
            return;
        }
        if (source != null) {
            topology(out, TopologyReport.from(source));
            return;
        }
        line(out, "brigade", Release.number());
        line(out, "system",
            System.getProperty("os.name") + " " + System.getProperty("os.version") + ", "
                + System.getProperty("os.arch") + ", "
                + Runtime.getRuntime().availableProcessors() + " processors; this process may run on "
                + Processors.ofThisThread());
        line(out, "java",
            Runtime.version() + ", " + System.getProperty("java.vendor") + ", " + System.getProperty("java.home"));
        SharedMemory memory = SharedMemory.here();
        line(out, "/dev/shm", memory.words() + (memory.missing() == null ? "" : "; mount a tmpfs there"));
        settings(out);
        CompiledCode code = CompiledCode.here();
        line(out, "compiled code", code.words() + (code.loaded() ? "" : "; " + code.cost()));
        SingleCopy single = SingleCopy.here();
        line(out, "single copy",
            single.words() + (single.off() || single.available() ? "" : "; " + SingleCopy.COST));
        devices(out);
        adapters(out);
        hostMpi(out);
        lines(out, "in-network", AggregationInventory.lines(Settings.ofThisProcess()));
        TopologyReport here = TopologyReport.ofThisMachine();
        topology(out, here);
        line(out, "this process", here.placeOfThisProcess());
        line(out, "binding", BindingInventory.line());
        line(out, "waiting", waiting(Processors.ofThisThread()));
        Job job = job(out);
        if (job != null) {
            line(out, "launcher",
                job.launcher() + ": rank " + job.rank() + " of " + job.size() + ", " + job.localRank() + " of "
                    + job.localSize()
                    + " on this node");
            for (Transport transport : Parts.load().transports()) {
                String reason = transport.unfit(job);
                line(out, "transport " + transport.name(), reason == null ? "ready" : "not usable: " + reason);
            }
            for (Fabric fabric : Parts.load().fabrics()) {
                String reason = unfit(fabric, job);
                line(out, "fabric " + fabric.name(), reason == null ? "ready" : "not usable: " + reason);
            }
        }
        line(out, "tuning", tuning(Space.HOST));
        lines(out, "", tunedHere());
        line(out, "tuning, device", tuning(Space.DEVICE));
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

    private void topology(PrintWriter out, TopologyReport report) {
        lines(out, "topology", report.lines());
        if (topology != null) {
            report.write(topology, nodes);
            line(out, "", "written to " + topology);
        }
    }

    private static void settings(PrintWriter out) {
        Settings set = Settings.ofThisProcess();
        List<String> given = set.given();
        line(out, "settings", given.isEmpty() ? "none (brigade info --settings lists them)" : String.join(" ", given));
        String wrong = WrongSettings.of(set).words();
        if (wrong != null) {
            line(out, "", "wrong: " + wrong);
        }
    }

    private static void line(PrintWriter out, String what, String found) {
        out.printf("%-16s %s%n", what, found);
    }

    private static void lines(PrintWriter out, String what, Iterable<String> found) {
        String first = what;
        for (String text : found) {
            line(out, first, text);
            first = "";
        }
    }

    private static void devices(PrintWriter out) {
        String missing = CudaDriver.missing();
        if (missing != null) {
            line(out, "CUDA", "not available: " + missing);
            return;
        }
        line(out, "CUDA", CudaInventory.versions());
        line(out, "resident mode", residentMode());
        int gpus = CudaDriver.devices();
        for (int gpu = 0; gpu < gpus; gpu++) {
            line(out, "GPU " + gpu, CudaDriver.describe(gpu) + CudaInventory.identity(gpu));
        }
        for (int gpu = 0; gpu < gpus; gpu++) {
            for (int peer = gpu + 1; peer < gpus; peer++) {
                line(out, "GPU " + gpu + " - " + peer, CudaInventory.link(gpu, peer));
            }
        }
    }

    private static void adapters(PrintWriter out) {
        String missing = SisciInventory.missing();
        if (missing != null) {
            line(out, "SISCI", "not available: " + missing);
            return;
        }
        lines(out, "SISCI", SisciInventory.lines());
        if (CudaDriver.missing() == null) {
            for (int gpu = 0; gpu < CudaDriver.devices(); gpu++) {
                line(out, "", "GPU " + gpu + ": " + adapterAndGpu(gpu));
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

    private static void hostMpi(PrintWriter out) {
        String missing = HostMpiInventory.missing();
        if (missing != null) {
            line(out, "host's MPI", "not available: " + missing);
            return;
        }
        lines(out, "host's MPI", HostMpiInventory.lines());
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

    private static Job job(PrintWriter out) {
        try {
            return Parts.load().bootstrap().job();
        } catch (MPIException e) {
            line(out, "launcher", "not understood: " + e.getMessage());
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
        return lines;
    }

    private static String tuning(Space space) {
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
