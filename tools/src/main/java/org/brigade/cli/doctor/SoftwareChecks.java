package org.brigade.cli.doctor;

import static org.brigade.cli.doctor.Diagnosis.blocks;
import static org.brigade.cli.doctor.Diagnosis.costs;
import static org.brigade.cli.doctor.Diagnosis.good;
import static org.brigade.cli.doctor.Diagnosis.missing;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.brigade.probe.CompiledCode;
import org.brigade.probe.Mounts;
import org.brigade.topology.system.SystemFiles;

/** What doctor asks of the JDK, drivers, libraries and settings. The inputs are given. */
final class SoftwareChecks {
    private static final List<String> VARIABLES = List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS");
    private static final Pattern SLOW = Pattern.compile("-Xint|-XX:TieredStopAtLevel=[0-3]|-Xcheck:jni|-Xdebug");
    /** As bin/common.sh tells. */
    private static final Pattern ARCHIVE =
        Pattern.compile("-Xshare|-XX:(SharedArchiveFile|ArchiveClassesAtExit|AOT)");
    private static final String DISPLAY = "0x03";
    private static final String NVIDIA = "0x10de";
    private static final String FILE = "etc/openmpi/openmpi-mca-params.conf";
    private static final String MCA = "OMPI_MCA_";

    private SoftwareChecks() {
    }

    /**
     * The JDK. An image made by jlink, or a JRE, may lack modules.
     *
     * @param version in words
     * @param modules whether the JDK has a module
     */
    static Diagnosis java(String version, Predicate<String> modules) {
        List<String> absent = new ArrayList<>();
        List<String> lost = new ArrayList<>();
        look(modules, "jdk.jfr", "brigade trace and -XX:StartFlightRecording cannot record", absent, lost);
        look(modules, "jdk.jshell", "brigade shell cannot run", absent, lost);
        look(modules, "jdk.compiler", "there is no javac for your programs", absent, lost);
        return absent.isEmpty() ? good("java", version + ", with jfr, jshell and javac")
            : missing("java", version + ", without module " + String.join(", ", absent),
                String.join("; ", lost),
                "install a whole JDK (Debian, Ubuntu: apt-get install openjdk-17-jdk) and set JAVA_HOME to it");
    }

    private static void look(Predicate<String> modules, String module, String loss, List<String> absent,
        List<String> lost) {
        if (!modules.test(module)) {
            absent.add(module);
            lost.add(loss);
        }
    }

    /** Options for every JVM in the environment: they reach each rank, and few people remember that they are set. */
    static Diagnosis javaOptions(Map<String, String> environment) {
        List<String> set = new ArrayList<>();
        VARIABLES.forEach(name -> {
            if (!environment.getOrDefault(name, "").isBlank()) {
                set.add(name + "=" + environment.get(name));
            }
        });
        String all = String.join(" ", set);
        if (SLOW.matcher(all).find()) {
            return costs("java options", all,
                "these options keep the JVM from compiling or make it check each native call; every call is slower",
                "unset the variable for measurements and long runs");
        }
        if (ARCHIVE.matcher(all).find()) {
            return costs("java options", all,
                "ranks start without Brigade's archive of classes, so each loads and verifies its classes one by one",
                "give that option to the one program that needs it, after mpjrun");
        }
        return good("java options", set.isEmpty() ? "none in the environment" : all);
    }

    /**
     * The compiled library, and the folder from which it is loaded: one that only this user can write to, on a file
     * system that permits execution.
     *
     * @param folder this user's; null if there is none
     * @param complaint why there is none, with the cure
     */
    static Diagnosis compiledCode(CompiledCode found, Path folder, String complaint, Mounts mounts) {
        Mounts.Mount mount = folder == null ? null : mounts.of(folder);
        boolean noexec = mount != null && mount.options().contains("noexec");
        if (found.loaded() && noexec) {
            return costs("compiled code",
                found.words() + ", but not from " + folder + ": " + mount.place() + " is mounted noexec",
                "each rank unpacks its libraries into java.io.tmpdir when it starts",
                "set XDG_CACHE_HOME to a folder of yours on a file system without noexec");
        }
        if (found.loaded()) {
            return good("compiled code", found.words() + (folder == null ? "" : ", from " + folder));
        }
        return costs("compiled code", found.words(), found.cost(), found.cure(noexec, complaint));
    }

    /**
     * NVIDIA's driver and JCuda.
     *
     * @param missing why GPUs cannot be used; null if they can
     * @param versions of driver and JCuda; null if they cannot
     * @param gpus that this process may use
     * @param refused why the resident mode that was asked for cannot run; null if it can, or is not asked for
     */
    static Diagnosis cuda(SystemFiles files, String missing, String versions, int gpus, String refused) {
        boolean here = files.exists("proc/driver/nvidia/gpus") || onBus(files);
        if (missing != null) {
            return here
                ? missing("CUDA", "this machine has a GPU, but " + missing,
                    "programs can pass no buffers on GPUs")
                : good("CUDA", "no GPU of NVIDIA on this machine; programs with buffers in host memory need"
                    + " none");
        }
        if (gpus == 0) {
            return missing("CUDA", versions + "; this process may use no GPU",
                "programs can pass no buffers on GPUs",
                "look at CUDA_VISIBLE_DEVICES, and in a container at docker --gpus");
        }
        return refused == null
            ? good("CUDA", versions + "; " + gpus + (gpus == 1 ? " GPU" : " GPUs"))
            : costs("CUDA", versions, "resident mode is not used: " + refused,
                "set CUDA_MODULE_LOADING=EAGER in the environment of all ranks, or leave out brigade.device.resident");
    }

    /** Containers without the driver see the machine's bus all the same. */
    private static boolean onBus(SystemFiles files) {
        for (String device : files.names("sys/bus/pci/devices")) {
            String folder = "sys/bus/pci/devices/" + device;
            if (files.text(folder + "/vendor").equals(NVIDIA) && files.text(folder + "/class").startsWith(DISPLAY)) {
                return true;
            }
        }
        return false;
    }

    /**
     * The host's MPI, over which ranks on different nodes exchange messages.
     *
     * @param missing why there is none, with the cure; null if there is one
     * @param library in words; null if there is none
     * @param adapters whether there are Dolphin's, which need none
     */
    static Diagnosis mpiLibrary(String missing, String library, boolean adapters, boolean ucx) {
        return missing == null ? good("MPI library", library)
            : missing("MPI library", missing,
                adapters ? "jobs on several nodes go over SISCI only"
                    : ucx ? "jobs on several nodes go over UCX only" : "jobs run on one node only");
    }

    static Diagnosis ucx(String missing, String library) {
        return missing == null ? good("UCX", library)
            : missing("UCX", missing, "jobs on several nodes need an MPI that launches them, or adapters");
    }

    /**
     * Settings of other MPIs that switch off their single copy, in the environment or Open MPI's file for the whole
     * machine. Some images set them, as containers without the permission for it would get warnings.
     */
    static Diagnosis mpiSettings(Map<String, String> environment, SystemFiles files) {
        List<String> off = new ArrayList<>();
        new TreeMap<>(environment).forEach((name, value) -> {
            if (name.startsWith(MCA) && switchesOff(name.substring(MCA.length()), value)
                || name.equals("MPIR_CVAR_CH4_CMA_ENABLE") && value.equals("0")
                || name.equals("UCX_TLS") && !value.matches("(^|.*,)(all|sm|shm|mm|cma|xpmem|knem)(,.*|$)")) {
                off.add(name + "=" + value);
            }
        });
        for (String line : files.text(FILE).split("\n")) {
            int equals = line.indexOf('=');
            if (equals > 0 && switchesOff(line.substring(0, equals).strip(), line.substring(equals + 1).strip())) {
                off.add(line.strip() + " in /" + FILE);
            }
        }
        return off.isEmpty() ? good("MPI settings", "none that switches off the single copy of Open MPI or MPICH")
            : costs("MPI settings", String.join(", ", off),
                "programs with Open MPI or MPICH copy long messages twice on this machine, and measurements beside"
                    + " Brigade flatter it; brigade bench --vs clears the variables; Brigade's own jobs on one node"
                    + " do not see them",
                "unset the variables, or remove the lines");
    }

    private static boolean switchesOff(String name, String value) {
        return switch (name) {
            case "btl_vader_single_copy_mechanism", "btl_sm_single_copy_mechanism", "smsc" ->
                value.equals("none") || value.matches("\\^.*\\bcma\\b.*");
            case "btl_vader_use_cma", "btl_sm_use_cma" -> value.equals("0") || value.equals("false");
            case "btl" -> value.startsWith("^") ? value.matches(".*\\b(vader|sm)\\b.*")
                : !value.matches(".*\\b(vader|sm)\\b.*");
            default -> false;
        };
    }

    /**
     * C MPIs that {@code brigade bench --vs} could measure beside Brigade: their compilers, and what these need.
     *
     * @param installed of each, by name: its version
     * @param absent of each, by name: why it cannot be used, with the cure
     */
    static Diagnosis peers(Map<String, String> installed, Map<String, String> absent) {
        String there = String.join(", ", installed.values());
        return absent.isEmpty() || !installed.isEmpty()
            ? good("other MPIs",
                there + (absent.isEmpty() ? "" : "; not " + String.join(", ", absent.keySet())))
            : missing("other MPIs", "no mpicc of " + String.join(" or ", absent.keySet()) + " can be used",
                "brigade bench --vs has nothing to compare with", String.join("; or ", absent.values()));
    }

    /**
     * The settings of this environment.
     *
     * @param given those that are set, as {@code name=value}
     * @param wrong why Init would fail; null if it would not
     * @param unknown variables that no setting has, in words; null if there are none
     */
    static Diagnosis settings(List<String> given, String wrong, String unknown) {
        String set = given.isEmpty() ? "none" : String.join(" ", given);
        if (wrong != null) {
            return blocks("settings", set, "Init fails: " + wrong,
                "set a value that brigade info --settings allows, or unset it");
        }
        return unknown != null
            ? costs("settings", set + "; " + unknown, "nothing is set by it, and rank 0 of each job says so",
                "correct the name (brigade info --settings lists them), or unset the variable")
            : good("settings", set);
    }
}
