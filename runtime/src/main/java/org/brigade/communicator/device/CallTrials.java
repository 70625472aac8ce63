package org.brigade.communicator.device;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import mpi.spi.Collective;
import mpi.spi.Counts;
import org.brigade.algorithm.Placement;
import org.brigade.device.DeviceCall;
import org.brigade.device.DeviceGroup;
import org.brigade.device.Devices;
import org.brigade.select.Choice;
import org.brigade.select.MemorySpace;
import org.brigade.select.ResidentMode;
import org.brigade.select.Selector;
import org.brigade.select.Settings;
import org.brigade.select.trial.ToldTime;
import org.brigade.select.trial.MeasuredWay;
import org.brigade.select.trial.SameBits;
import org.brigade.select.trial.SizeClass;
import org.brigade.select.trial.WayTrial;
import org.brigade.select.trial.Way;
import org.brigade.tuned.MeasuredWays;

/**
 * The {@linkplain WayTrial trials} of one communicator, within its blocking calls. All members have the same: a member
 * tells the others with its next announcement what the last call took there, and all go by the longest time; what the
 * first member has read and found before is told when the group opens. Under the progress lock.
 *
 * <p>
 * A call: {@link #before}, and if all members have announced it {@link #agreed}, and if it runs {@link #begins} and
 * {@link #ended}.
 */
final class CallTrials {
    private static final int COUNT_BYTES = 4;
    private static final int MOST_BYTES = 256 << 10;
    /** Time in calls between two writings of the file. */
    private static final long SAVED_NANOS = 1_000_000_000L;

    private final MeasuredWays store;
    private final Settings settings = Settings.ofThisProcess();
    private final ResidentMode resident = ResidentMode.of(settings);
    private final Selector selector;
    private final int rank;
    private final int ranks;
    /** Null until the group is open, or if nobody knows what its GPUs are. */
    private String gpus;
    private final Map<SizeClass, Choice> kept = new HashMap<>();
    private final Map<SizeClass, WayTrial> trials = new HashMap<>();
    /** The trial of the last call that was alike but for where buffers lie: nobody knows that of the next one. */
    private final Map<SizeClass, WayTrial> last = new HashMap<>();
    /** By collective: whether the user says something of its choice. */
    private final boolean[] forced = new boolean[Collective.values().length];

    // The last call that ran, whose time the members have not told each other.
    private WayTrial pending;
    private Way pendingWay;
    private long pendingBytes;
    private int pendingTime;

    // The call under way.
    private WayTrial trial;
    private Way next;
    private Way running;
    private long began;
    private long unsaved;

    /** @param store what this process knows */
    CallTrials(MeasuredWays store, Selector selector, int rank, int ranks) {
        this.store = store;
        this.selector = selector;
        this.rank = rank;
        this.ranks = ranks;
        for (Collective collective : Collective.values()) {
            for (String what : MemorySpace.DEVICE.forced()) {
                forced[collective.ordinal()] |= settings.get(collective.key() + what) != null;
            }
        }
    }

    /** The group has opened on all members, on these GPUs; collective. */
    void opened(String machine, Devices.Exchange exchange) {
        if (machine == null) {
            return;
        }
        StringBuilder text = new StringBuilder();
        if (rank == 0) {
            for (MeasuredWay each : store.of(machine)) {
                String line = each + "\n";
                if (text.length() + line.length() <= MOST_BYTES) {
                    text.append(line);
                }
            }
        }
        byte[] mine = text.toString().getBytes(StandardCharsets.UTF_8);
        byte[] count = new byte[COUNT_BYTES];
        for (int i = 0; i < COUNT_BYTES; i++) {
            count[i] = (byte) (mine.length >>> 8 * i);
        }
        byte[] told = exchange.allgather(count)[0];
        int length = 0;
        for (int i = 0; i < COUNT_BYTES; i++) {
            length |= (told[i] & 0xff) << 8 * i;
        }
        if (length > 0) {
            byte[] all = exchange.allgather(rank == 0 ? mine : new byte[length])[0];
            new String(all, StandardCharsets.UTF_8).lines().map(MeasuredWay::parse).filter(Objects::nonNull)
                .forEach(this::keep);
        }
        gpus = machine;
    }

    private void keep(MeasuredWay way) {
        kept.put(way.where(), way.kept().choice("measured on these GPUs"));
    }

    /**
     * This member is about to announce a call. Prepares what would be tried in it.
     *
     * @return what to {@linkplain org.brigade.device.DeviceCallAnnouncements#report report}
     */
    int before(DeviceCall call, DeviceGroup group) {
        next = null;
        running = null;
        began = 0;
        trial = gpus == null || !isOurs(call) ? null : last.get(likes(call));
        next = trial == null ? null : trial.next(call.bytes);
        if (next != null) {
            began = trial.isFirst() ? System.nanoTime() : 0; // loading is part of what trying costs
            Choice shipped = call.choice;
            call.choice = next.choice("tried");
            String refusal = group.refuses(call);
            call.choice = shipped;
            if (refusal != null) {
                return ToldTime.REFUSED;
            }
        }
        return pendingTime;
    }

    /**
     * All members have announced the call, with this choice by the table: takes the times that they told, and chooses.
     *
     * @param agreement where they are
     */
    void agreed(DeviceAgreement agreement, DeviceCall call) {
        if (gpus == null) {
            return;
        }
        boolean refused = false;
        int longest = 0;
        for (int member = 0; member < ranks; member++) {
            int told = agreement.reported(member);
            refused |= told == ToldTime.REFUSED;
            longest = Math.max(longest, told);
        }
        WayTrial expected = trial;
        trial = null;
        hear(refused ? ToldTime.NONE : longest);
        if (call.shares || call.choice.staged() || !isOurs(call)) {
            return;
        }
        SizeClass where = likes(call).at(call.placement, Way.of(call.choice));
        Choice known = kept.get(where);
        if (known != null) {
            call.choice = Way.of(known).serves(ranks, call.bytes, call.placement) ? known : call.choice;
            return;
        }
        trial = trials.get(where);
        if (trial == null) {
            trial = new WayTrial(where, ranks, call.bytes, selector.table().costs());
            trials.put(where, trial);
        }
        last.put(likes(call), trial);
        trial.sees(call.bytes);
        boolean tries = next != null && trial == expected;
        if (refused && tries) {
            trial.refused();
        }
        running = tries && !refused ? next : trial.best(call.bytes);
        if (!running.equals(where.shipped())) {
            call.choice = running.choice(running.equals(next) ? "tried on these GPUs" : "the fastest so far here");
        }
    }

    private void hear(int longest) {
        if (pending != null && longest > ToldTime.NONE) {
            pending.took(pendingWay, pendingBytes, ToldTime.nanos(longest));
            unsaved += ToldTime.nanos(longest);
            if (pending.isOver()) {
                found(pending.result());
            }
        }
        pending = null;
        pendingTime = ToldTime.NONE;
    }

    private void found(MeasuredWay way) {
        keep(way);
        WayTrial over = trials.remove(way.where());
        last.values().removeIf(each -> each == over);
        if (rank == 0) {
            store.add(gpus, way);
            if (unsaved > SAVED_NANOS) {
                unsaved = 0;
                store.save(gpus);
            }
        }
    }

    /** Whether the choice for such a call is ours to make. */
    private boolean isOurs(DeviceCall call) {
        return call.collective.counts != Counts.LOCAL && call.bytes >= 1 && !forced[call.collective.ordinal()]
            && !(resident.on() && call.bytes <= resident.mostBytes());
    }

    /** The class of a call but for where its buffers lie, and what is shipped for that. */
    private SizeClass likes(DeviceCall call) {
        return SizeClass.of(call.collective, Placement.ALIGNED, SameBits.always(call.op, call.type, ranks), call.bytes,
            null);
    }

    /** The call is about to run on all members. */
    void begins() {
        if (began == 0 || next == null || !next.equals(running)) {
            began = System.nanoTime();
        }
    }

    /** It has ended here. */
    void ended(long bytes) {
        if (trial != null) {
            pending = trial;
            pendingWay = running;
            pendingBytes = bytes;
            pendingTime = ToldTime.code(System.nanoTime() - began);
        }
    }

    /** What is kept so far for collectives of which the user says nothing; the same on all members. */
    Map<SizeClass, Choice> kept() {
        Map<SizeClass, Choice> ours = new HashMap<>(kept);
        ours.keySet().removeIf(each -> forced[each.collective().ordinal()]);
        return ours;
    }

    /** The group closes. */
    void close() {
        if (rank == 0 && gpus != null) {
            store.save(gpus);
        }
    }
}
