package org.brigade.cli.shared;

import picocli.CommandLine.IVersionProvider;

/** Which Brigade this is, as the jar's manifest says. */
public final class Release implements IVersionProvider {
    @Override
    public String[] getVersion() {
        return new String[] {"brigade " + number()};
    }

    /** Number of the release; "development" where no jar says. */
    public static String number() {
        String version = Release.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }
}
