package org.brigade.transport.cuda.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.Map;
import mpi.spi.Collective;
import mpi.spi.ElementKind;
import mpi.spi.Reduction;
import mpi.spi.TypeLayout;
import org.brigade.algorithm.Placement;
import org.brigade.algorithm.Registration;
import org.brigade.algorithm.catalogue.DeviceCatalogue;
import org.brigade.device.DeviceCall;
import org.brigade.select.Choice;
import org.brigade.select.trial.SizeClass;
import org.brigade.select.trial.Way;
import org.junit.jupiter.api.Test;

class StreamSelectionTest {
    private static Way way(String algorithm) {
        return new Way(DeviceCatalogue.find(Collective.ALLREDUCE, algorithm), 0, 0, 0);
    }

    /** What was measured in blocking calls serves those on streams, if it can and the table says the same of both. */
    @Test
    void whatIsKeptIsUsedWhereItCanBe() {
        Choice kept = way("two-shot").choice("measured");
        SizeClass where = SizeClass.of(Collective.ALLREDUCE, Placement.ALIGNED, false, 1 << 20, way("lines"));
        StreamSelection selection = new StreamSelection(4, Map.of(where, kept));
        DeviceCall call = new DeviceCall(4);
        call.collective = Collective.ALLREDUCE;
        call.op = Reduction.predefined(Reduction.Operator.SUM);
        call.type = TypeLayout.of("MPI.DOUBLE", ElementKind.DOUBLE, 1);
        Choice table = selection.choice(Collective.ALLREDUCE, 1 << 20, Registration.BOTH);
        assertEquals("lines", table.algorithm().name());
        assertSame(kept, selection.measured(call, 1 << 20, Registration.BOTH, table));
        assertSame(table, selection.measured(call, 1 << 19, Registration.BOTH, table));
        assertSame(table, selection.measured(call, 1 << 20, Registration.NEITHER, table), "two-shot needs both");
        call.type = TypeLayout.of("MPI.INT", ElementKind.INT, 1);
        assertSame(table, selection.measured(call, 1 << 20, Registration.BOTH, table), "other bits may be tried there");
    }
}
