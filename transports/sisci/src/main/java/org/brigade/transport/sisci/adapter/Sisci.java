package org.brigade.transport.sisci.adapter;

import com.sun.jna.FunctionMapper;
import com.sun.jna.Library;
import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.brigade.nativ.Jna;

/**
 * Dolphin's SISCI library, version 2 of its API: processes of one machine write into memory of others over PCIe.
 * Handles, addresses and sizes in bytes are longs; every failed call throws a {@link SisciException}. No callbacks:
 * callers poll.
 *
 * <p>
 * The library's header renames all functions, so each is looked up under three names (for programs with one thread,
 * with several, and plain). Constants are read from the library's data if they are exported; {@link #flag} has the
 * known values of the others. Loads JNA, so code that runs at start-up must not use this class.
 */
public final class Sisci {
    public static final String LIBRARY = "libsisci.so";

    public static final int INFINITE = -1;

    /** States of a DMA queue. */
    public static final int DMA_IDLE = 0;
    public static final int DMA_POSTED = 2;
    public static final int DMA_DONE = 3;
    public static final int DMA_ABORTED = 4;
    public static final int DMA_ERROR = 5;

    /** Results of checking stores. */
    public static final int SEQUENCE_OK = 0;
    public static final int SEQUENCE_RETRIABLE = 1;
    public static final int SEQUENCE_NOT_RETRIABLE = 2;
    public static final int SEQUENCE_PENDING = 3;

    /** Events of a remote segment. */
    public static final int EVENT_NONE = 0;
    public static final int EVENT_DISCONNECT = 2;
    public static final int EVENT_NOT_OPERATIONAL = 3;
    public static final int EVENT_OPERATIONAL = 4;
    public static final int EVENT_LOST = 5;

    private static final String[] FUNCTION_NAMES = {"_SISCI_PUBLIC_FUNC_ST_", "_SISCI_PUBLIC_FUNC_MT_", ""};
    private static final String CONSTANT_NAMES = "_SISCI_PUBLIC_CONST_";

    /** Constants that are not exported: the values that public users of the API have. */
    private static final Map<String, Integer> KNOWN = Map.ofEntries(Map.entry("SCI_FLAG_EMPTY", 0x2),
        Map.entry("SCI_FLAG_PRIVATE", 0x4), Map.entry("SCI_FLAG_DMA_SOURCE_ONLY", 0x8),
        Map.entry("SCI_FLAG_FORCE_REMOVE", 0x20), Map.entry("SCI_FLAG_CUDA_BUFFER", 0x2000),
        Map.entry("SCI_FLAG_LOCK_USER_MEM", 0x400), Map.entry("SCI_FLAG_NO_MEMORY_LOOPBACK", 0x800),
        Map.entry("SCI_FLAG_BROADCAST", 0x40000), Map.entry("SCI_FLAG_DMA_GLOBAL", 0x40),
        Map.entry("SCI_FLAG_DMA_READ", 0x10), Map.entry("SCI_FLAG_DMA_USER_MEM", 0x200),
        Map.entry("DIS_BROADCAST_NODEID_GROUP_ALL", 252));

    /** Bytes of the results of calls: an error, a handle, a number, and a data interrupt's message. */
    private static final int OUT = 8;
    private static final int OUT2 = 16;
    private static final int DATA = 64;
    /** The longest message of a data interrupt that Brigade sends: 50 bytes are known to work on adapters. */
    public static final int INTERRUPT_BYTES = 48;

    private static final ThreadLocal<Pointer> ANSWERS = ThreadLocal.withInitial(() -> new Memory(DATA + 512));

    private static NativeLibrary library;

    private Sisci() {
    }

    // ---- the library ----

    /**
     * Binds the functions to a library. Once a process.
     *
     * @param path a name or path, {@link #LIBRARY} except for the software library
     * @throws UnsatisfiedLinkError if there is none, or it lacks a function, which the message names
     */
    public static synchronized void load(String path) {
        if (library != null) {
            throw new IllegalStateException("libsisci has been loaded");
        }
        FunctionMapper names = (from, method) -> symbol(from, method.getName());
        Jna.prepare();
        NativeLibrary found = NativeLibrary.getInstance(path, Map.of(Library.OPTION_FUNCTION_MAPPER, names));
        Native.register(SisciFunctions.class, found);
        library = found;
    }

    /** A function's name in a library; the plain name if it is missing. */
    private static String symbol(NativeLibrary from, String function) {
        for (String prefix : FUNCTION_NAMES) {
            if (has(from, prefix + function)) {
                return prefix + function;
            }
        }
        return function;
    }

    private static boolean has(NativeLibrary from, String symbol) {
        try {
            return from.getGlobalVariableAddress(symbol) != null;
        } catch (UnsatisfiedLinkError absent) {
            return false;
        }
    }

    /** The value of a constant such as {@code SCI_FLAG_EMPTY}. 0, which is no flag and no query, if it is unknown. */
    public static int flag(String name) {
        Integer exported = exported(name);
        return exported != null ? exported : KNOWN.getOrDefault(name, 0);
    }

    private static Integer exported(String name) {
        try {
            return library.getGlobalVariableAddress(CONSTANT_NAMES + name).getInt(0);
        } catch (UnsatisfiedLinkError absent) {
            return null;
        }
    }

    /** Whether this is the software library. */
    public static boolean isSoftware() {
        return has(library, "brigade_sisci_fault");
    }

    /** Makes the software library's fault of {@code BRIGADE_SISCI_FAULT} happen now; false if it is unknown. */
    public static boolean fault(String fault) {
        return library.getFunction("brigade_sisci_fault").invokeInt(new Object[] {fault}) == 0;
    }

    /**
     * A number shared by the processes that the software library can join: those with common memory and pids. 0 with
     * any other library, which joins machines.
     */
    public static long place() {
        return has(library, "brigade_sisci_place")
            ? library.getFunction("brigade_sisci_place").invokeLong(new Object[0]) : 0;
    }

    /**
     * The variable that made {@link #initialize} of the software library fail, and its possible values; null if it
     * failed for another reason.
     */
    public static String complaint() {
        return has(library, "brigade_sisci_complaint")
            ? library.getFunction("brigade_sisci_complaint").invokeString(new Object[0], false) : null;
    }

    public static void initialize() {
        SisciFunctions.SCIInitialize(0, error());
        check("SCIInitialize");
    }

    public static void terminate() {
        SisciFunctions.SCITerminate();
    }

    public static long open() {
        SisciFunctions.SCIOpen(at(OUT), 0, error());
        check("SCIOpen");
        return handle();
    }

    public static void close(long device) {
        SisciFunctions.SCIClose(device, 0, error());
        check("SCIClose");
    }

    public static int localNode(int adapter) {
        SisciFunctions.SCIGetLocalNodeId(adapter, at(OUT), 0, error());
        check("SCIGetLocalNodeId");
        return number();
    }

    /**
     * Asks an adapter for a number.
     *
     * @param what {@code SCI_Q_ADAPTER_LINK_OPERATIONAL}
     * @return -1 if the library does not know the answer, or the question
     */
    public static long adapter(int adapter, String what) {
        Integer query = exported("SCI_Q_ADAPTER");
        Integer subcommand = exported(what);
        if (query == null || subcommand == null) {
            return -1;
        }
        // struct sci_query_adapter_t: adapter, port, subcommand, and the address of the result.
        Pointer answers = ANSWERS.get();
        answers.setLong(OUT2, 0);
        answers.setInt(DATA, adapter);
        answers.setInt(DATA + 4, 0);
        answers.setInt(DATA + 8, subcommand);
        answers.setInt(DATA + 12, 0);
        answers.setLong(DATA + 16, at(OUT2));
        SisciFunctions.SCIQuery(query, at(DATA), 0, error());
        return answers.getInt(0) == 0 ? answers.getLong(OUT2) : -1;
    }

    /** The version of the interface, or null. */
    public static String version() {
        Integer query = exported("SCI_Q_API");
        if (query == null) {
            return null;
        }
        Pointer answers = ANSWERS.get();
        try (Memory text = new Memory(128)) {
            text.clear();
            answers.setLong(DATA, Pointer.nativeValue(text)); // struct sci_query_string_t
            answers.setInt(DATA + 8, (int) text.size() - 1);
            SisciFunctions.SCIQuery(query, at(DATA), 0, error());
            return answers.getInt(0) == 0 ? text.getString(0, StandardCharsets.ISO_8859_1.name()) : null;
        }
    }

    // ---- memory of this node ----

    /**
     * @throws SisciException with code {@link SisciException#SEGMENTID_USED} if another process of this node has that
     * id
     */
    public static long createSegment(long device, int id, long bytes, int flags) {
        SisciFunctions.SCICreateSegment(device, at(OUT), id, bytes, 0, 0, flags, error());
        check("SCICreateSegment");
        return handle();
    }

    public static void prepareSegment(long segment, int adapter, int flags) {
        SisciFunctions.SCIPrepareSegment(segment, adapter, flags, error());
        check("SCIPrepareSegment");
    }

    public static void setAvailable(long segment, int adapter) {
        SisciFunctions.SCISetSegmentAvailable(segment, adapter, 0, error());
        check("SCISetSegmentAvailable");
    }

    public static void setUnavailable(long segment, int adapter) {
        SisciFunctions.SCISetSegmentUnavailable(segment, adapter, 0, error());
        check("SCISetSegmentUnavailable");
    }

    /** Gives an empty segment memory of the caller's, which must begin at a page. */
    public static void registerMemory(long address, long bytes, long segment) {
        SisciFunctions.SCIRegisterSegmentMemory(address, bytes, segment, flag("SCI_FLAG_LOCK_USER_MEM"), error());
        check("SCIRegisterSegmentMemory");
    }

    /** Gives an empty segment a GPU's memory. */
    public static void attachDeviceMemory(long address, long bytes, long segment) {
        SisciFunctions.SCIAttachPhysicalMemory(0, address, 0, bytes, segment, flag("SCI_FLAG_CUDA_BUFFER"), error());
        check("SCIAttachPhysicalMemory");
    }

    /** The map's handle; {@link #mapped} has its address. */
    public static long mapLocal(long segment, long offset, long bytes) {
        long address = SisciFunctions.SCIMapLocalSegment(segment, at(OUT), offset, bytes, 0, 0, error());
        check("SCIMapLocalSegment");
        ANSWERS.get().setLong(OUT2, address);
        return handle();
    }

    /**
     * @throws SisciException with code {@link SisciException#BUSY} while a peer is connected to it, unless it is
     * removed by force
     */
    public static void removeSegment(long segment, int flags) {
        SisciFunctions.SCIRemoveSegment(segment, flags, error());
        check("SCIRemoveSegment");
    }

    // ---- memory of other nodes ----

    /**
     * Does not wait: {@link SisciException#NO_SUCH_SEGMENT} or {@link SisciException#CONNECTION_REFUSED} while there is
     * no such segment.
     */
    public static long connectSegment(long device, int node, int id, int adapter) {
        return connectSegment(device, node, id, adapter, 0);
    }

    /** As above, with flags: {@code SCI_FLAG_BROADCAST}, for a group. */
    public static long connectSegment(long device, int node, int id, int adapter, int flags) {
        SisciFunctions.SCIConnectSegment(device, at(OUT), node, id, adapter, 0, 0, INFINITE, flags, error());
        check("SCIConnectSegment");
        return handle();
    }

    public static void disconnectSegment(long remote) {
        SisciFunctions.SCIDisconnectSegment(remote, 0, error());
        check("SCIDisconnectSegment");
    }

    public static long remoteBytes(long remote) {
        return SisciFunctions.SCIGetRemoteSegmentSize(remote);
    }

    /** The map's handle; {@link #mapped} has its address. */
    public static long mapRemote(long remote, long offset, long bytes, int flags) {
        long address = SisciFunctions.SCIMapRemoteSegment(remote, at(OUT), offset, bytes, 0, flags, error());
        check("SCIMapRemoteSegment");
        ANSWERS.get().setLong(OUT2, address);
        return handle();
    }

    /** The address that this thread has just mapped. */
    public static long mapped() {
        return ANSWERS.get().getLong(OUT2);
    }

    /** A buffer over mapped memory; it must not be used after unmapping. */
    public static ByteBuffer buffer(long address, int bytes) {
        return new Pointer(address).getByteBuffer(0, bytes);
    }

    public static void unmap(long map) {
        SisciFunctions.SCIUnmapSegment(map, 0, error());
        check("SCIUnmapSegment");
    }

    /** The next event of a remote segment; {@link #EVENT_NONE} if there is none. */
    public static int remoteEvent(long remote) {
        int reason = SisciFunctions.SCIWaitForRemoteSegmentEvent(remote, at(OUT), 0, 0, error());
        return ANSWERS.get().getInt(0) == 0 ? reason : EVENT_NONE;
    }

    // ---- stores over the bridge ----

    public static long createSequence(long map) {
        SisciFunctions.SCICreateMapSequence(map, at(OUT), 0, error());
        check("SCICreateMapSequence");
        return handle();
    }

    public static void removeSequence(long sequence) {
        SisciFunctions.SCIRemoveSequence(sequence, 0, error());
        check("SCIRemoveSequence");
    }

    /** Starts checking the following stores; {@link #SEQUENCE_OK} if possible. */
    public static int startSequence(long sequence) {
        return SisciFunctions.SCIStartSequence(sequence, 0, error());
    }

    /** Whether all stores since the start have arrived. */
    public static int checkSequence(long sequence) {
        return SisciFunctions.SCICheckSequence(sequence, 0, error());
    }

    /** Makes stores leave the processor. */
    public static void flush(long sequence, int flags) {
        SisciFunctions.SCIFlush(sequence, flags);
    }

    /** Copies into a remote map by the processor. */
    public static void copy(long sequence, long address, long map, long offset, long bytes, int flags) {
        SisciFunctions.SCIMemCpy(sequence, address, map, offset, bytes, flags, error());
        check("SCIMemCpy");
    }

    // ---- DMA ----

    public static long createQueue(long device, int adapter) {
        SisciFunctions.SCICreateDMAQueue(device, at(OUT), adapter, 1, 0, error());
        check("SCICreateDMAQueue");
        return handle();
    }

    public static void removeQueue(long queue) {
        SisciFunctions.SCIRemoveDMAQueue(queue, 0, error());
        check("SCIRemoveDMAQueue");
    }

    /** Starts a copy from a segment of this node into one of another. */
    public static void startDma(long queue, long local, long localOffset, long remote, long remoteOffset, long bytes) {
        SisciFunctions.SCIStartDmaTransfer(queue, local, remote, localOffset, bytes, remoteOffset, 0, 0, 0, error());
        check("SCIStartDmaTransfer");
    }

    /** Starts a copy from any memory of this process, without registration or IOMMU. */
    public static void startDmaFrom(long queue, long address, long remote, long remoteOffset, long bytes) {
        SisciFunctions.SCIStartDmaTransferMem(queue, address, remote, bytes, remoteOffset, 0, 0, 0, error());
        check("SCIStartDmaTransferMem");
    }

    public static int queueState(long queue) {
        return SisciFunctions.SCIDMAQueueState(queue);
    }

    /** Waits for the end of the transfer, for a limited time; returns the state then. */
    public static int awaitQueue(long queue, int milliseconds) {
        int state = SisciFunctions.SCIWaitForDMAQueue(queue, milliseconds, 0, error());
        return ANSWERS.get().getInt(0) == 0 ? state : queueState(queue);
    }

    public static void abortQueue(long queue) {
        SisciFunctions.SCIAbortDMAQueue(queue, 0, error());
    }

    // ---- data interrupts ----

    /** The handle; {@link #interruptNumber} has the number that the library chose. */
    public static long createInterrupt(long device, int adapter) {
        ANSWERS.get().setInt(OUT2, 0);
        SisciFunctions.SCICreateDataInterrupt(device, at(OUT), adapter, at(OUT2), 0, 0, 0, error());
        check("SCICreateDataInterrupt");
        return handle();
    }

    /** The number of the interrupt that this thread has just created. */
    public static int interruptNumber() {
        return ANSWERS.get().getInt(OUT2);
    }

    public static void removeInterrupt(long interrupt) {
        SisciFunctions.SCIRemoveDataInterrupt(interrupt, 0, error());
        check("SCIRemoveDataInterrupt");
    }

    /** Does not wait, as {@link #connectSegment}. */
    public static long connectInterrupt(long device, int node, int adapter, int number) {
        SisciFunctions.SCIConnectDataInterrupt(device, at(OUT), node, adapter, number, INFINITE, 0, error());
        check("SCIConnectDataInterrupt");
        return handle();
    }

    public static void disconnectInterrupt(long remote) {
        SisciFunctions.SCIDisconnectDataInterrupt(remote, 0, error());
        check("SCIDisconnectDataInterrupt");
    }

    /** @throws SisciException with code {@link SisciException#NOSPC} while the receiver's queue is full */
    public static void trigger(long remote, byte[] message) {
        Pointer answers = ANSWERS.get();
        answers.write(DATA, message, 0, message.length);
        SisciFunctions.SCITriggerDataInterrupt(remote, at(DATA), message.length, 0, error());
        check("SCITriggerDataInterrupt");
    }

    /** The message of the next data interrupt within this time; null if there is none. */
    public static byte[] awaitInterrupt(long interrupt, int milliseconds) {
        Pointer answers = ANSWERS.get();
        answers.setInt(OUT, 512);
        SisciFunctions.SCIWaitForDataInterrupt(interrupt, at(DATA), at(OUT), milliseconds, 0, error());
        if (answers.getInt(0) == SisciException.TIMEOUT) {
            return null;
        }
        check("SCIWaitForDataInterrupt");
        return answers.getByteArray(DATA, Math.max(0, Math.min(512, answers.getInt(OUT))));
    }

    // ---- results ----

    /** The cleared variable for the error. */
    private static long error() {
        Pointer answers = ANSWERS.get();
        answers.setInt(0, 0);
        return Pointer.nativeValue(answers);
    }

    private static long at(int place) {
        return Pointer.nativeValue(ANSWERS.get()) + place;
    }

    private static long handle() {
        return ANSWERS.get().getLong(OUT);
    }

    private static int number() {
        return ANSWERS.get().getInt(OUT);
    }

    private static void check(String call) {
        int code = ANSWERS.get().getInt(0);
        if (code != 0) {
            throw new SisciException(call, code, text(code));
        }
    }

    private static String text(int code) {
        String symbol = symbol(library, "SCIGetErrorString");
        return has(library, symbol) ? library.getFunction(symbol).invokeString(new Object[] {code}, false) : null;
    }
}
