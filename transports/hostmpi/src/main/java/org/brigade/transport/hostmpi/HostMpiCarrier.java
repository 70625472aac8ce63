package org.brigade.transport.hostmpi;

import org.brigade.memory.NativeMemory;
import org.brigade.transport.hostmpi.library.HostMpi;
import org.brigade.transport.packet.MessageCarrier;
import org.brigade.transport.packet.PacketEnd;

/** Carries messages by the host's MPI, within one communicator. */
final class HostMpiCarrier implements MessageCarrier {
    /** Only one thread at a time calls the host's MPI, even if that allows more. */
    static final Object LOCK = new Object();

    private final int ranks;
    private final long communicator;
    /**
     * The words by which ends tell each other that they leave; null until then. The host's MPI may write there as long
     * as this object lives.
     */
    private NativeMemory leaving;

    /** @param communicator used by one fabric alone; its ranks are the job's */
    HostMpiCarrier(int ranks, long communicator) {
        this.ranks = ranks;
        this.communicator = communicator;
    }

    /** A rank's end of a fabric. */
    static PacketEnd end(int rank, int ranks, long communicator, HostMpiSettings settings, boolean direct) {
        return new PacketEnd(rank, ranks, new HostMpiCarrier(ranks, communicator), settings.windowBytes(),
            settings.patienceNanos(), direct);
    }

    @Override
    public Object lock() {
        return LOCK;
    }

    @Override
    public String name() {
        return "the host's MPI";
    }

    @Override
    public String settings() {
        return "brigade.mpi";
    }

    @Override
    public void send(long address, int bytes, int peer, int tag, NativeMemory request, int at) {
        HostMpi.send(address, bytes, peer, tag, communicator, request.address() + at);
    }

    @Override
    public void sendAwaited(long address, int bytes, int peer, int tag, NativeMemory request, int at) {
        HostMpi.synchronousSend(address, bytes, peer, tag, communicator, request.address() + at);
    }

    @Override
    public void receive(long address, int bytes, int peer, int tag, NativeMemory request, int at) {
        HostMpi.receive(address, bytes, peer, tag, communicator, request.address() + at);
    }

    @Override
    public void prepare(long address, int bytes, int tag, NativeMemory request, int at) {
        HostMpi.receiver(address, bytes, tag, communicator, request.address() + at);
    }

    @Override
    public void start(long address, int bytes, int tag, NativeMemory request, int at) {
        HostMpi.start(request.address() + at);
    }

    @Override
    public boolean test(NativeMemory request, int at) {
        return HostMpi.test(request.address() + at);
    }

    @Override
    public void cancel(NativeMemory request, int at) {
        HostMpi.cancel(request.address() + at);
    }

    @Override
    public void free(NativeMemory request, int at) {
        HostMpi.free(request.address() + at);
    }

    @Override
    public boolean allLeave(int[] met, int count) {
        if (leaving == null) {
            leaving = NativeMemory.allocate(2 * HostMpi.REQUEST_BYTES + ranks);
            long at = leaving.address();
            HostMpi.allgather(at + HostMpi.REQUEST_BYTES, 1, at + 2 * HostMpi.REQUEST_BYTES, communicator, at);
        }
        return HostMpi.test(leaving.address());
    }
}
