package org.brigade.cli.doctor.software;

import static org.brigade.cli.doctor.check.Verdict.BLOCKS;
import static org.brigade.cli.doctor.check.Verdict.COSTS;
import static org.brigade.cli.doctor.check.Verdict.GOOD;
import static org.brigade.cli.doctor.check.Verdict.MISSING;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.brigade.cli.doctor.check.Check;
import org.brigade.cli.doctor.check.Diagnosis;
import org.brigade.cli.doctor.check.Verdict;
import org.brigade.cli.probe.CompiledCode;
import org.brigade.cli.probe.Mounts;
import org.brigade.topology.discovery.FakeSystem;
import org.brigade.topology.system.SystemFiles;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each verdict of each check of software, from made-up inputs. */
class SoftwareChecksTest {
    @TempDir
    Path root;

    private static void expect(Verdict verdict, Check check, String... parts) {
        Diagnosis found = check.diagnosis();
        assertEquals(verdict, found.verdict(), found::toString);
        assertEquals(verdict == GOOD, found.cost().isEmpty() && found.cure().isEmpty(), found::toString);
        assertEquals(verdict == GOOD, found.cost().isEmpty() || found.cure().isEmpty(), found::toString);
        for (String part : parts) {
            assertTrue(found.toString().contains(part), () -> part + " is missing in " + found);
        }
    }

    @Test
    void aJdkWithoutSomeModulesCannotDoAll() {
        expect(GOOD, new JavaCheck("17.0.15", module -> true), "17.0.15");
        expect(MISSING, new JavaCheck("17.0.15", module -> !module.equals("jdk.jshell")), "without module jdk.jshell",
            "brigade shell cannot run", "JAVA_HOME");
        expect(MISSING, new JavaCheck("17.0.15", module -> false), "jdk.jfr, jdk.jshell, jdk.compiler");
    }

    @Test
    void optionsForEveryJvmMayCost() {
        expect(GOOD, new JavaOptionsCheck(Map.of()), "none in the environment");
        expect(GOOD, new JavaOptionsCheck(Map.of("JAVA_TOOL_OPTIONS", "-Xmx1g", "OTHER", "-Xint")),
            "JAVA_TOOL_OPTIONS=-Xmx1g");
        expect(COSTS, new JavaOptionsCheck(Map.of("_JAVA_OPTIONS", "-Xmx1g -Xint")), "every call is slower");
        expect(COSTS, new JavaOptionsCheck(Map.of("JDK_JAVA_OPTIONS", "-Xshare:off")), "archive of classes");
    }

    @Test
    void theCompiledLibraryNeedsAFolderThatPermitsExecution() {
        new FakeSystem(root).file("proc/mounts", "a / ext4 rw 0 0\nb /home ext4 rw,noexec 0 0");
        Mounts mounts = Mounts.read(new SystemFiles(root));
        Path home = Path.of("/home/me/.cache/brigade");
        CompiledCode loaded = new CompiledCode(true, "Linux-x86_64, AVX2", null);
        expect(GOOD, new CompiledCodeCheck(loaded, Path.of("/var/me"), null, mounts), "from /var/me");
        expect(GOOD, new CompiledCodeCheck(loaded, null, "none; set it", mounts), "AVX2");
        expect(COSTS, new CompiledCodeCheck(loaded, home, null, mounts), "/home is mounted noexec", "XDG_CACHE_HOME");
        expect(COSTS, new CompiledCodeCheck(new CompiledCode(false, "failed to map", "no tmp"), home, null, mounts),
            "nor is JNA: no tmp", "without noexec");
        expect(COSTS, new CompiledCodeCheck(new CompiledCode(false, "no folder", null), null,
            "there is no folder: x; y; set XDG_CACHE_HOME to a folder", mounts), "100 ms",
            "cure=set XDG_CACHE_HOME to");
        expect(COSTS, new CompiledCodeCheck(new CompiledCode(false, "switched off (brigade.native=off)", null),
            home, null, mounts), "leave out brigade.native");
        expect(COSTS, new CompiledCodeCheck(new CompiledCode(false, "the jar has none for Linux-riscv64", null),
            Path.of("/var/me"), null, mounts), "bin/natives");
    }

    @Test
    void cudaIsMissedOnlyWhereThereIsAGpu() {
        FakeSystem system = new FakeSystem(root);
        SystemFiles files = new SystemFiles(root);
        String none = "libcuda.so.1 is missing; install NVIDIA's driver";
        system.file("sys/bus/pci/devices/0000:00:02.0/vendor", "0x8086")
            .file("sys/bus/pci/devices/0000:00:02.0/class", "0x030000")
            .file("sys/bus/pci/devices/0000:01:00.1/vendor", "0x10de")
            .file("sys/bus/pci/devices/0000:01:00.1/class", "0x040300");
        expect(GOOD, new CudaCheck(files, none, null, 0, null), "no GPU of NVIDIA");
        system.file("sys/bus/pci/devices/0000:01:00.0/vendor", "0x10de")
            .file("sys/bus/pci/devices/0000:01:00.0/class", "0x030200");
        expect(MISSING, new CudaCheck(files, none, null, 0, null), "libcuda.so.1 is missing",
            "cure=install NVIDIA's driver");
        expect(MISSING, new CudaCheck(files, null, "driver for CUDA 13.0", 0, null), "CUDA_VISIBLE_DEVICES");
        expect(GOOD, new CudaCheck(files, null, "driver for CUDA 13.0", 1, null), "; 1 GPU,");
        expect(COSTS, new CudaCheck(files, null, "driver for CUDA 13.0", 2, "loads lazily"),
            "CUDA_MODULE_LOADING=EAGER");
    }

    @Test
    void withoutAnMpiJobsStayOnOneNode() {
        expect(GOOD, new MpiLibraryCheck(null, "Open MPI 4.1.4", false), "Open MPI 4.1.4");
        expect(MISSING, new MpiLibraryCheck("not found; looked; install it", null, false),
            "finding=not found; looked, cost=jobs run on one node only, cure=install it");
        expect(MISSING, new MpiLibraryCheck("not found", null, true), "over SISCI only", "cure=brigade info says more");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '=', value = {"OMPI_MCA_btl_vader_single_copy_mechanism=none", "OMPI_MCA_smsc=^xpmem,cma",
        "OMPI_MCA_btl_sm_use_cma=0", "OMPI_MCA_btl=tcp,self", "OMPI_MCA_btl=^vader", "MPIR_CVAR_CH4_CMA_ENABLE=0",
        "UCX_TLS=tcp,self"})
    void aVariableThatSwitchesSingleCopyOffCosts(String name, String value) {
        expect(COSTS, new MpiSettingsCheck(Map.of(name, value), new SystemFiles(root)), name + "=" + value,
            "unset the variables");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '=', value = {"OMPI_MCA_btl_vader_single_copy_mechanism=cma", "OMPI_MCA_smsc=cma",
        "OMPI_MCA_btl=vader,self", "OMPI_MCA_btl=^openib", "OMPI_MCA_plm=isolated", "UCX_TLS=rc,sm,self",
        "MPICH_ASYNC_PROGRESS=1"})
    void otherVariablesDoNot(String name, String value) {
        expect(GOOD, new MpiSettingsCheck(Map.of(name, value), new SystemFiles(root)));
    }

    @Test
    void openMpisFileForTheMachineIsReadToo() {
        new FakeSystem(root).file("etc/openmpi/openmpi-mca-params.conf",
            "# btl_vader_use_cma = 0\nbtl_base_warn_component_unused = 0\nbtl_vader_single_copy_mechanism = none\n");
        expect(COSTS, new MpiSettingsCheck(Map.of(), new SystemFiles(root)),
            "finding=btl_vader_single_copy_mechanism = none in /etc/openmpi/openmpi-mca-params.conf,");
    }

    @Test
    void onePeerToMeasureBesideIsEnough() {
        expect(GOOD, new PeersCheck(Map.of("mpich", "MPICH 4.2.1"), Map.of("openmpi", "x")),
            "MPICH 4.2.1; not openmpi");
        expect(MISSING, new PeersCheck(Map.of(), Map.of("mpich", "there is no mpicc; install it")), "no mpicc of mpich",
            "install it");
    }

    @Test
    void aSettingThatInitRefusesBlocksAllJobs() {
        expect(GOOD, new SettingsCheck(List.of(), null, null), "none");
        expect(COSTS, new SettingsCheck(List.of("brigade.eager=8K"), null, "BRIGADE_EAGR is no setting"),
            "brigade.eager=8K; BRIGADE_EAGR is no setting");
        expect(BLOCKS, new SettingsCheck(List.of("brigade.eager=x"), "brigade.eager=x is no size", "y"),
            "Init fails: brigade.eager=x is no size");
    }
}
