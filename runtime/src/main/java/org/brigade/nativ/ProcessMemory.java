package org.brigade.nativ;

import com.sun.jna.Native;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Copies between this process and another one of this user, by process_vm_readv and process_vm_writev: one copy, in
 * which the other process takes no part. The kernel may refuse it (containers, Yama), so try first. Goes through
 * {@link BrigadeLibrary} or, where that is missing, through JNA.
 */
public class ProcessMemory {
    /** errno: there is no such process. */
    public static final int NO_PROCESS = 3;

    private final int process;
    private final ByJna slow;

    public ProcessMemory(int process) {
        this.process = process;
        this.slow = BrigadeLibrary.LOADED ? null : new ByJna();
    }

    /**
     * Lets the ranks that this rank's launcher has started copy to and from this process, where Linux forbids that to
     * processes that are not its ancestors (kernel.yama.ptrace_scope is 1, as on Ubuntu). Needs {@link BrigadeLibrary};
     * does nothing without it.
     */
    public static void permitSiblings() {
        if (BrigadeLibrary.LOADED) {
            String launcher = System.getenv("BRIGADE_LAUNCHER_PID");
            BrigadeLibrary.permit(launcher == null ? 0 : Integer.parseInt(launcher));
        }
    }

    /** Copies from an address there to one here; 0, or the errno of the failure. */
    public int read(long from, long to, long bytes) {
        return slow == null ? BrigadeLibrary.readProcess(process, from, to, bytes)
            : slow.copy(false, process, to, from, bytes);
    }

    /** Copies from an address here to one there; 0, or the errno of the failure. */
    public int write(long to, long from, long bytes) {
        return slow == null ? BrigadeLibrary.writeProcess(process, to, from, bytes)
            : slow.copy(true, process, from, to, bytes);
    }

    private static final class ByJna {
        /** The kernel copies fewer than 2 GiB a call. */
        private static final long MOST = 1L << 30;
        private static final int OTHER_ERROR = 5;

        static {
            Jna.prepare();
            Native.register(ByJna.class, "c");
        }

        // Two struct iovec: address and length of the memory here, then of that there.
        private final ByteBuffer vectors = ByteBuffer.allocateDirect(32).order(ByteOrder.nativeOrder());
        private final long here = Libc.address(vectors);

        static native long process_vm_readv(int process, long here, long heres, long there, long theres, long flags);

        static native long process_vm_writev(int process, long here, long heres, long there, long theres, long flags);

        synchronized int copy(boolean out, int process, long mine, long theirs, long bytes) {
            for (long done = 0; done < bytes;) {
                long piece = Math.min(MOST, bytes - done);
                vectors.putLong(0, mine + done);
                vectors.putLong(8, piece);
                vectors.putLong(16, theirs + done);
                vectors.putLong(24, piece);
                long moved = out ? process_vm_writev(process, here, 1, here + 16, 1, 0)
                    : process_vm_readv(process, here, 1, here + 16, 1, 0);
                if (moved <= 0) {
                    int error = Native.getLastError();
                    return error == 0 ? OTHER_ERROR : error;
                }
                done += moved;
            }
            return 0;
        }
    }
}
