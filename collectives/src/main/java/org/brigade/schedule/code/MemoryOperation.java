package org.brigade.schedule.code;

/**
 * One operation of straight-line code, as a rank does it.
 *
 * @param peer the rank that is waited for, or that a message goes to or comes from; of bytes that others have written
 * last, one that has; -1: none
 * @param number of a word that a rank publishes: how many it has published before in this call. Of one that is awaited:
 * the same number, at the peer. Else 0
 * @param bytes that are moved, or of the result of a reduction
 * @param fetched bytes of the operands that other ranks have written last
 * @param stored bytes of the target that other ranks read
 * @param target null, as the next two, unless the operation copies or reduces
 * @param operand null if there is no reduction
 */
public record MemoryOperation(Kind kind, int peer, int number, long bytes, long fetched, long stored, Stretch target,
    Stretch operand, Stretch source) {
    /** What a rank does. */
    public enum Kind {
        PUBLISH, AWAIT, COPY, REDUCE,
        /** Copies from another rank's own memory, by a call of the kernel. */
        READ, SEND, RECEIVE, RECEIVE_REDUCE
    }

    /**
     * Memory of an operation.
     *
     * @param name of a buffer; of a word, what it tells
     * @param at the first byte; of a word, its value
     */
    public record Stretch(String name, long at) {
        private String text(long bytes) {
            return name + "[" + at + ".." + (at + bytes) + "]";
        }
    }

    /** A word that is published, or awaited. */
    public static MemoryOperation word(Kind kind, int peer, int number, Stretch word) {
        return new MemoryOperation(kind, peer, number, 0, 0, 0, word, null, null);
    }

    /** A message, or the receipt of one. */
    public static MemoryOperation message(Kind kind, int peer, long bytes) {
        return new MemoryOperation(kind, peer, 0, bytes, 0, 0, null, null, null);
    }

    /** The operation in words. */
    @Override
    public String toString() {
        return switch (kind) {
            case PUBLISH -> "publish " + word();
            case AWAIT -> "await " + word() + " of rank " + peer;
            case COPY, READ -> target.text(bytes) + " = " + source.text(bytes);
            case REDUCE -> target.text(bytes) + " = " + operand.text(bytes) + " op " + source.text(bytes);
            case SEND -> "send " + bytes + " bytes to " + peer;
            case RECEIVE -> "receive " + bytes + " bytes from " + peer;
            case RECEIVE_REDUCE -> "receive " + bytes + " bytes from " + peer + " and reduce";
        };
    }

    private String word() {
        return target.at < 0 ? target.name : target.name + " " + target.at;
    }
}
