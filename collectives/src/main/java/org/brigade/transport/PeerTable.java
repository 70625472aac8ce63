package org.brigade.transport;

/**
 * What a rank keeps of each of many peers, of which it mostly has to do with few: a page for 64 of them is made when
 * the first of these is put. Empty, it takes 6 KiB for 100,000 peers; looking a peer up is two loads. Whoever shares it
 * sees to the locking.
 */
public final class PeerTable<T> {
    private static final int PAGE_SHIFT = 6;
    private static final int PAGE = 1 << PAGE_SHIFT;

    private final Object[][] pages;

    /** @param peers numbered from 0 */
    public PeerTable(int peers) {
        pages = new Object[(peers + PAGE - 1) >>> PAGE_SHIFT][];
    }

    /** Null if nothing has been put there. */
    @SuppressWarnings("unchecked")
    public T get(int peer) {
        Object[] page = pages[peer >>> PAGE_SHIFT];
        return page == null ? null : (T) page[peer & PAGE - 1];
    }

    /** Null takes away what is there. */
    public void put(int peer, T value) {
        Object[] page = pages[peer >>> PAGE_SHIFT];
        if (page == null) {
            if (value == null) {
                return;
            }
            page = new Object[PAGE];
            pages[peer >>> PAGE_SHIFT] = page;
        }
        page[peer & PAGE - 1] = value;
    }
}
