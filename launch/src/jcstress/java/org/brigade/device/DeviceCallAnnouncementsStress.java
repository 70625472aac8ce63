package org.brigade.device;

import java.lang.reflect.Proxy;
import org.brigade.algorithm.Placement;
import org.brigade.memory.NativeMemory;
import org.brigade.transport.Endpoint;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * Two members, one call after another, some announced by both, some by one, some by none: they conclude the same, and
 * find each other's words whole.
 */
@JCStressTest
@Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "Every call concluded alike, every announcement whole.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Members concluded differently, or an announcement was torn.")
@State
public class DeviceCallAnnouncementsStress {
    private static final int CALLS = 12;
    private static final int TRIES = 200;

    private static final class Member {
        private final DeviceCallAnnouncements line;
        private final int rank;
        private int call;
        private boolean announced;
        private int concluded;
        private int torn;

        Member(NativeMemory[] boards, int rank) {
            this.rank = rank;
            line = AnnouncementBoard.of(end(boards, rank), 1).claim(9, rank, new int[] {0, 1});
        }

        /** All that a board asks of its endpoint. */
        private static Endpoint end(NativeMemory[] boards, int rank) {
            return (Endpoint) Proxy.newProxyInstance(DeviceCallAnnouncementsStress.class.getClassLoader(),
                new Class<?>[] {Endpoint.class}, (end, method, arguments) -> switch (method.getName()) {
                    case "rank" -> rank;
                    case "size" -> boards.length;
                    case "board" -> boards[(int) arguments[0]];
                    case "nodes" -> null; // all on one
                    default -> throw new IllegalStateException(method.getName());
                });
        }

        /** Of every four calls one is announced by both, two by one, one by none. */
        private boolean isAnnounced() {
            return (call >> rank & 1) == 0;
        }

        void step() {
            if (call == CALLS) {
                return;
            }
            if (!announced) {
                if (!isAnnounced()) {
                    line.passed(++call);
                    return;
                }
                line.announce(call, call, ~call, Placement.ALIGNED, call + 1, call + 2, call + 3, call + 4);
                announced = true;
            }
            int seen = line.look(1 - rank, call);
            if (seen == DeviceCallAnnouncements.ABSENT) {
                return;
            }
            if (seen == DeviceCallAnnouncements.DEVICE) {
                concluded |= 1 << call;
                boolean whole =
                    line.word(1 - rank, DeviceCallAnnouncements.WHAT) == call
                        && line.word(1 - rank, DeviceCallAnnouncements.BYTES) == ~call;
                for (int word = DeviceCallAnnouncements.SEND_EXPORT; word < DeviceCallAnnouncements.WORDS; word++) {
                    whole &= line.word(1 - rank, word) == call + word - 1;
                }
                torn += whole ? 0 : 1;
            }
            announced = false;
            call++;
        }
    }

    /** As much of each as has the first line: many are alive at once. */
    private final NativeMemory[] boards =
        {NativeMemory.allocate(AnnouncementBoard.bytes(1)), NativeMemory.allocate(AnnouncementBoard.bytes(1))};
    private final Member zero = new Member(boards, 0);
    private final Member one = new Member(boards, 1);

    @Actor
    public void first() {
        for (int i = 0; i < TRIES; i++) {
            zero.step();
        }
    }

    @Actor
    public void second() {
        for (int i = 0; i < TRIES; i++) {
            one.step();
        }
    }

    @Arbiter
    public void rest(II_Result result) {
        for (int i = 0; i < TRIES; i++) {
            zero.step();
            one.step();
        }
        int expected = 0;
        for (int call = 0; call < CALLS; call += 4) {
            expected |= 1 << call;
        }
        result.r1 = zero.torn + one.torn;
        result.r2 = (zero.concluded ^ expected) | (one.concluded ^ expected);
    }
}
