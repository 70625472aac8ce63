package org.brigade.communicator.job;

import mpi.spi.Envelope;
import mpi.spi.SendMode;
import org.brigade.engine.Membership;
import org.brigade.matching.CommunicatorMessages;
import org.brigade.transport.Endpoint;

/**
 * Contexts that come back: whoever frees a communicator tells its rank 0, which made the context; see
 * {@link Contexts#ended}.
 */
final class FreedContexts {
    private static final int CONTEXT = 5;
    private static final int BYTES = 5 * Long.BYTES;

    private final LinkedJob job;
    private final Endpoint endpoint;
    /** Carries those messages. */
    private final CommunicatorMessages endings;
    private boolean named;

    FreedContexts(LinkedJob job) {
        this.job = job;
        endpoint = job.endpoint();
        // This communicator returns errors, so that a lost leader does not end the job.
        endings = CommunicatorMessages.first(job.progress(), CONTEXT,
            new Membership(endpoint.rank(), job.ranks(), "MPI_COMM_WORLD", true));
    }

    /** This rank has freed a communicator. */
    void ended(int context, int[] members, long unreceived, long calls, boolean clean) {
        if (members[0] == endpoint.rank()) {
            job.contexts().ended(context, members.length, unreceived, calls, clean);
            hear();
        } else if (!job.progress().losses.isSomeoneLost() || endpoint.lost(members[0]) == null) {
            long[] words = {context, members.length, unreceived, calls, clean ? 1 : 0};
            // Nobody waits for this message: rank 0 may be gone already.
            endings().isend(words, 0, BYTES, members[0], 0, SendMode.STANDARD);
        }
    }

    /** The messages that all others of the job are made of. */
    CommunicatorMessages messages() {
        return endings;
    }

    private CommunicatorMessages endings() {
        if (!named) {
            named = true;
            job.progress().recorder.names(CONTEXT, "the library");
        }
        return endings;
    }

    /** Takes back what other ranks have freed. */
    synchronized void hear() {
        Envelope envelope = new Envelope();
        long[] words = new long[BYTES / Long.BYTES];
        while (endings().iprobe(-1, -1, envelope)) {
            endings.recv(words, 0, BYTES, envelope.source, 0, envelope, "Comm.free");
            job.contexts().ended((int) words[0], (int) words[1], words[2], words[3], words[4] != 0);
        }
    }
}
