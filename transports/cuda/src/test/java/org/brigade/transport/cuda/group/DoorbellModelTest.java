package org.brigade.transport.cuda.group;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import org.brigade.transport.cuda.group.DoorbellModel.Flaw;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DoorbellModelTest {
    /**
     * With calls of one block and of all, and kernels told to leave, in all combinations: what goes wrong; null if
     * nothing.
     */
    private static String searchAll(Flaw flaw) {
        for (int which = 0; which < 1 << 2 * DoorbellModel.CALLS - 1; which++) {
            boolean[] forAll = new boolean[DoorbellModel.CALLS];
            boolean[] leavesAfter = new boolean[DoorbellModel.CALLS - 1];
            for (int call = 0; call < DoorbellModel.CALLS; call++) {
                forAll[call] = (which >> call & 1) != 0;
                if (call < DoorbellModel.CALLS - 1) {
                    leavesAfter[call] = (which >> DoorbellModel.CALLS + call & 1) != 0;
                }
            }
            String found = new DoorbellModel(forAll, leavesAfter, flaw).search();
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    @Test
    void everyCallIsDoneOnceInWhateverOrderThingsHappen() {
        assertEquals(null, searchAll(Flaw.NONE));
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void withoutAnyOneOfItsRulesTheProtocolFails(Flaw flaw) {
        assertNotEquals(null, searchAll(flaw));
    }
}
