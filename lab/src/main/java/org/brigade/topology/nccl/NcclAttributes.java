package org.brigade.topology.nccl;

import org.brigade.topology.CpuSet;
import org.brigade.topology.TopologyException;
import org.brigade.topology.xml.XmlNode;

/** One element's attributes as numbers and words, with errors that say where the element stands. */
record NcclAttributes(String source, XmlNode element) {
    TopologyException wrong(String what) {
        return new TopologyException(place() + ": " + what);
    }

    String place() {
        return element.line() > 0 ? source + " line " + element.line() : source;
    }

    boolean has(String key) {
        return element.attribute(key) != null;
    }

    /** The text, or an error. */
    String text(String key) {
        String value = element.attribute(key);
        if (value == null) {
            throw wrong(
                "<" + element.name() + "> has no " + key + ", which NCCL requires, too; add one");
        }
        return value;
    }

    String text(String key, String other) {
        String value = element.attribute(key);
        return value == null ? other : value;
    }

    int integer(String key) {
        return number(key, text(key));
    }

    int integer(String key, int other) {
        String value = element.attribute(key);
        return value == null || value.isBlank() ? other : number(key, value);
    }

    /** Decimal, or hexadecimal after 0x, as C's strtol reads them; what strtol would read as 0 is an error. */
    private int number(String key, String value) {
        try {
            return Integer.decode(value.trim());
        } catch (NumberFormatException e) {
            throw wrong(key + "=\"" + shortened(value) + "\" of <" + element.name() + "> is no number; correct it");
        }
    }

    /** An integer from {@code least} up. */
    int integerFrom(String key, int least) {
        int value = integer(key);
        if (value < least) {
            throw wrong(key + "=\"" + value + "\" of <" + element.name() + "> must be at least " + least
                + "; correct it");
        }
        return value;
    }

    CpuSet processors(String key) {
        String value = element.attribute(key);
        try {
            return value == null || value.isBlank() ? CpuSet.EMPTY : CpuSet.parseMap(value);
        } catch (IllegalArgumentException e) {
            throw wrong(key + " of <" + element.name() + ">: " + e.getMessage()
                + "; give the kernel's cpumap, or leave it out");
        }
    }

    /** {@code 0000:1b:00.0} in lower case. */
    String busId(String key) {
        String value = text(key).trim();
        if (!isBusId(value)) {
            throw wrong(key + "=\"" + shortened(value) + "\" of <" + element.name()
                + "> is no PCI address; write it as 0000:1b:00.0");
        }
        return value.toLowerCase(java.util.Locale.ROOT);
    }

    private static boolean isBusId(String text) {
        int colon = text.indexOf(':');
        int second = text.indexOf(':', colon + 1);
        int point = text.indexOf('.', second + 1);
        return colon > 0 && second > colon && point > second && hex(text, 0, colon, 8)
            && hex(text, colon + 1, second, 2) && hex(text, second + 1, point, 2)
            && hex(text, point + 1, text.length(), 2);
    }

    private static boolean hex(String text, int from, int to, int most) {
        if (to <= from || to - from > most) {
            return false;
        }
        for (int i = from; i < to; i++) {
            if (Character.digit(text.charAt(i), 16) < 0) {
                return false;
            }
        }
        return true;
    }

    private static String shortened(String value) {
        return value.length() > 40 ? value.substring(0, 40) + "..." : value;
    }
}
