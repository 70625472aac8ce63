package org.brigade.communicator;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import org.brigade.bootstrap.CoreShare;
import org.brigade.bootstrap.Nodes;
import org.brigade.transport.Endpoint;
import org.junit.jupiter.api.Test;

/** What a job's size costs each of its ranks before anything is sent. */
class JobSizeTest {
    private static final int A_NODE = 64;
    private static final int SMALL = 1024;
    private static final int LARGE = 8192;
    /** Members, nodes and levels as ints, and what sorting them leaves behind. */
    private static final int MOST_EACH = 100;

    /** An end that has met nobody, and must not be asked for a link. */
    private static Endpoint end(int ranks) {
        int[] lowest = new int[ranks];
        for (int rank = 0; rank < ranks; rank++) {
            lowest[rank] = rank / A_NODE * A_NODE;
        }
        Nodes nodes = Nodes.of(5, lowest);
        return (Endpoint) Proxy.newProxyInstance(JobSizeTest.class.getClassLoader(), new Class<?>[] {Endpoint.class},
            (proxy, method, arguments) -> switch (method.getName()) {
                case "rank" -> 5;
                case "size" -> ranks;
                case "nodes" -> nodes;
                case "fabric" -> "none";
                case "board", "multicasts" -> null;
                case "yields" -> false;
                default -> {
                    if (!method.isDefault()) {
                        throw new AssertionError("a start asks for " + method.getName());
                    }
                    yield InvocationHandler.invokeDefault(proxy, method, arguments);
                }
            });
    }

    private static long allocated(int ranks) {
        Endpoint end = end(ranks);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
        new BrigadeProvider().start(end, CoreShare.ofThreads(A_NODE), false);
        return threads.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;
    }

    @Test
    void aStartMakesNoLinksAndTakesFewBytesForEachRankOfTheJob() {
        allocated(SMALL);
        long each = (allocated(LARGE) - allocated(SMALL)) / (LARGE - SMALL);
        assertTrue(each <= MOST_EACH, "a start allocates " + each
            + " bytes for each rank of the job, garbage included; at most " + MOST_EACH + " were enough");
    }
}
