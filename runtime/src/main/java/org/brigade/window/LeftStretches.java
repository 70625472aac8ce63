package org.brigade.window;

import java.util.ArrayDeque;

/**
 * Stretches that this rank has reserved for windows that have ended here. Other ranks may still look at their control
 * blocks, so a stretch serves another window only when all its ranks have left it.
 */
final class LeftStretches {
    private final ArrayDeque<NodeStretch> left = new ArrayDeque<>();

    synchronized void add(NodeStretch stretch) {
        left.add(stretch);
    }

    /** Ends the stretches that nobody looks at any more. */
    synchronized void endUnused() {
        if (!left.isEmpty()) {
            left.removeIf(NodeStretch::endsUnused);
        }
    }
}
