package org.brigade.cli.doctor;

import java.io.IOException;
import java.io.PrintWriter;
import java.lang.module.ModuleFinder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.brigade.bootstrap.Processors;
import org.brigade.cli.bench.versus.PeerInventory;
import org.brigade.cli.doctor.check.Check;
import org.brigade.cli.doctor.check.Diagnosis;
import org.brigade.cli.doctor.check.Verdict;
import org.brigade.cli.doctor.machine.BindingCheck;
import org.brigade.cli.doctor.machine.ClockCheck;
import org.brigade.cli.doctor.machine.CoreFileCheck;
import org.brigade.cli.doctor.machine.FileSizeCheck;
import org.brigade.cli.doctor.machine.HugePagesCheck;
import org.brigade.cli.doctor.machine.LockedMemoryCheck;
import org.brigade.cli.doctor.machine.OpenFilesCheck;
import org.brigade.cli.doctor.machine.ProcessLimitCheck;
import org.brigade.cli.doctor.machine.ProcessorsCheck;
import org.brigade.cli.doctor.machine.QuotaCheck;
import org.brigade.cli.doctor.machine.SharedMemoryCheck;
import org.brigade.cli.doctor.machine.SingleCopyCheck;
import org.brigade.cli.doctor.software.CompiledCodeCheck;
import org.brigade.cli.doctor.software.CudaCheck;
import org.brigade.cli.doctor.software.JavaCheck;
import org.brigade.cli.doctor.software.JavaOptionsCheck;
import org.brigade.cli.doctor.software.MpiLibraryCheck;
import org.brigade.cli.doctor.software.MpiSettingsCheck;
import org.brigade.cli.doctor.software.PeersCheck;
import org.brigade.cli.doctor.software.SettingsCheck;
import org.brigade.cli.probe.CompiledCode;
import org.brigade.cli.probe.Limits;
import org.brigade.cli.probe.Mounts;
import org.brigade.cli.probe.SharedMemory;
import org.brigade.cli.probe.SingleCopy;
import org.brigade.cli.probe.WrongSettings;
import org.brigade.cli.shared.Json;
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
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code brigade doctor}: what to change on this machine, and what each thing costs if it is left. */
@Command(name = "doctor", mixinStandardHelpOptions = true,
    description = "Checks this machine and this environment, and says what to change, each with what it costs if it is"
        + " left. Changes nothing.",
    footer = {"", "Exit code 1: no job of two ranks can run here. Else 0, whatever was found."})
public final class DoctorCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Option(names = "--json", description = "Prints one JSON object, and nothing else.")
    private boolean json;

    @Override
    public Integer call() {
        List<Diagnosis> found = new ArrayList<>();
        for (Check check : checks()) {
            found.add(check.diagnosis());
        }
        PrintWriter out = spec.commandLine().getOut();
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

    private static List<Check> checks() {
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
            new JavaCheck(Runtime.version() + " in " + System.getProperty("java.home"),
                module -> modules.find(module).isPresent()),
            new JavaOptionsCheck(environment),
            new ProcessorsCheck(HostShape.of(files), allowed),
            new QuotaCheck(processors.quota(), allowed.size()),
            new BindingCheck(BindingInventory.taskset(), BindingInventory.line()),
            new ClockCheck(files),
            new SharedMemoryCheck(SharedMemory.here(), ranks),
            new SingleCopyCheck(SingleCopy.here()),
            compiledCode(files),
            new HugePagesCheck(files),
            new OpenFilesCheck(limits, ranks),
            new ProcessLimitCheck(limits, files, ranks),
            new FileSizeCheck(limits, ranks),
            new LockedMemoryCheck(limits, files),
            new CoreFileCheck(limits, files),
            cuda(files),
            mpiLibrary(),
            new MpiSettingsCheck(environment, files),
            new PeersCheck(peers.installed(), peers.absent()),
            new SettingsCheck(Settings.ofThisProcess().given(), settings.wrong(), settings.unknown()));
    }

    private static Check compiledCode(SystemFiles files) {
        CompiledCode found = CompiledCode.here();
        try {
            return new CompiledCodeCheck(found, PrivateFolder.ofThisUser(), null, Mounts.read(files));
        } catch (IOException e) {
            return new CompiledCodeCheck(found, null, e.getMessage(), Mounts.read(files));
        }
    }

    private static Check cuda(SystemFiles files) {
        String missing = CudaDriver.missing();
        return missing != null ? new CudaCheck(files, missing, null, 0, null)
            : new CudaCheck(files, null, CudaInventory.versions(), CudaDriver.devices(),
                ResidentMode.of(Settings.ofThisProcess()).on() ? CudaInventory.lazyLoading() : null);
    }

    private static Check mpiLibrary() {
        String missing = HostMpiInventory.missing();
        return new MpiLibraryCheck(missing, missing == null ? String.join("; ", HostMpiInventory.lines()) : null,
            SisciInventory.missing() == null);
    }
}
