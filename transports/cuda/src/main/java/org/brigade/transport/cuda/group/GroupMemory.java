package org.brigade.transport.cuda.group;

import mpi.ErrorClass;
import org.brigade.device.DeviceCall;
import org.brigade.device.Devices;
import org.brigade.transport.cuda.ipc.ImportTable;
import org.brigade.transport.cuda.kernel.Blocks;

/** The memory of one group's calls: the members' buffers as mapped here, and the call as blocks. */
public class GroupMemory {
    final int rank;
    final int ranks;
    final Blocks blocks;
    final int[] members;
    private final ImportTable imports;

    public GroupMemory(int[] members, int rank, ImportTable imports) {
        this.members = members;
        this.rank = rank;
        this.ranks = members.length;
        this.imports = imports;
        blocks = new Blocks(ranks, rank);
    }

    /**
     * The address here of a member's input; a member in place has no send buffer, and its input is its receive buffer.
     */
    protected long sendOf(DeviceCall call, int member) {
        return call.sendExport[member] != Devices.UNREACHABLE
            ? locate(call, member, call.sendExport[member], call.sendBegin[member], "send") : recvOf(call, member);
    }

    /** The address here of a member's output. */
    protected long recvOf(DeviceCall call, int member) {
        return locate(call, member, call.recvExport[member], call.recvBegin[member], "receive");
    }

    private long locate(DeviceCall call, int member, long export, long begin, String which) {
        long address = export == Devices.UNREACHABLE ? 0 : imports.address(members[member], export);
        if (address == 0) {
            throw ErrorClass.OTHER.in(call.collective.key(),
                "rank " + members[member] + "'s " + which + " buffer in device memory cannot be mapped by rank "
                    + members[rank] + ": "
                    + (export == Devices.UNREACHABLE ? "it was not exported" : imports.why()));
        }
        return address + begin;
    }
}
