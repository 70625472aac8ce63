package org.brigade.select;

import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import org.brigade.setting.Nearest;
import org.brigade.transport.Fabric;

/**
 * By what nodes may be joined: a rule or a question that names something else would be passed over for ever, without a
 * word.
 */
public final class FabricNames {
    public static final String SISCI = "sisci";
    public static final String MPI = "mpi";

    private static final int SLIP = 3;

    private FabricNames() {
    }

    /**
     * What to say of a name that no fabric has: brigade.jar's, or another on the class path, which is looked at only
     * for others than brigade.jar's. Null if there is one.
     */
    public static String complaint(String name) {
        if (name.equals(SISCI) || name.equals(MPI)) {
            return null;
        }
        List<String> names = new ArrayList<>(List.of(SISCI, MPI));
        for (Fabric other : ServiceLoader.load(Fabric.class, FabricNames.class.getClassLoader())) {
            names.add(other.name());
        }
        if (names.contains(name)) {
            return null;
        }
        String meant = Nearest.of(name, names, Math.min(SLIP, name.length() - 1));
        return "no fabric is called '" + name + "'; " + (meant == null ? "" : "did you mean " + meant + "? ")
            + "there are: " + String.join(", ", names);
    }
}
