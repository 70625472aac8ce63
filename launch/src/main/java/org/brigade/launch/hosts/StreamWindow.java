package org.brigade.launch.hosts;

/** How much of a stream may still be sent: who reads slowly stops only the stream's own writer. */
public final class StreamWindow {
    private int left = AgentFrames.WINDOW;
    private boolean closed;

    /** Waits until bytes may be sent; false if nobody reads them any more. */
    public synchronized boolean take(int bytes) throws InterruptedException {
        while (left < bytes && !closed) {
            wait();
        }
        left -= bytes;
        return !closed;
    }

    /** The other end has passed on so many. */
    public synchronized void give(int bytes) {
        left += bytes;
        notifyAll();
    }

    /** Nobody reads any more. */
    public synchronized void close() {
        closed = true;
        notifyAll();
    }
}
