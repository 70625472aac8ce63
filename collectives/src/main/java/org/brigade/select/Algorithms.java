package org.brigade.select;

import java.util.List;
import mpi.spi.Collective;
import org.brigade.algorithm.Algorithm;

/** The algorithms that selection may choose from: the catalogue's, or a test's. */
public interface Algorithms {
    /** The algorithms of one collective, in the order of preference if no rule of a table decides. */
    List<? extends Algorithm> of(Collective collective);
}
