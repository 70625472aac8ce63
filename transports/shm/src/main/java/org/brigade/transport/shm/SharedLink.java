package org.brigade.transport.shm;

import org.brigade.memory.Region;
import org.brigade.nativ.AwaitedWord;
import org.brigade.op.Combiner;
import org.brigade.transport.FrontLink;

/**
 * A link made of two channels in shared memory, one each way. Messages from and to device memory take their own way,
 * and longer ones in host memory have a choice. All others pay one look at their region for that.
 */
final class SharedLink extends FrontLink {
    private final int peer;
    private final ChannelSender out;
    private final ChannelReceiver in;
    private final SharedEndpoint endpoint;
    private final boolean forMessages;
    /** Null until a message from or to device memory comes. */
    private DeviceSender deviceOut;
    private DeviceReceiver deviceIn;
    /** Null until a message comes that has a choice of ways. */
    private HostSender hostOut;
    private LentReceiver lentIn;

    /** @param forMessages whether short messages, too, may wait in device memory until their receiver takes them */
    SharedLink(SharedEndpoint endpoint, int peer, ChannelSender out, ChannelReceiver in, boolean forMessages) {
        this.forMessages = forMessages;
        this.endpoint = endpoint;
        this.peer = peer;
        this.out = out;
        this.in = in;
    }

    @Override
    public int peer() {
        return peer;
    }

    @Override
    public long trySend(int kind, long key, Region source, long at, long bytes, long sent) {
        if (source.isDevice() || sent > 0 && deviceOut != null && deviceOut.isBusy()) {
            return deviceOut().trySend(kind, key, source, at, bytes, sent);
        }
        return bytes < CopyWays.SHORTEST ? out.trySend(kind, key, source, at, bytes, sent)
            : hostOut().trySend(kind, key, source, at, bytes, sent);
    }

    @Override
    public boolean trySendWords(int kind, long key, long first, long second) {
        return out.trySendWords(kind, key, first, second);
    }

    @Override
    public boolean poll() {
        return in.poll();
    }

    @Override
    public boolean poll(int looks) {
        return in.poll(looks);
    }

    @Override
    public void show(AwaitedWord word) {
        in.show(word);
    }

    @Override
    protected ChannelReceiver in() {
        return in;
    }

    // What every message needs, without the way through in().

    @Override
    public int kind() {
        return in.kind();
    }

    @Override
    public long key() {
        return in.key();
    }

    @Override
    public long bytes() {
        return in.bytes();
    }

    @Override
    public boolean isTaken() {
        return in.isTaken() || deviceIn != null && deviceIn.isBusy() || lentIn != null && lentIn.isBusy();
    }

    @Override
    public long tryRecv(Region target, long at) {
        if (target.isDevice() || in.isElsewhere()) {
            return in.isLent() ? lentIn().tryRecv(target, at) : deviceIn().tryRecv(target, at);
        }
        return in.tryRecv(target, at);
    }

    @Override
    public long tryRecvReduce(Combiner combiner, Region operand, long operandAt, Region target, long targetAt) {
        if (in.isElsewhere()) {
            return in.isLent() ? lentIn().tryRecvReduce(combiner, operand, operandAt, target, targetAt)
                : deviceIn().tryRecvReduce(combiner, operand, operandAt, target, targetAt);
        }
        return in.tryRecvReduce(combiner, operand, operandAt, target, targetAt);
    }

    @Override
    public void abandon() {
        if (in.isLent()) {
            lentIn().abandon();
        }
    }

    @Override
    public long tryDiscard(long limit) {
        if (in.isElsewhere()) {
            return in.isLent() ? lentIn().tryDiscard(limit) : deviceIn().tryDiscard(limit);
        }
        return in.tryDiscard(limit);
    }

    private DeviceSender deviceOut() {
        if (deviceOut == null) {
            deviceOut = new DeviceSender(endpoint.deviceSide(), out, forMessages);
        }
        return deviceOut;
    }

    private DeviceReceiver deviceIn() {
        if (deviceIn == null) {
            deviceIn = new DeviceReceiver(endpoint.deviceSide(), in, peer);
        }
        return deviceIn;
    }

    private HostSender hostOut() {
        if (hostOut == null) {
            hostOut = new HostSender(endpoint.processes(), endpoint.streams(), endpoint.place(peer), out);
        }
        return hostOut;
    }

    private LentReceiver lentIn() {
        if (lentIn == null) {
            lentIn = new LentReceiver(endpoint, endpoint.processes(), endpoint.place(peer), in,
                () -> hostOut != null && hostOut.lends());
        }
        return lentIn;
    }

    /** Waits for running copies. */
    void close() {
        if (deviceOut != null) {
            deviceOut.close();
        }
        if (deviceIn != null) {
            deviceIn.close();
        }
    }

    /** Whether the message at the head is one that the sender lends. For tests. */
    boolean isLent() {
        return in.isLent();
    }
}
