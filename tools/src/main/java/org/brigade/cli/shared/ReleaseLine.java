package org.brigade.cli.shared;

import picocli.CommandLine.IVersionProvider;

/** The version of Brigade, from the jar's manifest. */
public final class Release implements IVersionProvider {
    @Override
    public String[] getVersion() {
        return new String[] {"brigade " + number()};
    }

    /** The version number; "development" outside a jar. */
    public static String number() {
        String version = Release.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }
}
