package org.brigade.engine;

import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import mpi.ErrorClass;
import mpi.MPIException;
import org.brigade.waiting.CallKey;

/**
 * What has failed: calls of this rank; calls that failed on another rank but have not ended, or not begun, here, and
 * that rank's error; and revoked communicators.
 */
final class FailedCalls {
    /**
     * Notices about calls that had already ended here are never asked for: beyond this number the oldest are dropped.
     */
    private static final int MOST = 1024;

    private record Word(String call, int rank, int errorClass, String cause) {
    }

    /** By the key of the messages that never come. */
    private final Map<Long, Word> words = new LinkedHashMap<>();
    private final Set<Long> poisoned = new HashSet<>();
    /** The contexts of revoked communicators. */
    private final Set<Integer> revoked = new HashSet<>();

    /** A call has failed on this rank. */
    void poison(long key) {
        poisoned.add(key);
    }

    boolean isPoisoned(long key) {
        return poisoned.contains(key);
    }

    void revoke(int context) {
        revoked.add(context);
    }

    /** Whether a key is one of a revoked communicator's. */
    boolean isRevoked(long key) {
        return !revoked.isEmpty() && revoked.contains((int) (key >>> Integer.SIZE));
    }

    /** Whether messages with this key are thrown away. */
    boolean drops(long key) {
        return !poisoned.isEmpty() && poisoned.contains(key) || isRevoked(key);
    }

    /** The notice to other ranks: error class, rank, call and cause, one a line. */
    static byte[] notice(String call, int rank, MPIException error) {
        return (error.getErrorClass() + "\n" + rank + "\n" + call + "\n" + error.getMessage())
            .getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Notes that a call has failed on another rank. What has failed in an agreement within a call has failed the call:
     * members that have the agreement behind them hear of it there. A failure of the call itself does not end its
     * agreement, to which its rank has already told all that others wait for.
     */
    void add(long key, byte[] notice) {
        String[] lines = new String(notice, StandardCharsets.UTF_8).split("\n", 4);
        Word word = new Word(lines[2], Integer.parseInt(lines[1]), Integer.parseInt(lines[0]), lines[3]);
        words.put(key, word);
        if (CallKey.isAside(key)) {
            words.put(CallKey.otherSide(key), word);
        }
        while (words.size() > MOST) {
            words.remove(words.keySet().iterator().next());
        }
    }

    boolean isEmpty() {
        return words.isEmpty();
    }

    /** The error of a call that has failed on another rank, once; null if it has not. */
    MPIException take(long key, Membership membership) {
        Word word = words.remove(key);
        return word == null ? null : membership.failedAt(word.rank, word.call, errorClass(word.errorClass), word.cause);
    }

    private static ErrorClass errorClass(int code) {
        for (ErrorClass each : ErrorClass.values()) {
            if (each.code == code) {
                return each;
            }
        }
        return ErrorClass.OTHER;
    }
}
