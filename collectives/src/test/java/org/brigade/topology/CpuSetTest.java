package org.brigade.topology;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.BitSet;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CpuSetTest {
    @Property
    void bothNotationsGiveBackWhatWasWritten(@ForAll @Size(max = 40) List<@IntRange(max = 300) Integer> processors) {
        CpuSet set = CpuSet.of(processors.stream().mapToInt(Integer::intValue).toArray());
        assertEquals(set, CpuSet.parseList(set.toString()));
        assertEquals(set, CpuSet.parseMap(set.toMap(1)));
        BitSet members = new BitSet();
        for (int processor : processors) {
            members.set(processor);
            assertTrue(set.contains(processor));
        }
        assertEquals(members.cardinality(), set.size());
    }

    @Test
    void aMapHasItsHighestWordFirst() {
        assertEquals("0-23,48-71", CpuSet.parseMap("000000ff,ffff0000,00ffffff").toString());
        assertEquals("000000ff,ffff0000,00ffffff", CpuSet.parseList("0-23,48-71").toMap(0));
        assertEquals("00000000,00000001", CpuSet.of(0).toMap(2));
    }

    @Test
    void setsContainAndMeetEachOther() {
        CpuSet set = CpuSet.parseList("0-3,8");
        assertTrue(set.containsAll(CpuSet.parseList("1,8")));
        assertFalse(set.containsAll(CpuSet.parseList("1,9")));
        assertEquals(CpuSet.parseList("2-3"), set.and(CpuSet.parseList("2-7")));
        assertEquals(-1, CpuSet.EMPTY.first());
    }

    @ParameterizedTest
    @ValueSource(strings = {"3-1", "x", "1-", "-1", "0-4000000000", "0-99999", "1,,2"})
    void otherListsAreRefused(String text) {
        assertTrue(assertThrows(IllegalArgumentException.class, () -> CpuSet.parseList(text)).getMessage()
            .contains("\"" + text + "\""));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "xyz", "1,,1", "1ffffffff", "0x1"})
    void otherMapsAreRefused(String text) {
        assertThrows(IllegalArgumentException.class, () -> CpuSet.parseMap(text));
    }

    @Test
    void aMapOfAMillionWordsIsRefused() {
        assertThrows(IllegalArgumentException.class, () -> CpuSet.parseMap("0,".repeat(1_000_000) + "1"));
    }

    @Test
    void whatTheKernelDoesNotSayIsEmpty() {
        assertEquals(CpuSet.of(0, 1, 2, 3, 8), CpuSet.listOrEmpty("0-3,8\n"));
        for (String text : new String[] {"", "\n", "7-3", "x", "0-99999999", "-1"}) {
            assertTrue(CpuSet.listOrEmpty(text).isEmpty(), text);
        }
        CpuSet set = CpuSet.of(1);
        set.toBitSet().set(2);
        assertEquals(CpuSet.of(1), set, "a copy");
    }
}
