package mpi.spi;

/**
 * Finds the provider in brigade.jar without {@link java.util.ServiceLoader}, which costs a JVM 15 to 30 ms at start-up:
 * its class is loaded by name and registers itself when it is initialized. If that class is absent, ServiceLoader finds
 * other providers.
 */
public final class Providers {
    private static final String USUAL = "org.brigade.communicator.BrigadeProvider";

    private static Provider registered;

    private Providers() {
    }

    /** Called by a provider's class initializer. */
    public static void register(Provider provider) {
        registered = provider;
    }

    /** The provider of brigade.jar; null if it is not on the class path. */
    public static Provider usual() {
        try {
            Class.forName(USUAL, true, Providers.class.getClassLoader());
            return registered;
        } catch (ClassNotFoundException e) {
            return null;
        }
    }
}
