package org.brigade.cli.doctor;

import static org.brigade.cli.doctor.MachineChecksTest.expect;
import static org.brigade.cli.doctor.Verdict.BLOCKS;
import static org.brigade.cli.doctor.Verdict.COSTS;
import static org.brigade.cli.doctor.Verdict.GOOD;
import static org.brigade.cli.doctor.Verdict.MISSING;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.brigade.probe.CompiledCode;
import org.brigade.probe.Mounts;
import org.brigade.topology.system.FakeSystem;
import org.brigade.topology.system.SystemFiles;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each verdict of each check of software, from made-up inputs. */
class SoftwareChecksTest {
    @TempDir
    Path root;

    @Test
    void aJdkWithoutSomeModulesCannotDoAll() {
        expect(GOOD, SoftwareChecks.java("17.0.15", module -> true), "17.0.15");
        expect(MISSING, SoftwareChecks.java("17.0.15", module -> !module.equals("jdk.jshell")),
            "without module jdk.jshell",
            "brigade shell cannot run", "JAVA_HOME");
        expect(MISSING, SoftwareChecks.java("17.0.15", module -> false), "jdk.jfr, jdk.jshell, jdk.compiler");
    }

    @Test
    void optionsForEveryJvmMayCost() {
        expect(GOOD, SoftwareChecks.javaOptions(Map.of()), "none in the environment");
        expect(GOOD, SoftwareChecks.javaOptions(Map.of("JAVA_TOOL_OPTIONS", "-Xmx1g", "OTHER", "-Xint")),
            "JAVA_TOOL_OPTIONS=-Xmx1g");
        expect(COSTS, SoftwareChecks.javaOptions(Map.of("_JAVA_OPTIONS", "-Xmx1g -Xint")), "every call is slower");
        expect(COSTS, SoftwareChecks.javaOptions(Map.of("JDK_JAVA_OPTIONS", "-Xshare:off")), "archive of classes");
    }

    @Test
    void theCompiledLibraryNeedsAFolderThatPermitsExecution() {
        new FakeSystem(root).file("proc/mounts", "a / ext4 rw 0 0\nb /home ext4 rw,noexec 0 0");
        Mounts mounts = Mounts.read(new SystemFiles(root));
        Path home = Path.of("/home/me/.cache/brigade");
        CompiledCode loaded = new CompiledCode(true, "Linux-x86_64, AVX2", null);
        expect(GOOD, SoftwareChecks.compiledCode(loaded, Path.of("/var/me"), null, mounts), "from /var/me");
        expect(GOOD, SoftwareChecks.compiledCode(loaded, null, "none; set it", mounts), "AVX2");
        expect(COSTS, SoftwareChecks.compiledCode(loaded, home, null, mounts), "/home is mounted noexec",
            "XDG_CACHE_HOME");
        expect(COSTS,
            SoftwareChecks.compiledCode(new CompiledCode(false, "failed to map", "no tmp"), home, null, mounts),
            "nor is JNA: no tmp", "without noexec");
        expect(COSTS, SoftwareChecks.compiledCode(new CompiledCode(false, "no folder", null), null,
            "there is no folder: x; y; set XDG_CACHE_HOME to a folder", mounts), "100 ms",
            "cure=set XDG_CACHE_HOME to");
        expect(COSTS, SoftwareChecks.compiledCode(new CompiledCode(false, "switched off (brigade.native=off)", null),
            home, null, mounts), "leave out brigade.native");
        expect(COSTS, SoftwareChecks.compiledCode(new CompiledCode(false, "the jar has none for Linux-riscv64", null),
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
        expect(GOOD, SoftwareChecks.cuda(files, none, null, 0, null), "no GPU of NVIDIA");
        system.file("sys/bus/pci/devices/0000:01:00.0/vendor", "0x10de")
            .file("sys/bus/pci/devices/0000:01:00.0/class", "0x030200");
        expect(MISSING, SoftwareChecks.cuda(files, none, null, 0, null), "libcuda.so.1 is missing",
            "cure=install NVIDIA's driver");
        expect(MISSING, SoftwareChecks.cuda(files, null, "driver for CUDA 13.0", 0, null), "CUDA_VISIBLE_DEVICES");
        expect(GOOD, SoftwareChecks.cuda(files, null, "driver for CUDA 13.0", 1, null), "; 1 GPU,");
        expect(COSTS, SoftwareChecks.cuda(files, null, "driver for CUDA 13.0", 2, "loads lazily"),
            "CUDA_MODULE_LOADING=EAGER");
    }

    @Test
    void withoutAnMpiJobsStayOnOneNode() {
        expect(GOOD, SoftwareChecks.mpiLibrary(null, "Open MPI 4.1.4", false, false), "Open MPI 4.1.4");
        expect(MISSING, SoftwareChecks.mpiLibrary("not found; looked; install it", null, false, false),
            "finding=not found; looked, cost=jobs run on one node only, cure=install it");
        expect(MISSING, SoftwareChecks.mpiLibrary("not found", null, true, true), "over SISCI only",
            "cure=brigade info says more");
        expect(MISSING, SoftwareChecks.mpiLibrary("not found", null, false, true), "over UCX only");
    }

    @Test
    void withoutUcxSeveralNodesNeedAnMpi() {
        expect(GOOD, SoftwareChecks.ucx(null, "UCX 1.13.1"), "UCX 1.13.1");
        expect(MISSING, SoftwareChecks.ucx("libucp.so.0 is not there; install UCX", null),
            "cost=jobs on several nodes need an MPI that launches them, or adapters, cure=install UCX");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '=', value = {"OMPI_MCA_btl_vader_single_copy_mechanism=none", "OMPI_MCA_smsc=^xpmem,cma",
        "OMPI_MCA_btl_sm_use_cma=0", "OMPI_MCA_btl=tcp,self", "OMPI_MCA_btl=^vader", "MPIR_CVAR_CH4_CMA_ENABLE=0",
        "UCX_TLS=tcp,self"})
    void aVariableThatSwitchesSingleCopyOffCosts(String name, String value) {
        expect(COSTS, SoftwareChecks.mpiSettings(Map.of(name, value), new SystemFiles(root)), name + "=" + value,
            "unset the variables");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '=', value = {"OMPI_MCA_btl_vader_single_copy_mechanism=cma", "OMPI_MCA_smsc=cma",
        "OMPI_MCA_btl=vader,self", "OMPI_MCA_btl=^openib", "OMPI_MCA_plm=isolated", "UCX_TLS=rc,sm,self",
        "MPICH_ASYNC_PROGRESS=1"})
    void otherVariablesDoNot(String name, String value) {
        expect(GOOD, SoftwareChecks.mpiSettings(Map.of(name, value), new SystemFiles(root)));
    }

    @Test
    void openMpisFileForTheMachineIsReadToo() {
        new FakeSystem(root).file("etc/openmpi/openmpi-mca-params.conf",
            "# btl_vader_use_cma = 0\nbtl_base_warn_component_unused = 0\nbtl_vader_single_copy_mechanism = none\n");
        expect(COSTS, SoftwareChecks.mpiSettings(Map.of(), new SystemFiles(root)),
            "finding=btl_vader_single_copy_mechanism = none in /etc/openmpi/openmpi-mca-params.conf,");
    }

    @Test
    void onePeerToMeasureBesideIsEnough() {
        expect(GOOD, SoftwareChecks.peers(Map.of("mpich", "MPICH 4.2.1"), Map.of("openmpi", "x")),
            "MPICH 4.2.1; not openmpi");
        expect(MISSING, SoftwareChecks.peers(Map.of(), Map.of("mpich", "there is no mpicc; install it")),
            "no mpicc of mpich",
            "install it");
    }

    @Test
    void aSettingThatInitRefusesBlocksAllJobs() {
        expect(GOOD, SoftwareChecks.settings(List.of(), null, null), "none");
        expect(COSTS, SoftwareChecks.settings(List.of("brigade.eager=8K"), null, "BRIGADE_EAGR is no setting"),
            "brigade.eager=8K; BRIGADE_EAGR is no setting");
        expect(BLOCKS, SoftwareChecks.settings(List.of("brigade.eager=x"), "brigade.eager=x is no size", "y"),
            "Init fails: brigade.eager=x is no size");
    }
}
