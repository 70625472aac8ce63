package org.brigade.select;

import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import org.brigade.setting.SpellingSuggestion;

/**
 * The names of fabrics. A rule or a question with an unknown name would be skipped silently for ever, so it is an
 * error.
 */
public final class FabricNames {
    public static final String SISCI = "sisci";
    public static final String MPI = "mpi";
    public static final String UCX = "ucx";
    /** Adapters that read and write GPUs' memory: simulated only, as no job knows where all ranks' data are. */
    public static final String GPUDIRECT = "gpudirect";

    private static final int SLIP = 3;

    private FabricNames() {
    }

    /**
     * The complaint about a name that no fabric has; null if a fabric has it. Looks for fabrics on the class path only
     * if the name is none of brigade.jar's.
     */
    public static String complaint(String name) {
        if (name.equals(SISCI) || name.equals(MPI) || name.equals(UCX) || name.equals(GPUDIRECT)) {
            return null;
        }
        List<String> names = new ArrayList<>(List.of(SISCI, MPI, UCX));
        for (FabricSource others : ServiceLoader.load(FabricSource.class, FabricNames.class.getClassLoader())) {
            names.addAll(others.names());
        }
        if (names.contains(name)) {
            return null;
        }
        String meant = SpellingSuggestion.of(name, names, Math.min(SLIP, name.length() - 1));
        return "no fabric is called '" + name + "'; " + (meant == null ? "" : "did you mean " + meant + "? ")
            + "there are: " + String.join(", ", names);
    }
}
