package org.brigade.topology.drawing;

import java.util.ArrayList;
import java.util.List;
import org.brigade.picture.Svg;
import org.brigade.topology.model.Component;
import org.brigade.topology.model.ComponentKind;
import org.brigade.topology.model.LinkKind;
import org.brigade.topology.model.TopologyLink;

/**
 * A component as a rectangle that contains those below it: adapters in rows above, GPUs and switches in one row below
 * them, so that nothing separates a GPU from the lower edge, where its NVLinks leave.
 */
final class Box {
    static final double GAP = 10;
    static final double STUB = 18;
    private static final double LEAF_WIDTH = 104;
    private static final double LINE = 12;
    private static final double HEADER = 20;
    /** Sizes of letters: of the name, which is bold, of the lines, and of a link's rate. */
    static final double NAME = 12;
    static final double WORDS = 10;
    static final double RATE = 9;
    static final double INDENT = 7;

    final Component component;
    /** The link to the surrounding box, null for the outermost. */
    final TopologyLink up;
    final List<String> lines = new ArrayList<>();
    final List<Box> below = new ArrayList<>();
    /** Rows of {@link #below}, top first; known after {@link #measure}. */
    final List<List<Box>> rows = new ArrayList<>();
    double width;
    double height;
    double x;
    double y;

    Box(Component component, TopologyLink up) {
        this.component = component;
        this.up = up;
    }

    double headerHeight() {
        return HEADER + LINE * lines.size() + 2;
    }

    /** How wide the box must be for its name, its lines, and the rate of the link above it. */
    private double wordsWidth() {
        double words = Svg.widthOf(component.name(), NAME);
        for (String line : lines) {
            words = Math.max(words, Svg.widthOf(line, WORDS));
        }
        return Math.ceil(Math.max(words + 2 * INDENT, up == null ? 0 : Svg.widthOf(upLabel(), RATE) + INDENT));
    }

    /** What stands at the link to the surrounding box. */
    String upLabel() {
        String kind = up.kind() == LinkKind.PCI ? "" : RateLabel.kind(up.kind()) + " ";
        return kind + RateLabel.of(up, up.other(component.id()));
    }

    /** Chooses rows and sizes, from the inside out. */
    void measure() {
        if (below.isEmpty()) {
            width = Math.max(LEAF_WIDTH, wordsWidth());
            height = headerHeight() + 4;
            return;
        }
        List<Box> adapters = new ArrayList<>();
        List<Box> bottom = new ArrayList<>();
        for (Box box : below) {
            box.measure();
            boolean leaf = box.below.isEmpty()
                && (box.component.kind() == ComponentKind.NIC || box.component.kind() == ComponentKind.NTB);
            (leaf ? adapters : bottom).add(box);
        }
        int columns = Math.max(2, bottom.size());
        for (int first = 0; first < adapters.size(); first += columns) {
            rows.add(adapters.subList(first, Math.min(adapters.size(), first + columns)));
        }
        if (!bottom.isEmpty()) {
            rows.add(bottom);
        }
        width = Math.max(LEAF_WIDTH + 2 * GAP, wordsWidth());
        height = headerHeight();
        for (List<Box> row : rows) {
            double rowWidth = GAP;
            double rowHeight = 0;
            for (Box box : row) {
                rowWidth += box.width + GAP;
                rowHeight = Math.max(rowHeight, box.height);
            }
            width = Math.max(width, rowWidth + GAP);
            height += STUB + rowHeight;
        }
        height += GAP;
    }

    /** Sets the positions of all boxes. */
    void place(double left, double top) {
        x = left;
        y = top;
        double rowTop = top + headerHeight();
        for (List<Box> row : rows) {
            double boxLeft = left + 2 * GAP;
            double rowHeight = 0;
            for (Box box : row) {
                box.place(boxLeft, rowTop + STUB);
                boxLeft += box.width + GAP;
                rowHeight = Math.max(rowHeight, box.height);
            }
            rowTop += STUB + rowHeight;
        }
    }

    double middle() {
        return x + width / 2;
    }

    double bottom() {
        return y + height;
    }
}
