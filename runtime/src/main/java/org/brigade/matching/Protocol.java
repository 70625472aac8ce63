package org.brigade.matching;

import org.brigade.setting.Setting;

/**
 * The kinds of messages on the point-to-point lane.
 *
 * <pre>
 * kind     key                      content
 * EAGER    context | tag            the user's message
 * REQUEST  context | tag            two words: length, the sender's number for it       (rendezvous: may I send?)
 * GRANT    the sender's number      two words: the receiver's number, 0                 (yes)
 * DATA     the receiver's number    the user's message
 * CREDIT   0                        two words: bytes of eager messages received by the user since the last one, 0
 * NOTICE   a collective call's      that it has failed at the sender, and why: on this lane, as messages of the other
 *                                   lane wait until they are wanted
 * REVOKED, AGREEMENT                notices, too: see org.brigade.failure
 * </pre>
 *
 * EAGER, REQUEST and DATA say in the upper bits of their kind what a probe counts: {@link mpi.spi.TypeLayout#unit}. The
 * number of objects is in the upper half of the second word of a REQUEST, and the first word of an EAGER message.
 *
 * Messages up to {@link #EAGER_BYTES} are eager while the receiver has memory: a sender may have {@link #EAGER_CREDIT}
 * bytes (headers included) in flight or unexpected at one receiver. Beyond that, and for longer or synchronous
 * messages, it asks first. So unexpected messages take at most {@code EAGER_CREDIT} bytes a sender, and a blocked
 * receive never delays another message.
 */
final class Protocol {
    static final int EAGER = 0;
    static final int REQUEST = 1;
    static final int GRANT = 2;
    static final int DATA = 3;
    static final int CREDIT = 4;
    /** The first of {@link org.brigade.engine.Progress#NOTICES} kinds. */
    static final int NOTICE = 5;

    /** The bits of a kind; what a probe counts is above them. */
    static final int KIND = 15;
    static final int UNIT_SHIFT = 4;

    static final int EAGER_BYTES = (int) Setting.number("eager");
    static final int EAGER_CREDIT = 2 << 20;
    /** What a message costs its receiver beside its bytes. */
    static final int EAGER_HEADER = 64;

    private Protocol() {
    }

    static long key(int context, int tag) {
        return (long) context << 32 | tag & 0xffffffffL;
    }

    static int context(long key) {
        return (int) (key >> 32);
    }

    static int tag(long key) {
        return (int) key;
    }
}
