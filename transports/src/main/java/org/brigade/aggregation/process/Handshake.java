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
 * How both ends of a connection prove that they have the secret, before anything else is read or any memory given: HMAC-SHA256 over both nonces, so that no proof serves twice and neither end can send the
 * other's back. It says who is there when a connection begins; it does not protect what follows from whoever can change packets on the way.
 *
 * <pre>
 *   client  magic 8 | version 4 | byte order 4 | nonce 16
 *   server  nonce 16 | HMAC(secret, "aggregator" nonces) 32
 *   client  HMAC(secret, "member" nonces) 32
 * </pre>
 */
final class Handshake {
    /** Fewer bytes of secret can be guessed. */
    static final int LEAST_SECRET = 16;

    private static final long MAGIC = 0x42524947_41474752L;
    private static final int VERSION = 1;
    private static final int NONCE = 16;
    private static final int PROOF = 32;
    private static final int HELLO = 16 + NONCE;
    private static final SecureRandom RANDOM = new SecureRandom();

    /** The other end is not one of ours, or does not have the secret. */
    static final class Refused extends Exception {
        private static final long serialVersionUID = 1;

        Refused(String why) {
            super(why);
        }
    }

    private final byte[] secret;
    private final boolean server;
    private final byte[] own = new byte[NONCE];
    private byte[] clients;
    private byte[] servers;
    private int awaits;

    private Handshake(byte[] secret, boolean server) {
        this.secret = secret;
        this.server = server;
        RANDOM.nextBytes(own);
        awaits = server ? HELLO : NONCE + PROOF;
    }

    static Handshake ofClient(byte[] secret) {
        return new Handshake(secret, false);
    }

    static Handshake ofServer(byte[] secret) {
        return new Handshake(secret, true);
    }

    /** What a client sends first; a server waits. */
    byte[] first() {
        clients = own;
        return server ? new byte[0] : ByteBuffer.allocate(HELLO).putLong(MAGIC).putInt(VERSION).putInt(order()).put(own).array();
    }

    private static int order() {
        return ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? 1 : 2;
    }

    /** Bytes of the message that must come next; 0: done. */
    int awaits() {
        return awaits;
    }

    /** Takes the other end's message of {@link #awaits} bytes; what to answer, which may be nothing. */
    byte[] answer(byte[] message) throws Refused {
        if (!server) {
            servers = Arrays.copyOf(message, NONCE);
            require(Arrays.copyOfRange(message, NONCE, NONCE + PROOF), "aggregator");
            awaits = 0;
            return proof("member");
        }
        if (clients == null || clients == own) {
            ByteBuffer hello = ByteBuffer.wrap(message);
            if (hello.getLong() != MAGIC) {
                throw new Refused("the peer does not speak this protocol");
            }
            int version = hello.getInt();
            if (version != VERSION || hello.getInt() != order()) {
                throw new Refused("the peer speaks version " + version + " of the protocol, or has another byte order, and this end speaks version " + VERSION);
            }
            clients = new byte[NONCE];
            hello.get(clients);
            servers = own;
            awaits = PROOF;
            return ByteBuffer.allocate(NONCE + PROOF).put(own).put(proof("aggregator")).array();
        }
        require(message, "member");
        awaits = 0;
        return new byte[0];
    }

    private void require(byte[] theirs, String role) throws Refused {
        if (!MessageDigest.isEqual(theirs, proof(role))) {
            throw new Refused("the peer does not have the same secret");
        }
    }

    private byte[] proof(String role) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret, "HmacSHA256"));
            mac.update(role.getBytes(java.nio.charset.StandardCharsets.US_ASCII));
            mac.update(clients);
            mac.update(servers);
            return mac.doFinal();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has HmacSHA256", e);
        }
    }
}
