package org.brigade.launch.options;

/** What mpjrun binds each rank to: {@code --bind-to}. */
public enum Binding {
    /** Ranks run wherever mpjrun may. */
    NONE("none"),
    /** A core, or one hardware thread where there are more ranks than cores. */
    CORE("core"),
    /** The cores that share the last level of cache with the rank's own. */
    CACHE("cache"),
    /** The cores of the NUMA node of the rank's own. */
    NUMA("numa");

    /** What Open MPI and MPICH call the usual last level of cache. */
    private static final String L3 = "l3cache";

    private final String word;

    Binding(String word) {
        this.word = word;
    }

    /** @throws LaunchException if there is no such binding */
    static Binding of(String text) {
        for (Binding each : values()) {
            if (each.word.equals(text)) {
                return each;
            }
        }
        if (text.equals(L3)) {
            return CACHE;
        }
        throw new LaunchException("--bind-to " + text + ": must be core, cache (or " + L3 + "), numa or none");
    }

    @Override
    public String toString() {
        return "--bind-to " + word;
    }
}
