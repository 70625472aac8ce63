package org.brigade.aggregation.sharp;

import com.sun.jna.Pointer;
import com.sun.jna.ptr.PointerByReference;
import java.util.ArrayList;
import java.util.List;
import mpi.spi.Reduction.Operator;
import org.brigade.aggregation.AggregationException;
import org.brigade.aggregation.AggregationGroup;
import org.brigade.aggregation.AggregationStatus;
import org.brigade.aggregation.AggregationType;
import org.brigade.aggregation.Capabilities;
import org.brigade.aggregation.RegisteredMemory;
import org.brigade.memory.NativeMemory;

/** A communicator of libsharp_coll. */
final class SharpGroup implements AggregationGroup {
    /** The library cuts operations itself; ours are long enough for its streaming and short enough to be pipelined. */
    private static final int PAYLOAD = 256 << 10;
    private static final int MOST_SLOTS = 16;
    private static final long LOCK_PATIENCE = 10_000_000_000L;

    private final Sharp.Context context;
    private final Pointer communicator;
    private final Capabilities capabilities;
    private final Sharp.Reduction reduction = new Sharp.Reduction();
    private final Pointer[] requests;
    private final List<Pointer> registrations = new ArrayList<>();
    /** Since when the library has refused, for lack of the tree's lock or of slots; 0: it does not. */
    private long refusedSince;

    SharpGroup(Sharp.Context context, Pointer communicator, Sharp.Caps caps) {
        this.context = context;
        this.communicator = communicator;
        int slots = Math.max(1, Math.min(MOST_SLOTS, caps.outstanding()));
        long types = 0;
        for (AggregationType type : AggregationType.values()) {
            types |= type.layout == null ? 0 : caps.types() & 1L << type.ordinal();
        }
        // The library's pairs of value and place have types of their own, unlike ours.
        long operators = caps.operations() & (1L << Operator.MAXLOC.ordinal()) - 1;
        capabilities = new Capabilities(types, operators, caps.groups(), slots, PAYLOAD, caps.reproducible());
        requests = new Pointer[slots];
    }

    @Override
    public Capabilities capabilities() {
        return capabilities;
    }

    @Override
    public RegisteredMemory register(NativeMemory memory) throws AggregationException {
        PointerByReference handle = new PointerByReference();
        SharpAggregation.requireDone(context.register(memory.address(), memory.capacity(), handle),
            "sharp_coll_reg_mr of " + memory.capacity() + " bytes");
        registrations.add(handle.getValue());
        return new RegisteredMemory(memory, handle.getValue());
    }

    @Override
    public int iallreduce(RegisteredMemory memory, int sendAt, int recvAt, int bytes, AggregationType type,
        Operator operator) throws AggregationException {
        int slot = 0;
        while (slot < requests.length && requests[slot] != null) {
            slot++;
        }
        if (slot == requests.length) {
            return REFUSED;
        }
        long address = memory.memory().address();
        int status = reduction.begin(communicator, address + sendAt, address + recvAt, bytes, (Pointer) memory.handle(),
            type.ordinal(), bytes / type.bytes, operator.ordinal());
        if (status == AggregationStatus.ELOCK_FAILED.code() || status == AggregationStatus.ENO_RESOURCE.code()) {
            long now = System.nanoTime();
            refusedSince = refusedSince == 0 ? now : refusedSince;
            if (now - refusedSince < LOCK_PATIENCE) {
                return REFUSED;
            }
        }
        SharpAggregation.requireDone(status, "sharp_coll_do_allreduce_nb of " + bytes + " bytes");
        refusedSince = 0;
        requests[slot] = reduction.request();
        return slot;
    }

    @Override
    public boolean test(int request) throws AggregationException {
        if (!Sharp.test(requests[request])) {
            context.progress();
            if (!Sharp.test(requests[request])) {
                return false;
            }
        }
        int status = Sharp.end(requests[request]);
        requests[request] = null;
        SharpAggregation.requireDone(status, "an allreduce in the tree");
        return true;
    }

    /** The library takes the tree's lock itself, with the first streaming operation. */
    @Override
    public boolean lock() {
        return true;
    }

    @Override
    public void unlock() {
        // the library releases it
    }

    @Override
    public void close() {
        for (Pointer registration : registrations) {
            context.deregister(registration);
        }
        registrations.clear();
        Sharp.destroy(communicator);
        context.close();
    }
}
