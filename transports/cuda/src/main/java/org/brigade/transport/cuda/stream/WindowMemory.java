package org.brigade.transport.cuda.stream;

import java.util.ArrayList;
import java.util.List;
import mpi.ErrorClass;
import org.brigade.device.DeviceCall;
import org.brigade.transport.cuda.driver.CudaBuffer;
import org.brigade.transport.cuda.driver.DeviceMemory;
import org.brigade.transport.cuda.group.GroupMemory;

/** The memory of a group's calls on streams: a peer's buffer is the counterpart of this rank's in their window. */
final class WindowMemory extends GroupMemory {
    private static final int RECENT_BITS = 6;

    private final List<Window> windows = new ArrayList<>();
    /** Buffers in windows by a hash of their address. */
    private final CudaBuffer[] recent = new CudaBuffer[1 << RECENT_BITS];
    /** For the running call; null if a buffer is not registered. */
    private Window send;
    private Window recv;

    WindowMemory(int ranks, int rank) {
        super(new int[ranks], rank, null);
    }

    void add(Window window) {
        windows.add(window);
    }

    void remove(Window window) {
        windows.remove(window);
    }

    /** The buffer from an address in a window on; null if it is in none. A known address makes no object. */
    CudaBuffer known(long address) {
        for (int i = 0; i < windows.size(); i++) {
            Window window = windows.get(i);
            if (window.contains(address, 1)) {
                int slot = (int) ((address >>> 4) * 0x9E3779B97F4A7C15L >>> 64 - RECENT_BITS);
                CudaBuffer buffer = recent[slot];
                if (buffer == null || buffer.address != address || buffer.allocation != window.allocation) {
                    buffer = new CudaBuffer(window.allocation, address);
                    recent[slot] = buffer;
                }
                return buffer;
            }
        }
        return null;
    }

    /** The window that begins at an address; null if there is none. */
    Window beginningAt(long address) {
        for (int i = 0; i < windows.size(); i++) {
            if (windows.get(i).begin == address) {
                return windows.get(i);
            }
        }
        return null;
    }

    /** The windows of all members that are still open. */
    List<Window> all() {
        return windows;
    }

    /**
     * The window that contains a buffer; null if there is none.
     *
     * @throws mpi.MPIException if only part of the buffer is in a window, or if the window's memory was freed (where
     * that is visible)
     */
    Window find(String call, CudaBuffer buffer, long bytes) {
        for (int i = 0; i < windows.size(); i++) {
            Window window = windows.get(i);
            if (window.overlaps(buffer.address, bytes)) {
                if (window.allocation.id != buffer.allocation.id) {
                    throw ErrorClass.BUFFER.in(call, "the memory registered at " + DeviceMemory.text(window.begin)
                        + " was freed, and is now other memory; deregister before cuMemFree");
                }
                if (window.contains(buffer.address, bytes)) {
                    return window;
                }
                throw ErrorClass.BUFFER.in(call,
                    bytes + " bytes at " + DeviceMemory.text(buffer.address) + " lie only in part in the "
                        + window.bytes + " bytes registered at "
                        + DeviceMemory.text(window.begin) + "; register all memory that a call uses, or none of it");
            }
        }
        return null;
    }

    /** Sets the windows of the next launch's buffers. */
    void use(Window ofSend, Window ofRecv) {
        send = ofSend;
        recv = ofRecv;
    }

    @Override
    protected long sendOf(DeviceCall call, int member) {
        return call.send == null ? recvOf(call, member) : send.at(member, call.send.address + call.sendOffset);
    }

    @Override
    protected long recvOf(DeviceCall call, int member) {
        return recv.at(member, call.recv.address + call.recvOffset);
    }
}
