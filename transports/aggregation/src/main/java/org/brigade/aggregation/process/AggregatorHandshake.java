package org.brigade.aggregation.process;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * How both ends of a connection prove that they have the secret, before anything else is read or any memory is
 * allocated: HMAC-SHA256 over both nonces, so that no proof works twice and neither end can return the other's. The
 * client proves it first: a stranger that connects gets nothing to try secrets on. The handshake authenticates the ends
 * of a connection; it does not protect later data from an attacker who can change packets.
 *
 * <pre>
 *   client  magic 8 | version 4 | byte order 4 | nonce 16
 *   server  the same, with its own
 *   client  HMAC(secret, "member" nonces) 32
 *   server  HMAC(secret, "aggregator" nonces) 32
 * </pre>
 */
public final class AggregatorHandshake {
    /** Shorter secrets can be guessed. */
    static final int LEAST_SECRET = 16;

    private static final long MAGIC = 0x42524947_41474752L;
    private static final int NONCE = 16;
    private static final int PROOF = 32;
    private static final int HELLO = 16 + NONCE;
    static final String OTHER_SECRET =
        "the secrets differ: the file of brigade.aggregation.secret on the ranks must equal that of the aggregators'"
            + " --secret; copy that file";
    private static final SecureRandom RANDOM = new SecureRandom();

    /** The other end is no aggregator or member, or does not have the secret. */
    public static final class Refused extends Exception {
        private static final long serialVersionUID = 1;

        Refused(String why) {
            super(why);
        }
    }

    private final byte[] secret;
    private final boolean server;
    private final byte[] own = new byte[NONCE];
    /** Why the other end is refused, once it has been sent our version; else null. */
    private String strange;
    /** Null until the other end has sent its nonce. */
    private byte[] theirs;
    private int awaits = HELLO;

    private AggregatorHandshake(byte[] secret, boolean server) {
        this.secret = secret;
        this.server = server;
        RANDOM.nextBytes(own);
    }

    public static AggregatorHandshake ofClient(byte[] secret) {
        return new AggregatorHandshake(secret, false);
    }

    public static AggregatorHandshake ofServer(byte[] secret) {
        return new AggregatorHandshake(secret, true);
    }

    /** The client's first message; a server waits. */
    public byte[] first() {
        return server ? new byte[0] : hello();
    }

    private byte[] hello() {
        return ByteBuffer.allocate(HELLO).putLong(MAGIC).putInt(FrameChannel.VERSION).putInt(order()).put(own).array();
    }

    private static int order() {
        return ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? 1 : 2;
    }

    /** Bytes of the next message; 0: the handshake is done. */
    public int awaits() {
        return awaits;
    }

    /** The meaning of the other end closing the connection now. */
    String closed() {
        return theirs == null
            ? server ? "it was closed before it sent anything"
                : "it was closed at once: it is no brigade aggregator, or one with too many connections (--connections)"
            : server ? "it was closed without a proof: it has given up, or has another version" : OTHER_SECRET;
    }

    /** Takes the other end's message of {@link #awaits} bytes; returns the answer, which may be empty. */
    public byte[] answer(byte[] message) throws Refused {
        if (theirs == null) {
            theirs = Arrays.copyOfRange(message, HELLO - NONCE, HELLO);
            strange = strange(ByteBuffer.wrap(message));
            if (strange != null && !(server && isOurs(message))) {
                throw new Refused(strange);
            }
            awaits = PROOF;
            return server ? hello() : proof("member"); // to another version, too, so that it can report the difference
        }
        if (strange != null) {
            throw new Refused(strange);
        }
        if (!MessageDigest.isEqual(message, proof(server ? "member" : "aggregator"))) {
            throw new Refused(OTHER_SECRET);
        }
        awaits = 0;
        return server ? proof("aggregator") : new byte[0];
    }

    private static boolean isOurs(byte[] hello) {
        return ByteBuffer.wrap(hello).getLong() == MAGIC;
    }

    /** Why this hello cannot be accepted; null if it can. */
    private static String strange(ByteBuffer hello) {
        if (hello.getLong() != MAGIC) {
            return "the other end does not speak this protocol: is it a brigade aggregator?";
        }
        int version = hello.getInt();
        if (version != FrameChannel.VERSION) {
            return FrameChannel.otherVersion(version);
        }
        return hello.getInt() == order() ? null
            : "the other end's processor has another byte order, which aggregators do not translate";
    }

    private byte[] proof(String role) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret, "HmacSHA256"));
            mac.update(role.getBytes(java.nio.charset.StandardCharsets.US_ASCII));
            mac.update(server ? theirs : own);
            mac.update(server ? own : theirs);
            return mac.doFinal();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has HmacSHA256", e);
        }
    }
}
