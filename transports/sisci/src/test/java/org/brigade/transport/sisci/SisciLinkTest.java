package org.brigade.transport.sisci;

class SisciLinkTest extends SisciLinkContract {
    SisciLinkTest() {
        super(null, null, 4 << 20);
    }
}
