package org.brigade.topology.machine;

import org.brigade.topology.model.Distance;

/**
 * A path within a node.
 *
 * @param components the ids of the components on it, from the first to the last
 * @param links the ids of the links between them: one fewer
 * @param distance the farthest kind of link that it passes
 */
public record NodePath(int[] components, int[] links, Distance distance) {
    NodePath reversed() {
        int[] back = new int[components.length];
        int[] backLinks = new int[links.length];
        for (int i = 0; i < back.length; i++) {
            back[i] = components[components.length - 1 - i];
        }
        for (int i = 0; i < backLinks.length; i++) {
            backLinks[i] = links[links.length - 1 - i];
        }
        return new NodePath(back, backLinks, distance);
    }
}
