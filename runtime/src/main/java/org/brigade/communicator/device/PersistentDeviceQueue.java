package org.brigade.communicator.device;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import mpi.ErrorClass;
import mpi.MPIException;
import mpi.spi.Call;
import mpi.spi.DeviceBuffer;
import org.brigade.communicator.call.Diagnostics;
import org.brigade.device.DeviceCall;
import org.brigade.device.DeviceGroup;
import org.brigade.device.Devices;
import org.brigade.device.StartBoard;
import org.brigade.engine.Membership;
import org.brigade.engine.Progress;
import org.brigade.select.Choice;

/**
 * The persistent calls of one communicator on devices. Members may start them in different orders, but kernels of one
 * group must run in the same order on all devices. So the first member decides: when all have started a call, it
 * appends the call to an order on its {@link StartBoard}, and all members launch in that order. Nobody waits for
 * anything but that the others start what this rank has started.
 *
 * <p>
 * The calls have a group of their own, and a queue of the device, apart from those of nonblocking calls: these are
 * ordered otherwise. Both are opened when the first call is made, where all members meet. Under the progress lock.
 */
final class PersistentDeviceQueue extends DeviceQueue {
    private final Devices devices;
    private final DeviceMembers members;
    private final StartBoard board;
    private final KernelChoices choices;
    private final DeviceQueueThread thread;
    private final String name;
    /** By number: the calls that have not been freed, or are under way. */
    private final Map<Integer, StartedCall> calls = new HashMap<>();
    private final ArrayDeque<StartedCall> launched = new ArrayDeque<>();
    private boolean open;
    private boolean hopeless;
    /** Calls made so far, freed ones included. */
    private int made;
    /** Calls started and not launched. */
    private int waiting;
    /** The order that this rank decides; -1 if another does. */
    private int decided = -1;
    /** The order on the first member's board, and its next entry. */
    private int order;
    private long next;
    private Runnable atEnd;

    /** @param board null if this rank has none */
    PersistentDeviceQueue(Progress progress, Devices devices, Membership membership, DeviceMembers members,
        StartBoard board,
        KernelChoices choices, DeviceQueueThread thread, String name) {
        super(progress, membership, "a persistent call on device memory");
        this.devices = devices;
        this.members = members;
        this.board = board;
        this.choices = choices;
        this.thread = thread;
        this.name = name;
    }

    boolean isHopeless() {
        return board == null || hopeless;
    }

    // ---- calls are made ----

    /**
     * Makes a call that all members make, with their data in device memory. Collective. Null on all members if its
     * starts must go through the host.
     *
     * @param device with the placement and the places of all members
     * @throws MPIException on all members if the group cannot serve this call
     */
    StartedCall make(Call call, DeviceCall device) {
        if (!open && !openAll(device.send != null ? device.send : device.recv)) {
            return null;
        }
        Choice choice = choices.of(device, members.group().queueBlocks());
        device.choice = choice;
        device.mostBlocks = members.group().queueBlocks();
        String refusal = members.group().refuses(device);
        StartBoard.Call mine = refusal == null && choice != null ? board.take() : null;
        long[] card = mine == null ? new long[] {-1, refusal == null ? 0 : 1} : mine.card();
        long[][] cards = tell(card);
        int without = -1;
        boolean refused = false;
        for (int member = 0; member < cards.length; member++) {
            without = without < 0 && cards[member][0] < 0 ? member : without;
            refused |= cards[member][0] < 0 && cards[member][1] != 0;
        }
        if (without >= 0) {
            if (mine != null) {
                mine.free();
            }
            if (!refused) {
                return null;
            }
            throw ErrorClass.BUFFER.in(call.collective.key(), membership.rank, membership.members.length, name,
                refusal != null ? refusal
                    : "another rank cannot do its part of this call; its own error says why");
        }
        mine.meet(membership.members, cards, decided);
        StartedCall made = new StartedCall(progress, this, this.made++, call, device, mine);
        calls.put(made.number, made);
        return made;
    }

    /** Opens the group, its queue and the order; false on all members if one of them cannot. */
    private boolean openAll(DeviceBuffer buffer) {
        DeviceGroup group = members.group() != null ? members.group() : members.open(buffer);
        boolean queue = group != null && group.openQueue();
        decided = queue && membership.rank == 0 ? board.takeOrder() : -1;
        long[][] cards = tell(new long[] {queue && (membership.rank != 0 || decided >= 0) ? Math.max(0, decided) : -1,
            decided >= 0 ? board.entries(decided) : 0});
        open = true;
        for (long[] card : cards) {
            open &= card[0] >= 0;
        }
        order = (int) cards[0][0];
        next = cards[0][1] + 1;
        if (!open) {
            hopeless = true;
            close();
        }
        return open;
    }

    private long[][] tell(long[] words) {
        ByteBuffer mine = ByteBuffer.allocate(8 * words.length);
        mine.asLongBuffer().put(words);
        byte[][] all = members.allgather(mine.array());
        long[][] cards = new long[all.length][words.length];
        for (int member = 0; member < all.length; member++) {
            ByteBuffer.wrap(all[member]).asLongBuffer().get(cards[member]);
        }
        return cards;
    }

    // ---- calls are started ----

    /** This rank starts a call. */
    void start(StartedCall call) {
        String what = call.call.collective.key();
        if (membership.isRevoked()) {
            throw membership.revoked(what);
        }
        MPIException gone = progress.losses.lostAlready(what, membership);
        if (gone != null) {
            throw gone;
        }
        long send = export(call.device.send, what, "sendbuf");
        long recv = export(call.device.recv, what, "recvbuf");
        call.begin();
        waiting++;
        call.board.start(send, recv);
        thread.serve(this);
    }

    private long export(DeviceBuffer buffer, String what, String which) {
        long export = buffer == null ? Devices.UNREACHABLE : devices.export(progress.endpoint, buffer);
        if (buffer != null && export == Devices.UNREACHABLE) {
            throw ErrorClass.BUFFER.in(what, membership.rank, membership.members.length, name, which + " is " + buffer
                + ", and the other ranks cannot map it any more; keep the memory until the request is freed");
        }
        return export;
    }

    /** A call is not started again; if it is under way, it ends. */
    void free(StartedCall call) {
        if (call.isOver()) {
            forget(call);
        } else {
            call.freed = true;
        }
    }

    private void forget(StartedCall call) {
        if (calls.remove(call.number) != null) {
            call.board.free();
            call.device.release();
            ends();
        }
    }

    // ---- progress ----

    @Override
    public boolean poll() {
        boolean moved = decided >= 0 && waiting > 0 && decide();
        for (int number = read(); number >= 0; number = read()) {
            next++;
            StartedCall call = calls.get(number);
            if (call != null && call.waits) { // else it has failed here
                launch(call);
            }
            moved = true;
        }
        while (!launched.isEmpty() && hasEnded(launched.peek())) {
            StartedCall call = launched.remove();
            if (call.freed) {
                forget(call);
            }
            moved = true;
        }
        return moved;
    }

    private int read() {
        return waiting == 0 ? -1 : board.read(membership.members[0], order, next);
    }

    /** Appends to the order what all members have started. */
    private boolean decide() {
        boolean any = false;
        for (StartedCall call : calls.values()) {
            if (call.waits && !call.ordered && isStartedByAll(call)) {
                call.ordered = true;
                board.append(decided, call.number);
                any = true;
            }
        }
        return any;
    }

    private boolean isStartedByAll(StartedCall call) {
        for (int member = 0; member < membership.members.length; member++) {
            if (!call.board.hasStarted(member)) {
                return false;
            }
        }
        return true;
    }

    private void launch(StartedCall call) {
        DeviceCall device = call.device;
        try {
            for (int member = 0; member < membership.members.length; member++) {
                device.sendExport[member] = call.board.sendExport(member);
                device.recvExport[member] = call.board.recvExport(member);
            }
            call.launched = members.group().launch(device);
            launched.add(call);
            Diagnostics.ran(device.choice);
        } catch (RuntimeException e) {
            call.end(e);
        } finally {
            waitsNoMore(call);
        }
    }

    private void waitsNoMore(StartedCall call) {
        call.waits = false;
        call.board.launched();
        waiting--;
    }

    private boolean hasEnded(StartedCall call) {
        try {
            if (!members.group().hasEnded(call.launched, this)) {
                return false;
            }
            call.end(null);
        } catch (RuntimeException e) {
            call.end(e);
        }
        return true;
    }

    @Override
    public boolean isIdle() {
        return waiting == 0 && launched.isEmpty();
    }

    @Override
    public boolean hasAnnounced() {
        return waiting > 0;
    }

    @Override
    public void idles() {
        ends();
    }

    /** Does this when no call can be started any more, which may be now. */
    void atEnd(Runnable action) {
        atEnd = action;
        ends();
    }

    private void ends() {
        if (atEnd != null && calls.isEmpty() && isIdle()) {
            Runnable action = atEnd;
            atEnd = null;
            action.run();
        }
    }

    /** Closes the group. */
    void close() {
        if (members.group() != null) {
            members.group().closeQueue();
            members.close();
        }
        if (decided >= 0) {
            board.giveOrder(decided);
            decided = -1;
        }
    }

    // ---- errors ----

    @Override
    public void failLost(boolean leaving) {
        for (StartedCall call : calls.values()) {
            for (int member = 0; member < membership.members.length && call.waits; member++) {
                boolean begun = leaving && (member == membership.rank || call.board.hasStarted(member));
                MPIException gone = inVain(call.call.collective.key(), member, leaving, begun);
                if (gone != null) {
                    call.end(gone);
                    waitsNoMore(call);
                }
            }
        }
    }
}
