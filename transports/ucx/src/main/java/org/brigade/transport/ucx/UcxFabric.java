package org.brigade.transport.ucx;

import mpi.ErrorClass;
import org.brigade.bootstrap.Exchange;
import org.brigade.bootstrap.Job;
import org.brigade.bootstrap.Nodes;
import org.brigade.select.FabricNames;
import org.brigade.select.Settings;
import org.brigade.transport.Fabric;
import org.brigade.transport.FabricEnd;
import org.brigade.transport.packet.PacketEnd;
import org.brigade.transport.ucx.library.Ucp;
import org.brigade.transport.ucx.library.UcxException;

/** Joins nodes by UCX, over whatever networks it finds there. It needs no MPI: the exchange carries its addresses. */
public final class UcxFabric implements Fabric {
    @Override
    public String name() {
        return FabricNames.UCX;
    }

    @Override
    public String unfit(Job job) {
        UcxSettings.of(Settings.ofThisProcess(), job.size());
        return UcxLibrary.missing();
    }

    @Override
    public String protocol() {
        return PacketEnd.longProtocol() + ", with UCX " + Ucp.LEAST_WITHDRAWING + " or later";
    }

    @Override
    public FabricEnd open(Job job, Nodes nodes, Exchange exchange) {
        UcxSettings settings = UcxSettings.of(Settings.ofThisProcess(), job.size());
        UcxCarrier carrier;
        try {
            carrier = UcxCarrier.open(job.rank(), job.size(), settings.unreachableNanos());
        } catch (UcxException e) {
            throw ErrorClass.OTHER.in("Init on rank " + job.rank() + " of " + job.size(),
                "UCX does not start: " + e.getMessage() + "; set UCX_LOG_LEVEL=info to see why, and look at the"
                    + " variables UCX_TLS and UCX_NET_DEVICES");
        }
        carrier.reach(exchange.allgather(carrier.address()));
        return new PacketEnd(job.rank(), job.size(), carrier, settings.windowBytes(), settings.patienceNanos(), false);
    }
}
