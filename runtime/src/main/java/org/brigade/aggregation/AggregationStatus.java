package org.brigade.aggregation;

/** Why a reducing network failed: libsharp_coll's codes, its names without the prefix, and the cure. */
public enum AggregationStatus {
    SUCCESS("done"),
    ERROR("it failed without saying why; its log says more"),
    ENOT_SUPP("it does not support this"),
    ENOMEM("it is out of memory; give it more, or use fewer groups"),
    EGROUP_ALLOC("it cannot make another group; free communicators, or let it serve more"),
    ECONN_TREE("the aggregation tree cannot be reached, or was lost"),
    EGROUP_JOIN("this node cannot join the group"),
    EQUOTA("its quota is spent; raise it, or use fewer communicators at once"),
    ESESS_INIT("no session with the aggregation manager; is it running?"),
    EDEV("there is no such device"),
    EINVAL("it rejected the arguments"),
    EJOB_CREATE("the aggregation manager made no job; ask whoever runs it"),
    ETREE_INFO("no information about the aggregation tree"),
    ENOTREE("there is no aggregation tree; ask whoever runs the network"),
    EGROUP_ID("there is no such group"),
    EOOB("the exchange between the nodes failed"),
    EGROUP_MCAST("its multicast failed"),
    EGROUP_TRIM("its tree could not be trimmed"),
    ELOCK_FAILED("another group holds the tree's lock; try again"),
    ELOCK_DENIED("the tree's lock was denied"),
    ENO_RESOURCE("its slots or memory are all in use");

    /** What the status means, and the cure. */
    public final String words;

    AggregationStatus(String words) {
        this.words = words;
    }

    /** The code as the library returns it: 0 or negative. */
    public int code() {
        return -ordinal();
    }

    /** The status of a code; ERROR if the code is unknown. */
    public static AggregationStatus of(int code) {
        AggregationStatus[] all = values();
        return code <= 0 && code > -all.length ? all[-code] : ERROR;
    }
}
