package org.brigade.transport.sisci;

import org.brigade.transport.sisci.adapter.InboxDescriptor;

/**
 * Stores arrive late and in any order, constants have other values, and every seventh check says that stores are lost.
 */
class WeakSisciLinkTest extends SisciLinkContract {
    WeakSisciLinkTest() {
        super("weak=7,shifted", "sequence=retriable@7", InboxDescriptor.SMALLEST_RING);
    }
}
