package org.brigade.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class PeerTableTest {
    @Property(tries = 200)
    void whatWasPutLastIsThereAndNothingElse(@ForAll @IntRange(min = 1, max = 300) int peers,
        @ForAll @Size(max = 40) List<@IntRange(min = 0, max = 299) Integer> puts) {
        PeerTable<String> table = new PeerTable<>(peers);
        Map<Integer, String> expected = new HashMap<>();
        for (int i = 0; i < puts.size(); i++) {
            String value = i % 4 == 3 ? null : "put " + i;
            table.put(puts.get(i) % peers, value);
            expected.put(puts.get(i) % peers, value);
        }
        for (int peer = 0; peer < peers; peer++) {
            assertEquals(expected.get(peer), table.get(peer), "peer " + peer);
        }
    }
}
