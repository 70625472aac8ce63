package org.brigade.matching;

/** The messages that came before their receives, in their order of arrival: MPI's unexpected queue. */
final class UnexpectedMessages {
    private Unexpected first;
    private Unexpected last;

    boolean isEmpty() {
        return first == null;
    }

    Unexpected append(Unexpected message) {
        if (first == null) {
            first = message;
        } else {
            last.next = message;
        }
        last = message;
        return message;
    }

    /** Whether there is one with this sender and key. */
    boolean has(int world, long key) {
        for (Unexpected message = first; message != null; message = message.next) {
            if (message.world == world && message.key == key) {
                return true;
            }
        }
        return false;
    }

    /** The first message that a receive matches, or null. */
    Unexpected find(RecvOperation operation) {
        for (Unexpected message = first; message != null; message = message.next) {
            if (operation.matches(message.world, message.key)) {
                return message;
            }
        }
        return null;
    }

    /** The first of them, or null. */
    Unexpected first() {
        return first;
    }

    /** Removes the one that {@link #find} returns; null if there is none. */
    Unexpected take(RecvOperation operation) {
        Unexpected found = find(operation);
        if (found != null) {
            remove(found);
        }
        return found;
    }

    /** Removes one of them. */
    void remove(Unexpected gone) {
        Unexpected before = null;
        for (Unexpected message = first; message != gone; message = message.next) {
            before = message;
        }
        if (before == null) {
            first = gone.next;
        } else {
            before.next = gone.next;
        }
        if (last == gone) {
            last = before;
        }
    }
}
