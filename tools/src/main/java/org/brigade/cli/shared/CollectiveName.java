package org.brigade.cli.shared;

import java.util.Arrays;
import java.util.Iterator;
import mpi.spi.Collective;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Reads collectives by their names on the command line: {@code bcast}, {@code reduce-scatter}. Also lists them for
 * help.
 */
public final class CollectiveName implements ITypeConverter<Collective>, Iterable<String> {
    @Override
    public Collective convert(String name) {
        for (Collective collective : Collective.values()) {
            if (collective.key().equals(name)) {
                return collective;
            }
        }
        throw new TypeConversionException("'" + name + "' is no collective; there are: " + String.join(", ", this));
    }

    @Override
    public Iterator<String> iterator() {
        return Arrays.stream(Collective.values()).map(Collective::key).iterator();
    }
}
