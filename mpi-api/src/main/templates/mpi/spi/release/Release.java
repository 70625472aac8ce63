package mpi.spi.release;

/**
 * Brigade's version. Maven writes it here: a jar's manifest would tell that of the application where Brigade's classes
 * are packed into its jar.
 */
public final class Release {
    private Release() {
    }

    /** As in {@code 0.1.0}. */
    public static String number() { // a constant would be copied into the classes that use it
        return "${project.version}";
    }
}
