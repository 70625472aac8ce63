package org.brigade.aggregation.sharp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.brigade.aggregation.sharp.FakeSharp;
import org.junit.jupiter.api.Test;

class SharpLayoutTest {
    @Test
    void structsLieAsTheCompilerLaysThemOut() throws Exception {
        FakeSharp.file();
        int[] ours = {
            Sharp.CONFIG_BYTES, Sharp.INIT_CONFIG, Sharp.INIT_BCAST, Sharp.INIT_LOCAL_RANK, Sharp.INIT_OOB_CONTEXT,
            Sharp.INIT_BYTES, Sharp.COMM_BYTES, Sharp.REDUCE_SEND, Sharp.REDUCE_RECV, Sharp.REDUCE_TYPE,
            Sharp.REDUCE_LENGTH, Sharp.REDUCE_OPERATION, Sharp.REDUCE_TAG_TYPE, Sharp.REDUCE_BYTES, Sharp.DATA_POINTER,
            Sharp.DATA_LENGTH, Sharp.DATA_HANDLE, Sharp.CAPS_TYPES, Sharp.CAPS_OPERATIONS,
            Sharp.CAPS_FEATURES, Sharp.CAPS_OPERATIONS_OUTSTANDING, Sharp.CAPS_GROUPS, Sharp.CAPS_BYTES,
            Sharp.COMM_OOB_CONTEXT,
        };
        for (int which = 0; which < ours.length; which++) {
            assertEquals(FakeSharp.layout(which), ours[which], "number " + which);
        }
    }
}
