package org.brigade.transport.sisci;

import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;
import mpi.ErrorClass;
import org.brigade.bootstrap.Exchange;
import org.brigade.bootstrap.Job;
import org.brigade.bootstrap.Nodes;
import org.brigade.pattern.NetworkSpeed;
import org.brigade.select.FabricNames;
import org.brigade.select.Settings;
import org.brigade.transport.Fabric;
import org.brigade.transport.FabricEnd;
import org.brigade.transport.sisci.adapter.Adapter;
import org.brigade.transport.sisci.adapter.SisciException;
import org.brigade.transport.sisci.adapter.SisciLibrary;
import org.brigade.transport.sisci.adapter.SisciSettings;

/** Joins nodes by Dolphin's adapters, or processes that stand in for such nodes (BRIGADE_SISCI=emulated). */
public final class SisciFabric implements Fabric {
    /** kritjo/sisci-perf, charts of September 2024: 1 KiB in 1.03 us, stores at 7.7 GB/s. */
    private static final NetworkSpeed SPEED =
        new NetworkSpeed(1_000, 61_600_000_000L, 1, "SISCI adapters, as measured elsewhere");

    @Override
    public String name() {
        return FabricNames.SISCI;
    }

    @Override
    public NetworkSpeed speed() {
        return SPEED;
    }

    @Override
    public String unfit(Job job) {
        SisciSettings.of(Settings.ofThisProcess());
        return SisciLibrary.missing();
    }

    @Override
    public FabricEnd open(Job job, Nodes nodes, Exchange exchange) {
        CRC32C name = new CRC32C();
        name.update(job.key().getBytes(StandardCharsets.UTF_8));
        SisciEnd end;
        try {
            end =
                SisciEnd.listen(Adapter.open(SisciSettings.of(Settings.ofThisProcess())), job.rank(), name.getValue());
        } catch (SisciException e) {
            throw ErrorClass.OTHER.in("Init on rank " + job.rank() + " of " + job.size(),
                "SISCI adapter " + SisciLibrary.adapter() + " of node " + SisciLibrary.node() + ": " + e.getMessage());
        }
        byte[][] addresses = exchange.allgather(end.address());
        try {
            end.begin(addresses);
        } catch (SisciEnd.UnreachableException e) {
            throw ErrorClass.OTHER.in("Init on rank " + job.rank() + " of " + job.size(), e.getMessage());
        }
        return end;
    }
}
