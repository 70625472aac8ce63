package org.brigade.topology.machine;

import java.util.Locale;

/** How a message gets from rank to rank, as far as it changes the cost beside its bytes. */
public enum TransferKind {
    /** Between host memories of one node. */
    HOST,
    /** Directly from one GPU to another of the node. */
    PEER,
    /** From GPU to GPU of one node through host memory, both copies at once. */
    STAGED,
    /** Between host memories of two nodes. */
    HOST_NET,
    /** Between GPUs of two nodes; both adapters access GPU memory. */
    DEVICE_NET,
    /** Between GPUs of two nodes, through host memory at one end or both. */
    DEVICE_NET_STAGED;

    /** The word in files: {@code device-net}. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
