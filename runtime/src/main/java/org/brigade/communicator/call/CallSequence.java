package org.brigade.communicator.call;

import mpi.MPIException;
import mpi.spi.Call;
import org.brigade.device.DeviceCallAnnouncements;
import org.brigade.waiting.CallKey;

/**
 * Counts the collective calls of one communicator. Each call takes the next number (epoch). Epoch and context together
 * are the key of all messages of the call. All ranks call in the same order, so they count alike. If calls are
 * compared, each is compared as it begins. Under the progress lock.
 */
public final class CallSequence {
    private final int context;
    /** Shows the other ranks how many calls this rank has begun; null if they never need to know. */
    private final DeviceCallAnnouncements line;
    /** Null unless calls are compared. */
    private final CallCheck check;
    private String name;
    private long epoch;
    /** The number of the call that has begun last. */
    private long underWay;

    /** @param first the number of the first call */
    public CallSequence(int context, long first, DeviceCallAnnouncements line, CallCheck check, String name) {
        this.context = context;
        this.epoch = first;
        this.line = line;
        this.check = check;
        this.name = name;
    }

    /** The communicator's name, for errors. */
    public String name() {
        return name;
    }

    public void rename(String newName) {
        name = newName;
    }

    /** Whether the members' calls are compared. */
    public boolean compares() {
        return check != null;
    }

    /** Begins the next call. @return the key of its messages */
    public long begin(Call call) {
        long key = key();
        underWay = epoch++;
        if (line != null) {
            line.passed(epoch);
        }
        if (check != null) {
            check.compare(key, name, call);
            check.compareBlocks(key, name, call);
        }
        return key;
    }

    /**
     * Begins a call that is only prepared. If calls are compared, it ends when all members have found it right: what
     * follows has other keys, under which nobody would hear of a difference.
     */
    public void announce(Call call) {
        long key = begin(call);
        if (check != null) {
            check.await(key);
        }
    }

    /**
     * This rank's arguments are wrong, so the call does not begin here. If calls are compared, the others wait for this
     * rank's arguments: they are told of the failure, and the call counts.
     */
    public void refuse(String call, MPIException why) {
        if (check != null) {
            check.refuse(call, take(), why);
        }
    }

    /** Tells the others that this rank finalizes, if calls are compared. */
    public void finish() {
        if (check != null) {
            check.compareFinalize(key(), name);
            epoch++;
        }
    }

    /** The key of the next call's messages. */
    public long key() {
        return CallKey.own(context, epoch);
    }

    /** Takes a key for the library's own messages between the members. It counts like a call. */
    public long take() {
        long key = key();
        epoch++;
        if (line != null) {
            line.passed(epoch);
        }
        return key;
    }

    /** Takes the key of a call that compiled code shows the other ranks ({@link #shownAt}). No calls are compared. */
    public long next() {
        underWay = epoch++;
        return CallKey.own(context, underWay);
    }

    /**
     * The key of what the members tell each other within the call under way, before its own messages. It does not
     * count. Several agreements of one call may have it, one after another: messages of one key come in order.
     */
    public long aside() {
        return CallKey.aside(context, underWay);
    }

    /** The address at which the other ranks see how many calls this rank has begun; 0 if they never need to know. */
    public long shownAt() {
        return line == null ? 0 : line.callsAt();
    }

    /** The number of the next call. */
    public long number() {
        return epoch;
    }

    /** Counts a call that runs on devices and was announced on its {@link DeviceCallAnnouncements}. */
    public void count() {
        epoch++;
    }
}
