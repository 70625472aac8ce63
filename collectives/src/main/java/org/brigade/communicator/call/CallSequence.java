package org.brigade.communicator.call;

import mpi.MPIException;
import mpi.spi.Call;
import org.brigade.device.CallLine;

/**
 * The collective calls of one communicator as they are counted: each takes the next number (epoch), which with the
 * communicator's context is the key of all its messages. The same on all ranks, as they call in the same order; where
 * calls are compared, each is as it begins. Under the progress lock.
 */
public final class CallSequence {
    private final int context;
    /** Where this rank tells the others how many calls it has begun; null where they never need to know. */
    private final CallLine line;
    /** Null unless calls are compared. */
    private final CallCheck check;
    private String name;
    private long epoch;

    /** @param first the number of the first call */
    public CallSequence(int context, long first, CallLine line, CallCheck check, String name) {
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

    /** Begins the next call. @return the key of its messages */
    public long begin(Call call) {
        long key = key();
        epoch++;
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
     * This rank's arguments are wrong, and the call does not begin here. Where calls are compared the others are
     * waiting for this rank's word: it counts as one that has failed.
     */
    public void refuse(String call, MPIException why) {
        if (check != null) {
            check.refuse(call, take(), why);
        }
    }

    /** Says to the others that this rank finalizes, if calls are compared. */
    public void finish() {
        if (check != null) {
            check.compareFinalize(key(), name);
            epoch++;
        }
    }

    /** The key of the next call's messages. */
    public long key() {
        return (long) context << 32 | epoch & 0xffffffffL;
    }

    /** A key for messages between the members that belong to no call of the user's; counted like one. */
    public long take() {
        long key = key();
        epoch++;
        if (line != null) {
            line.passed(epoch);
        }
        return key;
    }

    /** The number of the next call: how many have begun. */
    public long number() {
        return epoch;
    }

    /** Counts a call that runs elsewhere, and that its {@link CallLine} has been told of. */
    public void count() {
        epoch++;
    }
}
