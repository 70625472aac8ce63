package org.brigade.cli;

import picocli.CommandLine.IVersionProvider;

/** Which Brigade this is, as the jar's manifest says. */
final class Release implements IVersionProvider {
    @Override
    public String[] getVersion() {
        return new String[] {"brigade " + number()};
    }

    /** Number of the release; "development" where no jar says. */
    static String number() {
        String version = Release.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }
}
