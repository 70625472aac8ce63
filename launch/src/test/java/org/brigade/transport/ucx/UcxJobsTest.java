package org.brigade.transport.ucx;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.brigade.launch.NodesJobsTest;
import org.junit.jupiter.api.BeforeAll;

/** The same jobs with nodes that UCX joins, without an MPI. Skipped where libucx is missing. */
class UcxJobsTest extends NodesJobsTest {
    @BeforeAll
    static void ucxIsInstalled() {
        String missing = UcxInventory.missing();
        assumeTrue(missing == null, missing);
    }

    @Override
    protected String fabric() {
        return "ucx";
    }
}
