package org.brigade.select;

import java.util.List;

/** Tells which fabrics there are beside those of brigade.jar. Found by {@link java.util.ServiceLoader}. */
public interface FabricSource {
    /** The names of these fabrics, as rules write them. */
    List<String> names();
}
