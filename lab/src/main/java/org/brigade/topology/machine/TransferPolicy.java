package org.brigade.topology.machine;

import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.brigade.topology.figure.Limit;
import org.brigade.topology.model.ComponentKind;
import org.brigade.topology.model.Distance;

/**
 * The paths of a machine's transfers where the wires leave a choice, and their costs beside the wires.
 *
 * @param peers how far GPUs access each other's memory; at an absent distance host memory is used
 * @param reads how far adapters read from GPUs (GPUDirect RDMA); absent: host memory
 * @param writes how far adapters write into GPUs; absent: host memory
 * @param stageAtSender whether data between two GPUs pass host memory near the sender; otherwise near the receiver
 * @param adapters number of a node's adapters in use, the first ones
 * @param costs for each kind of transfer, by ascending {@link TransferCost#upTo}
 * @param local for each kind of place of ranks: {@link ComponentKind#GPU}, {@link ComponentKind#CORE}
 * @param memory how ranks work in memory that they share; null if that was not measured
 */
public record TransferPolicy(Map<Distance, Limit> peers, Map<Distance, Limit> reads, Map<Distance, Limit> writes,
    boolean stageAtSender, int adapters,
    Map<TransferKind, List<TransferCost>> costs, Map<ComponentKind, LocalWork> local, SharedMemoryCosts memory) {
    public TransferPolicy {
        peers = copy(Distance.class, peers);
        reads = copy(Distance.class, reads);
        writes = copy(Distance.class, writes);
        costs = copy(TransferKind.class, costs);
        local = copy(ComponentKind.class, local);
    }

    private static <K extends Enum<K>, V> Map<K, V> copy(Class<K> keys, Map<K, V> map) {
        EnumMap<K, V> copy = new EnumMap<>(keys);
        copy.putAll(map);
        return Collections.unmodifiableMap(copy);
    }
}
