package org.brigade.aggregation.process;

import org.brigade.bootstrap.secret.Handshake;

/** How members and aggregators prove to each other that they have the secret, and what they say if they have not. */
public final class AggregatorHandshake {
    private static final Handshake.Protocol PROTOCOL = new Handshake.Protocol(0x42524947_41474752L,
        FrameChannel.VERSION, "member", "aggregator",
        new Handshake.Words(
            "it was closed at once: it is no brigade aggregator, or one with too many connections (--connections)",
            "the other end does not speak this protocol: is it a brigade aggregator?", FrameChannel::otherVersion,
            "the other end's processor has another byte order, which aggregators do not translate",
            "the secrets differ: the file of brigade.aggregation.secret on the ranks must equal that of the"
                + " aggregators' --secret; copy that file"));

    private AggregatorHandshake() {
    }

    public static Handshake ofClient(byte[] secret) {
        return Handshake.ofClient(PROTOCOL, secret);
    }

    public static Handshake ofServer(byte[] secret) {
        return Handshake.ofServer(PROTOCOL, secret);
    }
}
