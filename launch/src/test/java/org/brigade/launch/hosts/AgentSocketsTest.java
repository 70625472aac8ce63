package org.brigade.launch.hosts;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AgentSocketsTest {
    private static final String HEAD =
        "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode";
    private static final String IDLE =
        "   0: 0100007F:D3D2 0100007F:1F90 01 00000000:00000000 00:00000000 00000000     0        0"
            + " 4711 1 0 20 4 30 10 -1";
    private static final String BUSY =
        "   1: 0100007F:D3D4 0100007F:1F90 01 00000120:00000000 01:00000014 00000000     0        0"
            + " 4712 1 0 20 4 30 10 -1";
    private static final String AGAIN =
        "   2: 0100007F:D3D6 0100007F:1F90 01 00000120:00000000 01:00000014 0000000B     0        0"
            + " 4713 1 0 20 4 30 10 -1";
    /** A receiver that takes nothing is asked for room; it answers, or it does not. */
    private static final String FULL =
        "   3: 0100007F:D3D8 0100007F:1F90 01 00000120:00000000 04:00000014 00000000     0        0"
            + " 4714 1 0 20 4 30 10 -1";

    private static final String IN_VAIN =
        "   4: 0100007F:D3DA 0100007F:1F90 01 00000120:00000000 04:00000014 00000000     0        3"
            + " 4715 1 0 20 4 30 10 -1";

    @Test
    void onlyBytesThatAreSentAgainOnAConnectionOfTheProcessCount() {
        List<String> table = List.of(HEAD, IDLE, BUSY, AGAIN, FULL, IN_VAIN);
        assertTrue(AgentSockets.sendAgain(table, Set.of("4711", "4713")));
        assertFalse(AgentSockets.sendAgain(table, Set.of("4711", "4712", "4714")));
        assertTrue(AgentSockets.sendAgain(table, Set.of("4714", "4715")));
        assertFalse(AgentSockets.sendAgain(table, Set.of()));
    }
}
