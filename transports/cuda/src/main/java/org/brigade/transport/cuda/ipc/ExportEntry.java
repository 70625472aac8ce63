package org.brigade.transport.cuda.ipc;

import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import org.brigade.device.AnnouncementBoard;
import org.brigade.device.StartBoard;
import org.brigade.memory.NativeMemory;
import org.brigade.transport.Endpoint;
import org.brigade.transport.cuda.driver.JCudaFields;

/**
 * The layout of a rank's {@link Endpoint#board} after the {@link AnnouncementBoard}: 128 lines by which it exports
 * allocations of device memory to its peers.
 *
 * <pre>
 *  0  number     the exported allocation, 0 while there is none or it changes    all by the rank whose board it is;
 *  8  base       its address in the owner                                        read by its peers
 * 16  bytes      its length
 * 24  buffer id  the driver's, of the owner
 * 32  process    the owner's process: a unique number
 * 40  GPU        its UUID, two words
 * 56  -          8 bytes
 * 64  handle     for cuIpcOpenMemHandle: 64 bytes
 * </pre>
 *
 * A number is {@code generation << 7 | line} with generations from 1 on, so it tells the line and is never used for a
 * second allocation. A line changes like a sequence lock: number to 0, fence, the rest, number by release. A reader
 * accepts what it read only if the number was the expected one before and after.
 */
public final class ExportEntry {
    public static final int TABLE = AnnouncementBoard.BYTES + StartBoard.BYTES;
    public static final int BYTES = 128;
    static final int LINE_BITS = 7;
    public static final int LINES = 1 << LINE_BITS;

    private static final int BASE = 8;
    private static final int LENGTH = 16;
    private static final int BUFFER_ID = 24;
    private static final int PROCESS = 32;
    private static final int GPU = 40;
    private static final int HANDLE = 64;
    private static final int UUID_BYTES = 16;
    private static final int HANDLE_WORDS = JCudaFields.IPC_HANDLE_BYTES / 8;

    long base;
    long bytes;
    long bufferId;
    long process;
    byte[] gpu = new byte[UUID_BYTES];
    final long[] handle = new long[HANDLE_WORDS];

    static int line(long number) {
        return (int) number & LINES - 1;
    }

    static long number(long generation, int line) {
        return generation << LINE_BITS | line;
    }

    private static int at(int line) {
        return TABLE + line * BYTES;
    }

    /** The number that a line exports now; 0 if none. */
    static long offered(NativeMemory board, int line) {
        return board.getLongAcquire(at(line));
    }

    /** Withdraws a line's export. */
    static void retire(NativeMemory board, int line) {
        board.putLongRelease(at(line), 0);
    }

    /** Writes this entry into the line of its number. */
    void write(NativeMemory board, long number) {
        int at = at(line(number));
        board.putLong(at, 0);
        // A release store would not keep the stores after it from passing the 0.
        VarHandle.fullFence();
        board.putLong(at + BASE, base);
        board.putLong(at + LENGTH, bytes);
        board.putLong(at + BUFFER_ID, bufferId);
        board.putLong(at + PROCESS, process);
        ByteBuffer uuid = ByteBuffer.wrap(gpu);
        board.putLong(at + GPU, uuid.getLong(0));
        board.putLong(at + GPU + 8, uuid.getLong(8));
        for (int i = 0; i < HANDLE_WORDS; i++) {
            board.putLong(at + HANDLE + 8 * i, handle[i]);
        }
        board.putLongRelease(at, number);
    }

    /**
     * Reads the entry of a number.
     *
     * @return false if the number is no longer, or not yet, exported; then the fields are undefined
     */
    boolean read(NativeMemory board, long number) {
        int at = at(line(number));
        if (board.getLongAcquire(at) != number) {
            return false;
        }
        base = board.getLong(at + BASE);
        bytes = board.getLong(at + LENGTH);
        bufferId = board.getLong(at + BUFFER_ID);
        process = board.getLong(at + PROCESS);
        gpu = ByteBuffer.allocate(UUID_BYTES).putLong(board.getLong(at + GPU)).putLong(board.getLong(at + GPU + 8))
            .array();
        for (int i = 0; i < HANDLE_WORDS; i++) {
            handle[i] = board.getLong(at + HANDLE + 8 * i);
        }
        VarHandle.acquireFence();
        return board.getLong(at) == number;
    }
}
