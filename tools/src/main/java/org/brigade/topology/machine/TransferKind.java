package org.brigade.topology.machine;

import java.util.Locale;

/** How a message gets from rank to rank, as far as its cost before and after the bytes depends on it. */
public enum TransferKind {
    /** Between host memories of one node. */
    HOST,
    /** Straight from one GPU to another of the node. */
    PEER,
    /** From GPU to GPU of one node by way of host memory, both copies at once. */
    STAGED,
    /** Between host memories of two nodes. */
    HOST_NET,
    /** Between GPUs of two nodes, both adapters reaching into GPU memory. */
    DEVICE_NET,
    /** Between GPUs of two nodes, through host memory at one end or both. */
    DEVICE_NET_STAGED;

    /** The word in files: {@code device-net}. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
