package org.brigade.matching;

/** A message that came before its receive: its bytes if it is eager, else the sender's request. */
final class Unexpected {
    /** In place of a sender's number: the first kind of notices, which go to no queue; the next have lower numbers. */
    static final long NOTICE = -2;

    final int world;
    final long key;
    final long bytes;
    /** The sender's number for it; -1 for an eager message. */
    final long request;
    /** The bytes of an eager message. */
    final byte[] data;
    long arrived;
    /** The receive that took it before all of it had arrived. */
    RecvOperation claimed;
    Unexpected next;

    Unexpected(int world, long key, long bytes, long request) {
        this.world = world;
        this.key = key;
        this.bytes = bytes;
        this.request = request;
        this.data = request < 0 ? new byte[(int) bytes] : null;
    }
}
