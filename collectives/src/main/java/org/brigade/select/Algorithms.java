package org.brigade.select;

import java.util.List;
import org.brigade.algorithm.Algorithm;
import mpi.spi.Collective;

/** The algorithms that selection may choose from: the catalogue's, or a test's. */
public interface Algorithms {
    /** Those of one collective, in an order of preference for when no rule of a table decides. */
    List<? extends Algorithm> of(Collective collective);
}
