package org.brigade.communicator.straightline;

import org.brigade.bootstrap.Nodes;
import org.brigade.communicator.call.Agreement;
import org.brigade.communicator.call.CallSequence;
import org.brigade.engine.FlatCollectives;
import org.brigade.engine.FusedPull;
import org.brigade.engine.Membership;
import org.brigade.engine.Progress;
import org.brigade.engine.fused.FusedSharedBuffer;
import org.brigade.engine.node.SharedBuffer;

/** The memory that the members of one communicator share, for all {@link SharedBufferRunner}s of it. */
public final class NodeBuffer {
    final Attempts attempts = new Attempts();
    private final Progress progress;
    private final Membership membership;
    private final FlatCollectives messages;
    private final Agreement agreement;
    private final CallSequence sequence;
    /** Whether the members share memory: those of several nodes would each take their own node's for it. */
    private final boolean onOneNode;
    /** Null, as the next, as long as it is not made. */
    private SharedBuffer buffer;
    private FusedSharedBuffer calls;

    public NodeBuffer(Progress progress, Membership membership, FlatCollectives messages, Agreement agreement,
        CallSequence sequence) {
        this.progress = progress;
        this.membership = membership;
        this.messages = messages;
        this.agreement = agreement;
        this.sequence = sequence;
        Nodes nodes = progress.endpoint.nodes();
        onOneNode = nodes == null || nodes.spannedBy(membership.members) == 1;
    }

    boolean isOnOneNode() {
        return onOneNode;
    }

    /** The calls through the buffer; null as long as it is not made. */
    FusedSharedBuffer calls() {
        return calls;
    }

    /** Makes it, together with all members; false on all if there is no room for it. */
    boolean open() {
        long key = sequence.aside();
        buffer = progress.sharedBuffers().take(membership.members, membership.rank, key + 1,
            words -> agreement.greatest(key, words));
        if (buffer == null) {
            return false;
        }
        calls =
            new FusedSharedBuffer(membership, new FusedPull(progress, membership, messages, buffer.blocks()), buffer);
        return true;
    }

    /** The communicator is freed. */
    public void end() {
        if (buffer != null) {
            progress.sharedBuffers().end(buffer);
        }
    }
}
