package org.brigade.topology.search;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import org.brigade.topology.profile.Transfer;

/** Simultaneous transfers. A set: the order of adding does not matter, and equal sets are equal objects. Immutable. */
public final class TransferSet {
    /** No transfer. */
    public static final TransferSet EMPTY = new TransferSet(new int[0]);

    /** Ascending, each once. */
    private final int[] codes;

    private TransferSet(int[] codes) {
        this.codes = codes;
    }

    public static TransferSet of(Transfer... transfers) {
        return EMPTY.plus(Arrays.asList(transfers));
    }

    public static TransferSet of(Collection<Transfer> transfers) {
        return EMPTY.plus(transfers);
    }

    /** The union of these and others. */
    public TransferSet plus(Collection<Transfer> more) {
        int[] all = Arrays.copyOf(codes, codes.length + more.size());
        int count = codes.length;
        for (Transfer transfer : more) {
            all[count++] = transfer.code();
        }
        Arrays.sort(all);
        int distinct = 0;
        for (int i = 0; i < all.length; i++) {
            if (i == 0 || all[i] != all[i - 1]) {
                all[distinct++] = all[i];
            }
        }
        return new TransferSet(Arrays.copyOf(all, distinct));
    }

    public int size() {
        return codes.length;
    }

    /** Ascending by type, nodes and indices. */
    public List<Transfer> transfers() {
        List<Transfer> transfers = new ArrayList<>(codes.length);
        for (int code : codes) {
            transfers.add(Transfer.of(code));
        }
        return transfers;
    }

    /** Whether some transfer is between nodes. */
    public boolean inter() {
        return codes.length > 0 && Transfer.of(codes[codes.length - 1]).type().inter();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof TransferSet set && Arrays.equals(codes, set.codes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(codes);
    }

    /** The transfers in ascending order, as {@link Transfer#toString} writes them. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (int code : codes) {
            text.append(text.isEmpty() ? "" : ", ").append(Transfer.of(code));
        }
        return text.toString();
    }
}
