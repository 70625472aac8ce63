package org.brigade.engine;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import mpi.ErrorClass;
import mpi.MPIException;

/** Calls that have failed on another rank and have not ended here, or have not begun, with what that rank has said. */
final class FailedCalls {
    /** Words about calls that had ended here when they came are never asked for: the oldest go. */
    private static final int MOST = 1024;

    private record Word(String call, int rank, int errorClass, String cause) {
    }

    private final Map<Long, Word> words = new LinkedHashMap<>();

    /** What goes to the others: error class, rank, call and cause, in lines. */
    static byte[] notice(String call, int rank, MPIException error) {
        return (error.getErrorClass() + "\n" + rank + "\n" + call + "\n" + error.getMessage())
            .getBytes(StandardCharsets.UTF_8);
    }

    void add(long key, byte[] notice) {
        String[] lines = new String(notice, StandardCharsets.UTF_8).split("\n", 4);
        words.put(key, new Word(lines[2], Integer.parseInt(lines[1]), Integer.parseInt(lines[0]), lines[3]));
        if (words.size() > MOST) {
            words.remove(words.keySet().iterator().next());
        }
    }

    boolean isEmpty() {
        return words.isEmpty();
    }

    /** The error of a call that has failed elsewhere, once; null if it has not. */
    MPIException take(long key, Membership party) {
        Word word = words.remove(key);
        return word == null ? null : party.failedAt(word.rank, word.call, errorClass(word.errorClass), word.cause);
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
