package org.brigade.waiting;

/** What one rank's call waits for. Filled anew for each wait; the reader of a record gets one of its own. */
public final class Wait {
    /** The call said nothing but its name. */
    public static final int PLAIN = 0;
    public static final int COLLECTIVE = 1;
    public static final int RECEIVE = 2;
    public static final int SEND = 3;
    /** A tag that stands for all. */
    public static final int ANY_TAG = -1;

    /** In place of a peer's rank: a process of another job. Other negative numbers are the process's id, negated. */
    public static final int STRANGER = Integer.MIN_VALUE;

    static final int MOST_PEERS = 6;

    int kind;
    String call = "";
    /** The communicator's name; empty if the call did not say. */
    String communicator = "";
    int context;
    /** Of a collective its number, else the tag. */
    long number;
    final int[] peers = new int[MOST_PEERS];
    int peerCount;
    long since;
    long seen;

    /** Begins the description of another wait. */
    public Wait begin(String its) {
        kind = PLAIN;
        call = its;
        communicator = "";
        context = 0;
        number = 0;
        peerCount = 0;
        return this;
    }

    public void on(String name) {
        communicator = name;
    }

    /** @param key of its messages, or its key aside */
    public void collective(long key) {
        kind = COLLECTIVE;
        context = (int) (key >>> 32);
        number = CallKey.number(key);
    }

    public void receive(int itsContext, int tag) {
        kind = RECEIVE;
        context = itsContext;
        number = tag;
    }

    public void send(int itsContext, int tag) {
        kind = SEND;
        context = itsContext;
        number = tag;
    }

    /** The call cannot go on without this rank of the job. The first six count. */
    public void peer(int rank) {
        for (int i = 0; i < peerCount; i++) {
            if (peers[i] == rank) {
                return;
            }
        }
        if (peerCount < MOST_PEERS) {
            peers[peerCount++] = rank;
        }
    }

    /**
     * Begins the description of a wait that goes on in another job of the process; its peers are to be added.
     *
     * @param links a number of that job's links: contexts there are not those here
     */
    public void elsewhere(Wait its, int links) {
        begin(its.call);
        kind = its.kind;
        communicator = its.communicator;
        context = its.context ^ links;
        number = its.number;
    }

    /** Whether it is a wait for one message. */
    public boolean isForMessage() {
        return kind == RECEIVE || kind == SEND;
    }

    /** How many ranks it names. */
    public int peers() {
        return peerCount;
    }

    /** One of them. */
    public int peerAt(int index) {
        return peers[index];
    }

    /** Whether it may be a process of another job that it waits for. */
    boolean awaitsStrangers() {
        for (int i = 0; i < peerCount; i++) {
            if (peers[i] < 0) {
                return true;
            }
        }
        return false;
    }

    boolean awaits(int rank) {
        for (int i = 0; i < peerCount; i++) {
            if (peers[i] == rank) {
                return true;
            }
        }
        return false;
    }

    /** As in {@code allreduce number 18 of grid}; the first call is number 1. */
    String words() {
        String where = communicator.isEmpty() ? "" : " of " + communicator;
        if (kind == COLLECTIVE) {
            return call + " number " + (number + 1) + where;
        }
        return kind == PLAIN ? call + where
            : call + (number == ANY_TAG ? " with any tag" : " with tag " + number) + where;
    }
}
