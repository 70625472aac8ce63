package org.brigade.matching;

/** The receives that no message has matched yet, in the order in which they were posted: MPI's posted queue. */
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

    /** Whether there is one of a communicator. */
    boolean has(int context) {
        for (RecvOperation operation = first; operation != null; operation = operation.next) {
            if (operation.context == context) {
                return true;
            }
        }
        return false;
    }

    /** Takes the first that a message matches; null if there is none. */
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

    /** Takes the first whose communicator has lost a member; null if there is none. */
    RecvOperation takeLost(String[] lost) {
        RecvOperation before = null;
        for (RecvOperation operation = first; operation != null; operation = operation.next) {
            if (operation.party().firstOf(lost) != null) {
                unlink(operation, before);
                return operation;
            }
            before = operation;
        }
        return null;
    }

    /** Takes this one out; false if it is not here. */
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
