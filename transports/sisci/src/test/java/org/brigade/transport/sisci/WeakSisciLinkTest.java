package org.brigade.transport.sisci;

import org.brigade.transport.sisci.adapter.InboxDescriptor;
import org.junit.jupiter.api.Tag;

/**
 * Stores arrive late and in any order, constants have other values, and every seventh check says that stores are lost.
 */
@Tag("once")
class WeakSisciLinkTest extends SisciLinkContract {
    WeakSisciLinkTest() {
        super("weak=7,shifted", "sequence=retriable@7", InboxDescriptor.SMALLEST_RING);
    }
}
