package org.brigade.transport.sisci.adapter;

/** The error of a function of libsisci, in SISCI's own words, and its cure. */
public final class SisciException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private static final int MASK = 0x40000000;
    /**
     * Codes without the mask, name, cure. The numbers are those of the public header; the library's own text describes
     * the others.
     */
    private static final Object[][] CODES = {
        {0x900, "BUSY", "something still uses it"},
        {0x901, "FLAG_NOT_IMPLEMENTED", "the installed driver is too old"},
        {0x902, "ILLEGAL_FLAG", "the installed driver is too old"},
        {0x904, "NOSPC", "free memory on that node, or ask for less (brigade.sisci.ring)"},
        {0x905, "API_NOSPC", "free memory on that node"},
        {0x906, "HW_NOSPC",
            "the adapter's windows are used up, or it cannot reach this memory: enlarge the windows in the driver's"
                + " settings, or start fewer ranks"},
        {0x907, "NOT_IMPLEMENTED", "the installed driver is too old"},
        {0x908, "ILLEGAL_ADAPTERNO", "set brigade.sisci.adapter to an adapter that is there"},
        {0x909, "NO_SUCH_ADAPTERNO",
            "set brigade.sisci.adapter to an adapter that is there, and look whether its driver runs (dis_diag)"},
        {0x90a, "TIMEOUT", "look whether the peer still runs"},
        {0x90b, "OUT_OF_RANGE", "run the same version of Brigade on all nodes"},
        {0x90c, "NO_SUCH_SEGMENT", "look whether the peer still runs"},
        {0x90d, "ILLEGAL_NODEID", "look at the fabric's configuration (dis_diag)"},
        {0x90e, "CONNECTION_REFUSED", "look whether the peer still runs"},
        {0x90f, "SEGMENT_NOT_CONNECTED", "look whether the peer still runs"},
        {0x910, "SIZE_ALIGNMENT", "report this with the output of brigade info"},
        {0x911, "OFFSET_ALIGNMENT", "report this with the output of brigade info"},
        {0x912, "ILLEGAL_PARAMETER", "report this with the output of brigade info"},
        {0x913, "MAX_ENTRIES", "report this with the output of brigade info"},
        {0x914, "SEGMENT_NOT_PREPARED", "report this with the output of brigade info"},
        {0x915, "ILLEGAL_ADDRESS", "the adapter cannot reach this memory: look whether the IOMMU is on"},
        {0x916, "ILLEGAL_OPERATION", "report this with the output of brigade info"},
        {0x917, "ILLEGAL_QUERY", "the installed driver is too old"},
        {0x918, "SEGMENTID_USED", "another process has this segment id"},
        {0x919, "SYSTEM", "look at the driver's messages (dmesg)"},
        {0x91a, "CANCELLED", "report this with the output of brigade info"},
        {0x91b, "NOT_CONNECTED", "look at the cable (dis_diag)"},
        {0x91c, "NOT_AVAILABLE", "look whether the driver runs"},
        {0x91d, "INCONSISTENT_VERSIONS", "install driver and library of one release"},
        {0x91f, "OVERFLOW", "report this with the output of brigade info"},
        {0x920, "NOT_INITIALIZED", "look whether the driver runs"},
        {0x921, "ACCESS", "give this user access to the adapter's devices (/dev/dis*)"},
        {0xa00, "NO_SUCH_NODEID", "look at the fabric's configuration (dis_diag)"},
        {0xa02, "NODE_NOT_RESPONDING", "look whether the node runs"},
        {0xa04, "NO_REMOTE_LINK_ACCESS", "look at the cable and the switch (dis_diag)"},
        {0xa05, "NO_LINK_ACCESS", "look at the cable and the switch (dis_diag)"},
        {0xa06, "TRANSFER_FAILED", "look at the cable and the switch (dis_diag)"},
        {0xb00, "REMOTE_BUSY", "try again"},
    };

    public static final int BUSY = MASK | 0x900;
    public static final int NOSPC = MASK | 0x904;
    public static final int API_NOSPC = MASK | 0x905;
    public static final int HW_NOSPC = MASK | 0x906;
    public static final int TIMEOUT = MASK | 0x90a;
    public static final int OUT_OF_RANGE = MASK | 0x90b;
    public static final int NO_SUCH_SEGMENT = MASK | 0x90c;
    public static final int CONNECTION_REFUSED = MASK | 0x90e;
    public static final int SEGMENT_NOT_CONNECTED = MASK | 0x90f;
    public static final int SEGMENTID_USED = MASK | 0x918;
    public static final int NODE_NOT_RESPONDING = MASK | 0xa02;
    public static final int NO_LINK_ACCESS = MASK | 0xa05;
    public static final int TRANSFER_FAILED = MASK | 0xa06;

    private final int code;
    private final String call;

    /**
     * @param call the function
     * @param code its result, mask included
     * @param text the library's description; null if it has none
     */
    SisciException(String call, int code, String text) {
        super(call + ": " + describe(code, text));
        this.code = code;
        this.call = call;
    }

    /** An error that the caller has found itself. */
    public static SisciException of(String call, int code) {
        return new SisciException(call, code, null);
    }

    /** SISCI's number: 0x40000904 is SCI_ERR_NOSPC. */
    public int code() {
        return code;
    }

    /** The function that failed. */
    public String call() {
        return call;
    }

    /** {@code SCI_ERR_NOSPC (0x40000904); free memory on that node}. */
    public static String describe(int code) {
        return describe(code, null);
    }

    private static String describe(int code, String text) {
        Object[] known = find(code);
        String number = " (0x" + Integer.toHexString(code) + ")";
        if (known == null) {
            return (text == null || text.isEmpty() ? "an error that SISCI's public header does not have" : text)
                + number + "; report this with the output of brigade info";
        }
        return "SCI_ERR_" + known[1] + number + "; " + known[2];
    }

    private static Object[] find(int code) {
        for (Object[] entry : CODES) {
            if ((MASK | (Integer) entry[0]) == code) {
                return entry;
            }
        }
        return null;
    }
}
