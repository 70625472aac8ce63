package org.brigade.aggregation.aggregator;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.brigade.aggregation.process.FrameChannel;
import org.brigade.aggregation.process.LinkStreams;
import org.brigade.interrupt.Nap;
import org.brigade.transport.hostmpi.SetAside;

/** Connections over the links of a fabric, from ranks of the same job, which need no other proof. */
final class LinkAcceptor implements Acceptor {
    private static final int YIELDS = 2000;
    private static final long NAP_NANOS = 100_000;

    private final LinkStreams streams;
    /** The rank of the parent aggregator; -1 if there is none. */
    private final int parent;
    private final BooleanSupplier ended;
    private final Runnable closing;
    private final List<FrameChannel> channels = new ArrayList<>();
    private int idle;
    private volatile boolean awake;

    LinkAcceptor(LinkStreams streams, int parent, BooleanSupplier ended, Runnable closing) {
        this.streams = streams;
        this.parent = parent;
        this.ended = ended;
        this.closing = closing;
    }

    /** One of several aggregators: members connect to all but the last, which is the parent. */
    LinkAcceptor(SetAside aside) {
        this(new LinkStreams(aside.end(), aside.rank(), aside.processes()),
            aside.place() < aside.count() - 1 ? aside.processes() - 1 : -1, aside::hasEnded, aside::close);
    }

    @Override
    public void look(Handler house, long millis) {
        long deadline = System.nanoTime() + millis * 1_000_000;
        boolean served = false;
        while (!served && !awake && !ended.getAsBoolean() && System.nanoTime() - deadline < 0) {
            boolean came = streams.look();
            for (LinkStreams.Stream stream = streams.arrived(); stream != null; stream = streams.arrived()) {
                FrameChannel channel = new FrameChannel(stream, null);
                if (house.enter(channel)) {
                    channels.add(channel);
                } else {
                    channel.close();
                }
            }
            for (int i = 0; i < channels.size();) {
                LinkStreams.Stream stream = (LinkStreams.Stream) channels.get(i).carrier();
                if (stream.isClosed()) {
                    channels.remove(i);
                    continue;
                }
                if (stream.isReady()) {
                    house.serve(channels.get(i));
                    served = true;
                }
                i++;
            }
            idle = came || served ? 0 : idle + 1;
            if (idle > YIELDS) {
                Nap.nanos(NAP_NANOS);
            } else if (idle > 0) {
                Thread.yield();
            }
        }
    }

    @Override
    public String above() {
        return parent < 0 ? null : "rank " + parent + " of the launcher's job";
    }

    @Override
    public FrameChannel climb() {
        FrameChannel channel = new FrameChannel(streams.open(parent), null);
        channels.add(channel);
        return channel;
    }

    @Override
    public boolean hasEnded() {
        return ended.getAsBoolean();
    }

    @Override
    public void wake() {
        awake = true;
    }

    @Override
    public void close() {
        long deadline = System.nanoTime() + 1_000_000_000L;
        while (!streams.isIdle() && System.nanoTime() - deadline < 0) {
            Thread.yield();
        }
        closing.run();
    }
}
