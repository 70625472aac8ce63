package org.brigade.transport.cuda.ipc;

import java.util.Arrays;
import org.brigade.memory.NativeMemory;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * A line is offered, taken back and offered anew while a peer reads it: what the peer takes is one offer, whole, and
 * the one it asked for.
 */
@JCStressTest
@Outcome(id = {"0"}, expect = Expect.ACCEPTABLE, desc = "Not there (any more), or whole.")
@Outcome(expect = Expect.FORBIDDEN, desc = "An offer mixed of two.")
@State
public class ExportStress {
    private static final int OFFERS = 10;

    /** As much of a board as has the first line: many are alive at once. */
    private final NativeMemory board = NativeMemory.allocate(ExportEntry.TABLE + ExportEntry.BYTES);
    private final ExportEntry written = new ExportEntry();
    private final ExportEntry seen = new ExportEntry();

    @Actor
    public void owner() {
        for (int generation = 1; generation <= OFFERS; generation++) {
            written.base = generation;
            written.bytes = generation * 3L;
            written.bufferId = generation * 5L;
            written.process = generation * 7L;
            Arrays.fill(written.gpu, (byte) generation);
            for (int i = 0; i < written.handle.length; i++) {
                written.handle[i] = generation * 11L + i;
            }
            written.write(board, ExportEntry.number(generation, 0));
            if (generation % 3 == 0) {
                ExportEntry.retire(board, 0);
            }
        }
    }

    @Actor
    public void peer(I_Result result) {
        for (int look = 0; look < OFFERS; look++) {
            long number = ExportEntry.offered(board, 0);
            if (number != 0 && seen.read(board, number)) {
                long generation = number >> ExportEntry.LINE_BITS;
                boolean whole = seen.base == generation && seen.bytes == generation * 3
                    && seen.bufferId == generation * 5 && seen.process == generation * 7;
                for (byte part : seen.gpu) {
                    whole &= part == generation;
                }
                for (int i = 0; i < seen.handle.length; i++) {
                    whole &= seen.handle[i] == generation * 11 + i;
                }
                result.r1 |= whole ? 0 : 1;
            }
        }
    }
}
