package org.brigade.matching;

/** The receives without a matching message so far, in the order of their posting: MPI's posted queue. */
final class PostedReceives {
    private RecvOperation first;
    private RecvOperation last;

    boolean isEmpty() {
        return first == null;
    }

    void append(RecvOperation operation) {
        if (first == null) {
            first = operation;
        } else {
            last.next = operation;
        }
        last = operation;
    }

    /** Whether a message would match one. */
    boolean match(int world, long key) {
        for (RecvOperation operation = first; operation != null; operation = operation.next) {
            if (operation.matches(world, key)) {
                return true;
            }
        }
        return false;
    }

    /** Whether a communicator has any. */
    boolean has(int context) {
        for (RecvOperation operation = first; operation != null; operation = operation.next) {
            if (operation.context == context) {
                return true;
            }
        }
        return false;
    }

    /** Removes the first receive that a message matches; null if there is none. */
    RecvOperation take(int world, long key) {
        RecvOperation before = null;
        for (RecvOperation operation = first; operation != null; operation = operation.next) {
            if (operation.matches(world, key)) {
                unlink(operation, before);
                return operation;
            }
            before = operation;
        }
        return null;
    }

    /** The first of them; null if there is none. */
    RecvOperation first() {
        return first;
    }

    /** Removes this receive; false if it is not here. */
    boolean remove(RecvOperation wanted) {
        RecvOperation before = null;
        for (RecvOperation operation = first; operation != null; operation = operation.next) {
            if (operation == wanted) {
                unlink(operation, before);
                return true;
            }
            before = operation;
        }
        return false;
    }

    private void unlink(RecvOperation operation, RecvOperation before) {
        if (before == null) {
            first = operation.next;
        } else {
            before.next = operation.next;
        }
        if (last == operation) {
            last = before;
        }
    }
}
