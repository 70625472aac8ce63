package org.brigade.communicator;

import org.brigade.algorithm.WireUse;
import org.brigade.bootstrap.Nodes;
import org.brigade.engine.FusedFlat;
import org.brigade.engine.FusedMulticast;
import org.brigade.engine.Party;
import org.brigade.engine.Progress;
import org.brigade.select.Choice;
import org.brigade.transport.Multicast;
import org.brigade.transport.Multicasts;

/** The multicast among a communicator's nodes, opened by the first blocking call that would go by it. Under the progress lock. */
final class Reflection {
    private final Progress progress;
    private final Party party;
    private final FusedFlat fused;
    private final Agreement agreement;
    private boolean asked;
    /** Null until it is opened; where the fabric has none left, then, too. */
    private Multicast multicast;
    private FusedMulticast calls;

    /** @param agreement for words between the ranks when it is opened */
    Reflection(Progress progress, Party party, FusedFlat fused, Agreement agreement) {
        this.progress = progress;
        this.party = party;
        this.fused = fused;
        this.agreement = agreement;
    }

    /** Whether a choice wants a multicast, and nobody has asked for one yet. */
    boolean isDue(Choice choice) {
        return !asked && choice.algorithm().wireUse() == WireUse.MULTICAST;
    }

    /** Whether calls of a choice go by it: where it is forced and there is none, its schedule runs. */
    boolean serves(Choice choice) {
        return calls != null && choice.algorithm().wireUse() == WireUse.MULTICAST;
    }

    /** What runs calls that it {@link #serves}. */
    FusedMulticast calls() {
        return calls;
    }

    /**
     * Opens it, together with the other ranks: in a blocking call only, as one that returns at once must not wait for others.
     *
     * @param key of the messages
     * @return false, on all ranks, if the fabric has none left
     */
    boolean open(long key) {
        asked = true;
        int ranks = party.members.length;
        Nodes nodes = progress.endpoint.nodes();
        int[] leaders = nodes.firsts(party.members);
        int[] number = new int[nodes.count()];
        for (int node = 0; node < leaders.length; node++) {
            number[nodes.of(party.members[leaders[node]])] = node;
        }
        int[] nodeOf = new int[ranks];
        for (int member = 0; member < ranks; member++) {
            nodeOf[member] = number[nodes.of(party.members[member])];
        }
        multicast = progress.endpoint.multicasts().open(leaders, party.members, party.rank, new Multicasts.Words() {
            @Override
            public long common(long word) {
                long[] words = {word};
                agreement.common(key, words);
                return words[0];
            }
        });
        if (multicast != null) {
            calls = new FusedMulticast(progress, party, fused, multicast, leaders, nodeOf);
        }
        return multicast != null;
    }

    /** The communicator is freed: no more calls begin. */
    void end() {
        if (multicast != null) {
            multicast.end();
        }
    }
}
