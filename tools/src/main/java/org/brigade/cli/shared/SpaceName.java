package org.brigade.cli.shared;

import java.util.Iterator;
import java.util.List;

/** What a shell completes after {@code --space}. */
public final class SpaceName implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
        return List.of("host", "device").iterator();
    }
}
