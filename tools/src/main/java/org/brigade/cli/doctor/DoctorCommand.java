package org.brigade.cli.doctor;

import java.io.IOException;
import java.io.PrintWriter;
import java.lang.module.ModuleFinder;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.brigade.bootstrap.Processors;
import org.brigade.cli.bench.versus.PeerInventory;
import org.brigade.probe.CompiledCode;
import org.brigade.cli.probe.Limits;
import org.brigade.probe.Mounts;
import org.brigade.probe.SharedMemory;
import org.brigade.probe.SingleCopy;
import org.brigade.cli.probe.WrongSettings;
import org.brigade.cli.shared.Json;
import org.brigade.cli.shared.SubCommand;
import org.brigade.launch.BindingInventory;
import org.brigade.nativ.PrivateFolder;
import org.brigade.select.ResidentMode;
import org.brigade.select.Settings;
import org.brigade.topology.CpuSet;
import org.brigade.topology.system.HostShape;
import org.brigade.topology.system.SystemFiles;
import org.brigade.transport.cuda.driver.CudaDriver;
import org.brigade.transport.cuda.driver.CudaInventory;
import org.brigade.transport.hostmpi.HostMpiInventory;
import org.brigade.transport.sisci.SisciInventory;
import org.brigade.transport.ucx.UcxInventory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code brigade doctor}: what to change on this machine, and what each thing costs if it is left. */
@Command(name = "doctor", mixinStandardHelpOptions = true,
    description = "Checks this machine and this environment, and says what to change, each with what it costs if it is"
        + " left. Changes nothing.",
    footer = {"", "Exit code 1: no job of two ranks can run here. Else 0, whatever was found."})
public final class DoctorCommand extends SubCommand implements Callable<Integer> {
    @Option(names = "--json", description = "Prints one JSON object, and nothing else.")
    private boolean json;

    @Override
    public Integer call() {
        List<Diagnosis> found = checks();
        PrintWriter out = out();
        out.print(json ? Json.write(named(found)) : DoctorReport.text(found));
        out.flush();
        return blocked(found) ? 1 : 0;
    }

    static boolean blocked(List<Diagnosis> found) {
        return found.stream().anyMatch(each -> each.verdict() == Verdict.BLOCKS);
    }

    static Map<String, Object> named(List<Diagnosis> found) {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("jobsCanRun", !blocked(found));
        all.put("checks", found.stream().map(Diagnosis::named).toList());
        return all;
    }

    private static List<Diagnosis> checks() {
        SystemFiles files = new SystemFiles(Path.of("/"));
        Map<String, String> environment = System.getenv();
        Limits limits = new Limits(files);
        Processors processors = Processors.ofThisThread();
        CpuSet allowed = CpuSet.ofMask(processors.mask());
        int ranks = Math.max(2, Math.min(allowed.isEmpty() ? 2 : allowed.size(), processors.quota()));
        ModuleFinder modules = ModuleFinder.ofSystem();
        WrongSettings settings = WrongSettings.of(Settings.ofThisProcess());
        PeerInventory peers = PeerInventory.on(environment.get("PATH"));
        return List.of(
            SoftwareChecks.java(Runtime.version() + " in " + System.getProperty("java.home"),
                module -> modules.find(module).isPresent()),
            SoftwareChecks.javaOptions(environment),
            MachineChecks.processors(HostShape.of(files), allowed),
            MachineChecks.quota(processors.quota(), allowed.size()),
            MachineChecks.binding(BindingInventory.taskset(), BindingInventory.line()),
            MachineChecks.clock(files),
            MachineChecks.sharedMemory(SharedMemory.here(), ranks),
            MachineChecks.singleCopy(SingleCopy.here()),
            compiledCode(files),
            MachineChecks.hugePages(files),
            LimitChecks.openFiles(limits, ranks),
            LimitChecks.processes(limits, files, ranks),
            LimitChecks.fileSize(limits, ranks),
            LimitChecks.lockedMemory(limits, files),
            LimitChecks.coreFiles(limits, files),
            cuda(files),
            mpiLibrary(),
            ucx(),
            SoftwareChecks.mpiSettings(environment, files),
            SoftwareChecks.peers(peers.installed(), peers.absent()),
            SoftwareChecks.settings(Settings.ofThisProcess().given(), settings.wrong(), settings.unknown()));
    }

    private static Diagnosis compiledCode(SystemFiles files) {
        CompiledCode found = CompiledCode.here();
        try {
            return SoftwareChecks.compiledCode(found, PrivateFolder.ofThisUser(), null, Mounts.read(files));
        } catch (IOException e) {
            return SoftwareChecks.compiledCode(found, null, e.getMessage(), Mounts.read(files));
        }
    }

    private static Diagnosis cuda(SystemFiles files) {
        String missing = CudaDriver.missing();
        return missing != null ? SoftwareChecks.cuda(files, missing, null, 0, null)
            : SoftwareChecks.cuda(files, null, CudaInventory.versions(), CudaDriver.devices(),
                ResidentMode.of(Settings.ofThisProcess()).on() ? CudaInventory.lazyLoading() : null);
    }

    private static Diagnosis mpiLibrary() {
        String missing = HostMpiInventory.missing();
        return SoftwareChecks.mpiLibrary(missing, missing == null ? String.join("; ", HostMpiInventory.lines()) : null,
            SisciInventory.missing() == null, UcxInventory.missing() == null);
    }

    private static Diagnosis ucx() {
        String missing = UcxInventory.missing();
        return SoftwareChecks.ucx(missing, missing == null ? String.join("; ", UcxInventory.lines()) : null);
    }
}
