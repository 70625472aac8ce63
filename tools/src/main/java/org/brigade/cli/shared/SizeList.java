package org.brigade.cli.shared;

import java.util.ArrayList;
import java.util.List;
import org.brigade.select.ByteSize;

/** Message sizes of a benchmark: {@code A:B} doubles from A up to B, {@code A,B} is a list, and both can be mixed. */
public final class SizeList {
    private SizeList() {
    }

    /** @throws IllegalArgumentException naming the wrong part, and the cure */
    public static List<Long> parse(String text) {
        List<Long> sizes = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            int colon = part.indexOf(':');
            if (colon < 0) {
                sizes.add(ByteSize.parse(part));
            } else {
                doubling(part, ByteSize.parse(part.substring(0, colon)), ByteSize.parse(part.substring(colon + 1)),
                    sizes);
            }
        }
        return sizes;
    }

    private static void doubling(String part, long from, long to, List<Long> sizes) {
        if (from < 1 || from > to) {
            throw new IllegalArgumentException(
                "'" + part + "' is no range of sizes; write two sizes of 1 or more, the smaller first, as in 8:64M");
        }
        for (long size = from; size <= to && size > 0; size *= 2) {
            sizes.add(size);
        }
    }

    /** The sizes as a list without suffixes, for programs that know none. */
    public static String plain(List<Long> sizes) {
        StringBuilder text = new StringBuilder();
        for (long size : sizes) {
            text.append(text.isEmpty() ? "" : ",").append(size);
        }
        return text.toString();
    }
}
