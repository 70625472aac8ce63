package org.brigade.transport.sisci;

import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.lifecycle.AfterTry;
import org.brigade.transport.Endpoint;
import org.brigade.transport.LinkContract;
import org.junit.jupiter.api.AfterEach;

/** What every link must do, in one mode of the software library. */
abstract class SisciLinkContract extends LinkContract {
    private final List<SisciEnd[]> jobs = new ArrayList<>();
    private final String mode;
    private final String fault;
    private final int ringBytes;
    private boolean begun;

    SisciLinkContract(String mode, String fault, int ringBytes) {
        this.mode = mode;
        this.fault = fault;
        this.ringBytes = ringBytes;
    }

    @Override
    protected Endpoint[] open(int ranks) {
        if (!begun) {
            Emulated.begin(mode, fault);
            begun = true;
        }
        SisciEnd[] ends = SisciRanks.open(ranks, ringBytes);
        jobs.add(ends);
        return SisciRanks.endpoints(ends);
    }

    @AfterEach
    @AfterTry
    void close() {
        for (SisciEnd[] job : jobs) {
            SisciRanks.close(job);
        }
        jobs.clear();
    }
}
