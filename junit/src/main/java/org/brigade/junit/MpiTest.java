package org.brigade.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.TestTemplate;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test that runs on several ranks, each a process of this machine, between Init and Finalize:
 *
 * <pre>
 * &#64;MpiTest(ranks = 4)
 * void everyRankGetsTheSum(Intracomm world) throws MPIException {
 *     int[] sum = {world.getRank()};
 *     world.allReduce(sum, 1, MPI.INT, MPI.SUM);
 *     assertEquals(6, sum[0]);
 * }
 * </pre>
 *
 * The test fails if it fails on a rank, if a rank dies, or if a rank has not ended it in time. The report has an
 * exception for each such rank, with that rank's stack trace. Methods with BeforeEach and AfterEach run on the ranks,
 * too; those with BeforeAll, constructors and fields also in the JVM that starts the ranks, so they must not call MPI.
 * A parameter of class {@link mpi.Intracomm} or {@link mpi.Comm} is MPI.COMM_WORLD, which returns errors.
 */
@Documented
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@TestTemplate
@ExtendWith(MpiExtension.class)
public @interface MpiTest {
    /** The number of ranks, 1 or more; for several numbers the test runs once for each. */
    int[] ranks();

    /** How many seconds each rank may take, 1 or more. */
    int timeout() default 60;

    /**
     * Further options of mpjrun and of the ranks' java, such as {@code -Dbrigade.check=true} or {@code --bind-to core}.
     */
    String[] options() default {};
}
