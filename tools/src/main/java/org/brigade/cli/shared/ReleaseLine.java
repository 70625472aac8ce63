package org.brigade.cli.shared;

import mpi.spi.release.Release;
import picocli.CommandLine.IVersionProvider;

/** What --version prints. */
public final class ReleaseLine implements IVersionProvider {
    @Override
    public String[] getVersion() {
        return new String[] {"brigade " + Release.number()};
    }
}
