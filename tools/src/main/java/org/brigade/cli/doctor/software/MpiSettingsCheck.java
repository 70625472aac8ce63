package org.brigade.cli.doctor.software;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.brigade.cli.doctor.check.Check;
import org.brigade.cli.doctor.check.Diagnosis;
import org.brigade.topology.system.SystemFiles;

/**
 * Settings of other MPIs that switch off their single copy, in the environment or Open MPI's file for the whole
 * machine. Some images set them, as containers without the permission for it would get warnings.
 */
public record MpiSettingsCheck(Map<String, String> environment, SystemFiles files) implements Check {
    private static final String NAME = "MPI settings";
    private static final String FILE = "etc/openmpi/openmpi-mca-params.conf";
    private static final String MCA = "OMPI_MCA_";

    @Override
    public Diagnosis diagnosis() {
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
        return off.isEmpty() ? Diagnosis.good(NAME, "none that switches off the single copy of Open MPI or MPICH")
            : Diagnosis.costs(NAME, String.join(", ", off),
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
}
