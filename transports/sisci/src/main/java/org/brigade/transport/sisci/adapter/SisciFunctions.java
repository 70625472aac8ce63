package org.brigade.transport.sisci.adapter;

/**
 * The functions of libsisci, as in its header; pointers and size_t are longs, enums and unsigned ints are ints.
 * {@link Sisci} binds them.
 */
final class SisciFunctions {
    static native void SCIInitialize(int flags, long error);

    static native void SCITerminate();

    static native void SCIOpen(long device, int flags, long error);

    static native void SCIClose(long device, int flags, long error);

    static native void SCIGetLocalNodeId(int adapter, long node, int flags, long error);

    static native void SCIQuery(int command, long data, int flags, long error);

    static native void SCICreateSegment(long device, long segment, int id, long bytes, long callback, long argument,
        int flags, long error);

    static native void SCIPrepareSegment(long segment, int adapter, int flags, long error);

    static native void SCISetSegmentAvailable(long segment, int adapter, int flags, long error);

    static native void SCISetSegmentUnavailable(long segment, int adapter, int flags, long error);

    static native void SCIRegisterSegmentMemory(long address, long bytes, long segment, int flags, long error);

    static native void SCIAttachPhysicalMemory(long ioAddress, long address, int bus, long bytes, long segment,
        int flags, long error);

    static native long SCIMapLocalSegment(long segment, long map, long offset, long bytes, long address, int flags,
        long error);

    static native void SCIRemoveSegment(long segment, int flags, long error);

    static native void SCIConnectSegment(long device, long remote, int node, int id, int adapter, long callback,
        long argument, int timeout, int flags, long error);

    static native void SCIDisconnectSegment(long remote, int flags, long error);

    static native long SCIGetRemoteSegmentSize(long remote);

    static native long SCIMapRemoteSegment(long remote, long map, long offset, long bytes, long address, int flags,
        long error);

    static native void SCIUnmapSegment(long map, int flags, long error);

    static native int SCIWaitForRemoteSegmentEvent(long remote, long status, int timeout, int flags, long error);

    static native void SCICreateMapSequence(long map, long sequence, int flags, long error);

    static native void SCIRemoveSequence(long sequence, int flags, long error);

    static native int SCIStartSequence(long sequence, int flags, long error);

    static native int SCICheckSequence(long sequence, int flags, long error);

    static native void SCIFlush(long sequence, int flags);

    static native void SCIMemCpy(long sequence, long address, long map, long offset, long bytes, int flags,
        long error);

    static native void SCICreateDMAQueue(long device, long queue, int adapter, int entries, int flags, long error);

    static native void SCIRemoveDMAQueue(long queue, int flags, long error);

    static native void SCIStartDmaTransfer(long queue, long local, long remote, long localOffset, long bytes,
        long remoteOffset, long callback, long argument, int flags, long error);

    static native void SCIStartDmaTransferMem(long queue, long address, long remote, long bytes, long remoteOffset,
        long callback, long argument, int flags, long error);

    static native int SCIDMAQueueState(long queue);

    static native int SCIWaitForDMAQueue(long queue, int timeout, int flags, long error);

    static native void SCIAbortDMAQueue(long queue, int flags, long error);

    static native void SCICreateDataInterrupt(long device, long interrupt, int adapter, long number, long callback,
        long argument, int flags, long error);

    static native void SCIRemoveDataInterrupt(long interrupt, int flags, long error);

    static native void SCIConnectDataInterrupt(long device, long remote, int node, int adapter, int number,
        int timeout, int flags, long error);

    static native void SCIDisconnectDataInterrupt(long remote, int flags, long error);

    static native void SCITriggerDataInterrupt(long remote, long data, int bytes, int flags, long error);

    static native void SCIWaitForDataInterrupt(long interrupt, long data, long bytes, int timeout, int flags,
        long error);
}
