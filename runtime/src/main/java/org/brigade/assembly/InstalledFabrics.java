package org.brigade.assembly;

import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import org.brigade.select.FabricSource;
import org.brigade.transport.Fabric;

/** The fabrics of other jars on the class path. */
public final class InstalledFabrics implements FabricSource {
    @Override
    public List<String> names() {
        List<String> names = new ArrayList<>();
        for (Fabric fabric : ServiceLoader.load(Fabric.class, InstalledFabrics.class.getClassLoader())) {
            names.add(fabric.name());
        }
        return names;
    }
}
