package org.brigade.communicator.device;

import java.util.ArrayDeque;
import mpi.MPIException;
import mpi.spi.Counts;
import mpi.spi.DeviceBuffer;
import org.brigade.algorithm.Placement;
import org.brigade.communicator.call.CallCheck;
import org.brigade.communicator.call.CallSequence;
import org.brigade.communicator.call.Diagnostics;
import org.brigade.device.DeviceCall;
import org.brigade.device.DeviceCallAnnouncements;
import org.brigade.device.DeviceGroup;
import org.brigade.engine.Membership;
import org.brigade.engine.Progress;
import org.brigade.select.Choice;

/**
 * The nonblocking calls of one communicator on devices. A call is launched as soon as all members have announced it, by
 * whoever makes progress: a thread that waits, or {@link DeviceQueueThread}. Launches of one communicator come in the
 * calls' order and run one after another; those of several communicators come in any order, as each has room of its own
 * on the device ({@link DeviceGroup#openQueue}). Under the progress lock.
 *
 * <p>
 * The first call opens the group and its queue. Its members meet in that, so it is left to the thread; what follows
 * waits. If a member has no queue left, all calls of the communicator run on the host.
 */
final class NonblockingDeviceQueue extends DeviceQueue {
    private final CallSequence calls;
    private final DeviceCallAnnouncements line;
    private final DeviceMembers members;
    private final KernelChoices choices;
    /** Announced and not launched; launched and not ended. */
    private final ArrayDeque<NonblockingDeviceCall> announced = new ArrayDeque<>();
    private final ArrayDeque<NonblockingDeviceCall> launched = new ArrayDeque<>();
    private boolean open;
    private boolean hopeless;
    private boolean opening;
    /** What has to wait for the end of all calls; null if nothing does. */
    private Runnable atEnd;

    NonblockingDeviceQueue(Progress progress, CallSequence calls, DeviceCallAnnouncements line, Membership membership,
        DeviceMembers members,
        KernelChoices choices) {
        super(progress, membership, "a nonblocking call on device memory");
        this.calls = calls;
        this.line = line;
        this.members = members;
        this.choices = choices;
    }

    @Override
    public boolean isIdle() {
        return announced.isEmpty() && launched.isEmpty();
    }

    @Override
    public boolean hasAnnounced() {
        return !announced.isEmpty();
    }

    boolean isHopeless() {
        return hopeless;
    }

    /** Adds a call that has just been announced. */
    void add(NonblockingDeviceCall call) {
        announced.add(call);
    }

    /** Waits until no call is under way: who meets in a blocking call has ended all before. */
    void settle(DeviceAgreement agreement, String name) {
        if (!isIdle()) {
            DeviceGroup.Waiting settling = agreement.beginWait(name);
            try {
                while (!isIdle()) {
                    settling.turn();
                }
            } finally {
                agreement.endWait();
            }
        }
    }

    /** Does this when no call is under way any more, which may be now. */
    void whenIdle(Runnable action) {
        if (isIdle()) {
            action.run();
        } else {
            atEnd = action;
        }
    }

    @Override
    public void idles() {
        if (atEnd != null) {
            atEnd.run();
            atEnd = null;
        }
    }

    // ---- progress ----

    @Override
    public boolean poll() {
        boolean moved = false;
        while (!announced.isEmpty() && decide(announced.peek())) {
            moved = true;
        }
        while (!launched.isEmpty() && hasEnded(launched.peek())) {
            launched.remove();
            moved = true;
        }
        return moved;
    }

    /** Launches a call, or passes it to the host; false if it has to wait. */
    private boolean decide(NonblockingDeviceCall call) {
        boolean all = true;
        for (int member = 0; member < membership.members.length; member++) {
            if (member != membership.rank && (call.seen >> member & 1) == 0) {
                int found = line.lookLater(member, call.number);
                if (found == DeviceCallAnnouncements.HOST) {
                    toHost(call);
                    return true;
                }
                all &= found == DeviceCallAnnouncements.DEVICE && note(call, member);
            }
        }
        if (!all) {
            return false;
        }
        if (call.isOver() || members.isHopeless() || hopeless) {
            toHost(call);
            return true;
        }
        if (!open) {
            opening = true;
            return false;
        }
        launch(call);
        return true;
    }

    private static boolean note(NonblockingDeviceCall call, int member) {
        call.seen |= 1L << member;
        return true;
    }

    private void decided(NonblockingDeviceCall call) {
        announced.remove();
        line.decided(call.number);
    }

    private void toHost(NonblockingDeviceCall call) {
        decided(call);
        if (!call.isOver()) { // else an error has been thrown already
            try {
                call.follow(call.onHost.start(call.key));
            } catch (RuntimeException e) {
                call.end(e);
            }
        }
    }

    private void launch(NonblockingDeviceCall call) {
        RuntimeException wrong = compare(call);
        Choice choice = wrong == null ? choices.of(call.device, members.group().queueBlocks()) : null;
        if (wrong == null && choice == null) {
            toHost(call);
            return;
        }
        decided(call);
        if (wrong != null) {
            call.end(wrong);
            return;
        }
        call.device.choice = choice;
        call.device.mostBlocks = members.group().queueBlocks();
        try {
            call.launched = members.group().launch(call.device);
            launched.add(call);
            Diagnostics.ran(choice);
        } catch (RuntimeException e) {
            call.end(e);
        }
    }

    /** Reads all members' announcements; the error of a call that does not match, the same class on all. */
    private MPIException compare(NonblockingDeviceCall call) {
        DeviceCall device = call.device;
        Placement placement = Placement.ALIGNED;
        long what = CallCheck.what(call.call);
        boolean local = call.call.collective.counts == Counts.LOCAL;
        long bytes = call.call.bytes();
        long sum = 0;
        MPIException wrong = null;
        for (int member = 0; member < membership.members.length; member++) {
            line.lookLater(member, call.number);
            if (wrong == null
                && (line.word(member, DeviceCallAnnouncements.WHAT) != what
                    || !local && line.word(member, DeviceCallAnnouncements.BYTES) != bytes)) {
                wrong =
                    CallCheck.mismatch(call.call, calls.name(), member, line.word(member, DeviceCallAnnouncements.WHAT),
                        line.word(member, DeviceCallAnnouncements.BYTES));
            }
            sum += line.word(member, DeviceCallAnnouncements.BYTES);
            placement = placement.and(line.placement(member));
            device.sendExport[member] = line.word(member, DeviceCallAnnouncements.SEND_EXPORT);
            device.sendBegin[member] = line.word(member, DeviceCallAnnouncements.SEND_BEGIN);
            device.recvExport[member] = line.word(member, DeviceCallAnnouncements.RECV_EXPORT);
            device.recvBegin[member] = line.word(member, DeviceCallAnnouncements.RECV_BEGIN);
        }
        device.placement = placement;
        return wrong == null && local && sum != 0 ? CallCheck.unbalanced(call.call, calls.name()) : wrong;
    }

    private boolean hasEnded(NonblockingDeviceCall call) {
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

    // ---- opening ----

    @Override
    public boolean isOpening() {
        return opening && !announced.isEmpty();
    }

    @Override
    public void open() {
        if (announced.isEmpty()) { // they have failed meanwhile: a member is lost
            opening = false;
            return;
        }
        DeviceCall first = announced.peek().device;
        DeviceBuffer buffer = first.send != null ? first.send : first.recv;
        try {
            DeviceGroup group = members.group() != null ? members.group() : members.open(buffer);
            open = group != null && members.firstWithout(group.openQueue()) < 0;
            hopeless = !open;
            if (hopeless && group != null) {
                group.closeQueue();
            }
        } catch (RuntimeException e) {
            hopeless = true;
            fail(e);
        } finally {
            opening = false;
        }
    }

    // ---- errors ----

    @Override
    public void failLost(boolean leaving) {
        for (int member = 0; member < membership.members.length && !announced.isEmpty(); member++) {
            NonblockingDeviceCall first = announced.peek();
            boolean begun = leaving
                && (member == membership.rank
                    || line.lookLater(member, first.number) != DeviceCallAnnouncements.ABSENT);
            MPIException gone = inVain(first.call.collective.key(), member, leaving, begun);
            if (gone != null) {
                fail(gone);
            }
        }
    }

    private void fail(RuntimeException why) {
        while (!announced.isEmpty()) {
            NonblockingDeviceCall call = announced.peek();
            decided(call);
            call.end(why);
        }
    }
}
