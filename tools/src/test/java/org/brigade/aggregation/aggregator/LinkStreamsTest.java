package org.brigade.aggregation.aggregator;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import mpi.spi.Reduction.Operator;
import org.brigade.aggregation.AggregationException;
import org.brigade.aggregation.AggregationType;
import org.brigade.aggregation.RegisteredMemory;
import org.brigade.aggregation.process.FrameChannel;
import org.brigade.aggregation.process.GroupTerms;
import org.brigade.aggregation.process.JoinRequest;
import org.brigade.aggregation.process.LinkStreams;
import org.brigade.aggregation.process.MemberGroup;
import org.brigade.aggregation.process.TcpAggregation;
import org.brigade.memory.NativeMemory;
import org.brigade.transport.Endpoint;
import org.brigade.transport.FabricEnd;
import org.brigade.transport.Link;
import org.brigade.transport.loopback.LoopbackJob;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Aggregators that are spoken to by a fabric's links: many connections on each, and whole trees. */
@Timeout(300)
class LinkStreamsTest {
    private static final long PATIENCE = 10_000_000_000L;

    /** A rank's links of a job of threads, as a fabric's end; a peer is lost when that is said. */
    private static final class End implements FabricEnd {
        private final Endpoint endpoint;
        private volatile int gone = -1;

        End(Endpoint endpoint) {
            this.endpoint = endpoint;
        }

        @Override
        public Link link(int peer, int lane) {
            return endpoint.link(peer, lane);
        }

        @Override
        public int met() {
            return endpoint.size();
        }

        @Override
        public int met(int number) {
            return number;
        }

        @Override
        public boolean isConnected(int peer) {
            return true;
        }

        @Override
        public String lost(int peer) {
            return peer == gone ? "rank " + peer + " is gone" : null;
        }

        @Override
        public void close() {
            // The memory goes with the last who has it.
        }
    }

    private static End[] ends(int ranks) {
        Endpoint[] endpoints = LoopbackJob.endpoints(ranks);
        End[] ends = new End[ranks];
        for (int rank = 0; rank < ranks; rank++) {
            ends[rank] = new End(endpoints[rank]);
        }
        return ends;
    }

    private static byte[] bytes(long seed, int length) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    private static LinkStreams.Stream arrival(LinkStreams streams) {
        LinkStreams.Stream stream = null;
        while (stream == null) {
            streams.look();
            stream = streams.arrived();
        }
        return stream;
    }

    @Test
    void connectionsOfOneLinkAreStreamsOfTheirOwnWhicheverIsRead() throws Exception {
        End[] ends = ends(2);
        LinkStreams here = new LinkStreams(ends[0], 0, 2);
        LinkStreams there = new LinkStreams(ends[1], 1, 2);
        Random random = new Random(7);
        int count = 5;
        byte[][] said = new byte[count][];
        ByteBuffer[] out = new ByteBuffer[count];
        ByteBuffer[] heard = new ByteBuffer[count];
        LinkStreams.Stream[] from = new LinkStreams.Stream[count];
        LinkStreams.Stream[] to = new LinkStreams.Stream[count];
        for (int i = 0; i < count; i++) {
            said[i] = bytes(i, 1 + 100_003 * i);
            out[i] = ByteBuffer.wrap(said[i]);
            heard[i] = ByteBuffer.allocate(said[i].length);
            from[i] = here.open(1);
            out[i].limit(1);
            from[i].write(out[i]);
            to[i] = arrival(there); // so that we know which is which
        }
        // The last is not read until all others have ended.
        for (int done = 0; done < count;) {
            for (int i = 0; i < count; i++) {
                out[i].limit(Math.min(said[i].length, out[i].limit() + random.nextInt(90_000)));
                from[i].write(out[i].duplicate().limit(out[i].position()), out[i]);
            }
            done = 0;
            for (int i = 0; i < count; i++) {
                boolean others = i < count - 1 || done == count - 1;
                heard[i].limit(Math.min(heard[i].capacity(), heard[i].position() + random.nextInt(70_000)));
                if (others) {
                    to[i].read(heard[i]);
                }
                done += heard[i].position() == said[i].length ? 1 : 0;
            }
        }
        for (int i = 0; i < count; i++) {
            assertArrayEquals(said[i], heard[i].array(), "connection " + i);
        }
    }

    @Test
    void whoClosesIsHeardWhenAllHasBeenReadAndWhatComesForHimIsThrownAway() throws Exception {
        End[] ends = ends(2);
        LinkStreams here = new LinkStreams(ends[0], 0, 2);
        LinkStreams there = new LinkStreams(ends[1], 1, 2);
        LinkStreams.Stream first = here.open(1);
        first.write(ByteBuffer.wrap(bytes(1, 100)));
        LinkStreams.Stream its = arrival(there);
        first.close();
        its.write(ByteBuffer.wrap(bytes(2, 50)));
        ByteBuffer heard = ByteBuffer.allocate(200);
        assertEquals(100, its.read(heard));
        assertEquals(-1, its.read(heard));
        its.close();
        LinkStreams.Stream second = here.open(1);
        assertEquals(0, second.read(heard), "what was for the one that is closed");
        second.write(ByteBuffer.wrap(bytes(3, 10)));
        assertEquals(10, arrival(there).read(heard));
        assertNull(there.arrived());
        assertTrue(here.isIdle() && there.isIdle());
        ends[0].gone = 1;
        assertEquals("rank 1 is gone", assertThrows(IOException.class, () -> second.read(heard)).getMessage());
    }

    // ---- trees ----

    /** Aggregators as the last ends, each a thread; of several the last is above the others. */
    private static final class Beside implements AutoCloseable {
        final End[] ends;
        final int members;
        final LinkStreams[] streams;
        final List<String> log = Collections.synchronizedList(new ArrayList<>());
        final List<Thread> threads = new ArrayList<>();
        final List<Integer> closed = Collections.synchronizedList(new ArrayList<>());
        volatile boolean ended;

        Beside(int members, int aggregators, GroupTerms terms, Faults faults) {
            this.members = members;
            ends = ends(members + aggregators);
            streams = new LinkStreams[members];
            for (int member = 0; member < members; member++) {
                streams[member] = new LinkStreams(ends[member], member, ends.length);
            }
            for (int place = 0; place < aggregators; place++) {
                int number = place;
                LinkStreams its = new LinkStreams(ends[members + place], members + place, ends.length);
                LinkAcceptor door = new LinkAcceptor(its, place < aggregators - 1 ? ends.length - 1 : -1, () -> ended,
                    () -> closed.add(number));
                Thread thread = new Thread(
                    new Aggregator(new AggregatorOptions(place, 0, terms, 4, 1 << 26, 40, faults), door, log::add),
                    "aggregator " + place);
                thread.setDaemon(true);
                thread.start();
                threads.add(thread);
            }
        }

        /** What was said but that groups begin and end. */
        List<String> complaints() {
            synchronized (log) {
                return log.stream().filter(line -> !line.matches("group \\w+ (begins: .*|ends: all have left)"))
                    .toList();
            }
        }

        /** What each of the members gets by joining. */
        MemberGroup[] join(long group) throws InterruptedException {
            int leaves = Math.max(1, threads.size() - 1);
            MemberGroup[] joined = new MemberGroup[members];
            List<Thread> joining = new ArrayList<>();
            for (int member = 0; member < members; member++) {
                int number = member;
                Thread thread = new Thread(() -> {
                    int leaf = TcpAggregation.leaf(number, members, leaves);
                    int here = 0;
                    for (int other = 0; other < members; other++) {
                        here += TcpAggregation.leaf(other, members, leaves) == leaf ? 1 : 0;
                    }
                    FrameChannel channel = new FrameChannel(streams[number].open(members + leaf), null);
                    try {
                        joined[number] = new MemberGroup("number " + leaf, channel,
                            new JoinRequest(group, number, 1, members, here), PATIENCE, Thread::yield);
                    } catch (AggregationException e) {
                        log.add("member " + number + ": " + e.getMessage());
                    }
                });
                thread.start();
                joining.add(thread);
            }
            for (Thread thread : joining) {
                thread.join();
            }
            return joined;
        }

        @Override
        public void close() {
            ended = true;
            try {
                for (Thread thread : threads) {
                    thread.join();
                }
            } catch (InterruptedException e) {
                throw new IllegalStateException("the test's time is up before the aggregators end", e);
            }
            assertEquals(threads.size(), closed.size(), "each closes its end");
        }
    }

    private static void sums(MemberGroup[] group, int turns, int length) throws AggregationException {
        RegisteredMemory[] memories = new RegisteredMemory[group.length];
        for (int member = 0; member < group.length; member++) {
            memories[member] = group[member].register(NativeMemory.allocate(2 * length));
        }
        for (int turn = 0; turn < turns; turn++) {
            int[] requests = new int[group.length];
            int expected = 0;
            for (int member = 0; member < group.length; member++) {
                for (int i = 0; i < length / 4; i++) {
                    memories[member].memory().ints.put(i, (turn + i) * (member + 1));
                }
                expected += member + 1;
                requests[member] =
                    group[member].iallreduce(memories[member], 0, length, length, AggregationType.INT32, Operator.SUM);
            }
            boolean[] done = new boolean[group.length];
            for (int left = group.length; left > 0;) {
                for (int member = 0; member < group.length; member++) {
                    if (!done[member] && group[member].test(requests[member])) {
                        done[member] = true;
                        left--;
                        for (int i = 0; i < length / 4; i++) {
                            assertEquals((turn + i) * expected, memories[member].memory().ints.get(length / 4 + i),
                                "element " + i + " of member " + member + " in turn " + turn);
                        }
                    }
                }
            }
        }
    }

    @Test
    void oneAggregatorServesSeveralGroupsOnTheSameLinks() throws Exception {
        try (Beside beside = new Beside(3, 1, AggregatorOptions.DEFAULT_TERMS, Faults.NONE)) {
            MemberGroup[] first = beside.join(11);
            MemberGroup[] second = beside.join(12);
            assertEquals(List.of(), beside.complaints());
            for (int turn = 0; turn < 3; turn++) {
                sums(first, 5, 32 << 10);
                sums(second, 5, 4);
            }
            for (MemberGroup each : first) {
                each.close();
            }
            sums(second, 40, 1024);
            sums(beside.join(11), 2, 1024);
            assertEquals(List.of(), beside.complaints());
        }
    }

    @Test
    void ofThreeTheLastIsAboveTheOthersAndLossDoesNoHarm() throws Exception {
        try (Beside beside = new Beside(5, 3, new GroupTerms(8, 8192, false), new Faults(0.05, 0.1, 0.1, 3))) {
            MemberGroup[] group = beside.join(5);
            assertEquals(List.of(), beside.complaints());
            sums(group, 60, 8192);
            assertEquals(List.of(), beside.complaints());
        }
    }

    @Test
    void aMemberThatIsLostEndsItsGroupForTheOthersOnly() throws Exception {
        try (Beside beside = new Beside(2, 1, AggregatorOptions.DEFAULT_TERMS, Faults.NONE)) {
            MemberGroup[] group = beside.join(5);
            sums(group, 2, 64);
            beside.ends[2].gone = 1;
            RegisteredMemory memory = group[0].register(NativeMemory.allocate(64));
            AggregationException told = assertThrows(AggregationException.class, () -> {
                int request = group[0].iallreduce(memory, 0, 32, 32, AggregationType.INT32, Operator.SUM);
                while (!group[0].test(request)) {
                    Thread.yield();
                }
            });
            assertTrue(told.getMessage().contains("rank 1 is gone"), told.getMessage());
            beside.ends[2].gone = -1;
            MemberGroup[] again = beside.join(6);
            assertNotNull(again[0], beside.log.toString());
            sums(again, 2, 64);
        }
    }
}
