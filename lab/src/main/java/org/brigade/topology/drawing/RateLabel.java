package org.brigade.topology.drawing;

import java.util.Locale;
import org.brigade.topology.model.LinkKind;
import org.brigade.topology.model.TopologyLink;

/** Links in words. */
final class RateLabel {
    private static final double NO_LIMIT = 1e12;

    private RateLabel() {
    }

    /** {@code 48 GB/s}, {@code 12 / 6 GB/s} if the directions differ, {@code from}'s first; "" if there is no limit. */
    static String of(TopologyLink link, int from) {
        double there = link.rateFrom(from);
        double back = link.rateFrom(link.other(from));
        if (there >= NO_LIMIT && back >= NO_LIMIT) {
            return "";
        }
        return gigabytes(there) + (there == back ? "" : " / " + gigabytes(back)) + " GB/s"
            + (link.halfDuplex() ? " shared" : "");
    }

    /** Three digits: {@code 371}, {@code 20.6}, {@code 0.75}. */
    static String gigabytes(double rate) {
        double value = rate / 1e9;
        String text = String.format(Locale.ROOT, value >= 99.95 ? "%.0f" : value >= 9.995 ? "%.1f" : "%.2f", value);
        if (text.indexOf('.') >= 0) {
            int end = text.length();
            while (text.charAt(end - 1) == '0') {
                end--;
            }
            text = text.substring(0, text.charAt(end - 1) == '.' ? end - 1 : end);
        }
        return text;
    }

    static String kind(LinkKind kind) {
        return switch (kind) {
            case PCI -> "PCIe";
            case NVLINK -> "NVLink";
            case C2C -> "C2C";
            default -> kind.word();
        };
    }
}
