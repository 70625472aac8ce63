package org.brigade.bootstrap.secret;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.function.IntFunction;
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
 *   client  HMAC(secret, client's role, nonces) 32
 *   server  HMAC(secret, server's role, nonces) 32
 * </pre>
 */
public final class Handshake {
    private static final int NONCE = 16;
    private static final int PROOF = 32;
    private static final int HELLO = 16 + NONCE;
    private static final SecureRandom RANDOM = new SecureRandom();

    /**
     * What the two ends speak afterwards.
     *
     * @param magic first word of each connection
     * @param version of all that is spoken; ends of two versions part
     * @param client the client's role, and {@code server} the server's: part of their proofs
     */
    public record Protocol(long magic, int version, String client, String server, Words words) {
    }

    /**
     * What is wrong, each with the cure.
     *
     * @param closed the server has closed the connection before a word
     * @param stranger the other end does not know the magic
     * @param otherVersion the other end has this version
     * @param otherOrder the other end has another byte order
     * @param otherSecret the secrets differ
     */
    public record Words(String closed, String stranger, IntFunction<String> otherVersion, String otherOrder,
        String otherSecret) {
    }

    /** The other end does not speak the protocol, or does not have the secret. */
    public static final class Refused extends Exception {
        private static final long serialVersionUID = 1;

        Refused(String why) {
            super(why);
        }
    }

    private final Protocol protocol;
    private final byte[] secret;
    private final boolean server;
    private final byte[] own = new byte[NONCE];
    /** Why the other end is refused, once it has been sent our version; else null. */
    private String strange;
    /** Null until the other end has sent its nonce. */
    private byte[] theirs;
    private int awaits = HELLO;

    private Handshake(Protocol protocol, byte[] secret, boolean server) {
        this.protocol = protocol;
        this.secret = secret;
        this.server = server;
        RANDOM.nextBytes(own);
    }

    public static Handshake ofClient(Protocol protocol, byte[] secret) {
        return new Handshake(protocol, secret, false);
    }

    public static Handshake ofServer(Protocol protocol, byte[] secret) {
        return new Handshake(protocol, secret, true);
    }

    /** The client's first message; a server waits. */
    public byte[] first() {
        return server ? new byte[0] : hello();
    }

    private byte[] hello() {
        return ByteBuffer.allocate(HELLO).putLong(protocol.magic).putInt(protocol.version).putInt(order()).put(own)
            .array();
    }

    private static int order() {
        return ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? 1 : 2;
    }

    /** Bytes of the next message; 0: the handshake is done. */
    public int awaits() {
        return awaits;
    }

    /** The meaning of the other end closing the connection now. */
    public String closed() {
        return theirs == null
            ? server ? "it was closed before it sent anything" : protocol.words.closed
            : server ? "it was closed without a proof: it has given up, or has another version"
                : protocol.words.otherSecret;
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
            return server ? hello() : proof(protocol.client); // to another version, too, so that it can report the
                                                              // difference
        }
        if (strange != null) {
            throw new Refused(strange);
        }
        if (!MessageDigest.isEqual(message, proof(server ? protocol.client : protocol.server))) {
            throw new Refused(protocol.words.otherSecret);
        }
        awaits = 0;
        return server ? proof(protocol.server) : new byte[0];
    }

    private boolean isOurs(byte[] hello) {
        return ByteBuffer.wrap(hello).getLong() == protocol.magic;
    }

    /** Why this hello cannot be accepted; null if it can. */
    private String strange(ByteBuffer hello) {
        if (hello.getLong() != protocol.magic) {
            return protocol.words.stranger;
        }
        int version = hello.getInt();
        if (version != protocol.version) {
            return protocol.words.otherVersion.apply(version);
        }
        return hello.getInt() == order() ? null : protocol.words.otherOrder;
    }

    private byte[] proof(String role) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret, "HmacSHA256"));
            mac.update(role.getBytes(StandardCharsets.US_ASCII));
            mac.update(server ? theirs : own);
            mac.update(server ? own : theirs);
            return mac.doFinal();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has HmacSHA256", e);
        }
    }
}
