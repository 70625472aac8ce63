package org.brigade.matching;

import static org.brigade.communicator.Payloads.BYTE;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicInteger;
import mpi.spi.Envelope;
import mpi.spi.SendMode;
import org.brigade.communicator.Jobs;
import org.brigade.communicator.Payloads;
import org.brigade.communicator.ThreadJob;
import org.brigade.transport.Endpoint;
import org.brigade.transport.Link;
import org.junit.jupiter.api.Test;

/**
 * A receive whose message has come takes it at once: thousands of looks at the link would take longer than all else.
 */
class ReceiveLooksTest {
    private static final int TAG = 5;

    private final AtomicInteger looks = new AtomicInteger();

    /** The same object with its point-to-point links' patient looks counted. */
    @SuppressWarnings("unchecked")
    private <T> T counting(Class<T> type, T counted) {
        return (T) Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, args) -> {
            if (method.getName().equals("poll") && args != null) {
                looks.incrementAndGet();
            }
            try {
                Object result = method.invoke(counted, args);
                boolean counts = method.getName().equals("link") && args[1].equals(Endpoint.POINT_TO_POINT);
                return counts ? counting(Link.class, (Link) result) : result;
            } catch (InvocationTargetException thrown) {
                throw thrown.getCause();
            }
        });
    }

    @Test
    void noneAfterAProbe() throws Exception {
        Endpoint[] endpoints = Jobs.WIDE.endpoints(2, 3);
        endpoints[1] = counting(Endpoint.class, endpoints[1]);
        ThreadJob.run(endpoints, (provider, world) -> {
            if (world.rank() == 0) {
                world.send(Payloads.of(1, 40), 0, 40, BYTE, 1, TAG, SendMode.STANDARD);
                world.send(Payloads.of(2, 40), 0, 40, BYTE, 1, TAG, SendMode.STANDARD);
                return;
            }
            byte[] in = new byte[40];
            Envelope envelope = new Envelope();
            world.probe(0, TAG, envelope);
            int before = looks.get();
            world.recv(in, 0, 40, BYTE, 0, TAG, envelope, "recv");
            assertEquals(before, looks.get());
            Payloads.check("the first", 1, 40, in);
            world.recv(in, 0, 40, BYTE, 0, TAG, envelope, "recv");
            Payloads.check("the second", 2, 40, in);
        });
    }
}
