package org.brigade.transport;

/**
 * A sparse table by peer, for jobs where a rank uses few of many peers. It makes a page for 64 peers when the first of
 * them is put. Empty, it takes 6 KiB for 100,000 peers; a look-up is two loads. Threads that share it must lock it
 * themselves.
 */
public final class PeerTable<T> {
    private static final int PAGE_SHIFT = 6;
    private static final int PAGE = 1 << PAGE_SHIFT;

    private final Object[][] pages;

    /** @param peers how many there are, numbered from 0 */
    public PeerTable(int peers) {
        pages = new Object[(peers + PAGE - 1) >>> PAGE_SHIFT][];
    }

    /** Null if nothing has been put there. */
    @SuppressWarnings("unchecked")
    public T get(int peer) {
        Object[] page = pages[peer >>> PAGE_SHIFT];
        return page == null ? null : (T) page[peer & PAGE - 1];
    }

    /** A null value removes the entry. */
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
