package org.brigade.matching;

import org.brigade.engine.Progress;

/** The receives without a matching message so far, in the order of their posting: MPI's posted queue. */
final class PostedReceives {
    final Progress progress;
    private RecvOperation first;
    private RecvOperation last;

    PostedReceives(Progress progress) {
        this.progress = progress;
    }

    boolean isEmpty() {
        return first == null;
    }

    /** Whether there is one, and it is this. */
    boolean isOnly(Object operation) {
        return first != null && first == operation && first == last;
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
            if (operation.isIn(context)) {
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

    /** Removes this receive; false if it is not here: it has matched. */
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
