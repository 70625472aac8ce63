package org.brigade.transport.shm;

import java.nio.file.Path;
import mpi.MPIException;
import org.brigade.transport.Endpoint;

/**
 * A rank in a process of its own: {@code SegmentChild DIRECTORY KEY RANK SIZE TIMEOUT_MS ENDING}. Says {@code opened}
 * or the error, and then ends as it is told: {@code hold} waits to be killed, {@code exit} leaves without a word,
 * {@code finish} finalizes, {@code cores} says whether it has a processor to itself.
 */
public final class SegmentChild {
    private SegmentChild() {
    }

    public static void main(String[] arguments) throws InterruptedException {
        SegmentSettings settings = new SegmentSettings(null, Long.parseLong(arguments[4]));
        Endpoint end;
        try {
            end = new ShmTransport(Path.of(arguments[0]), settings)
                .open(SegmentRanks.job(Integer.parseInt(arguments[2]), Integer.parseInt(arguments[3]), arguments[1]));
        } catch (MPIException e) {
            System.out.println(e.getMessage());
            return;
        }
        System.out.println("opened");
        if (arguments[5].equals("cores")) {
            System.out.println(end.cores().name());
        }
        if (arguments[5].equals("hold")) {
            Thread.sleep(60_000);
        }
        if (arguments[5].equals("finish")) {
            end.finished();
            end.close();
        }
    }
}
