package org.brigade.transport.sisci;

import java.util.Arrays;
import mpi.spi.DeviceBuffer;
import org.brigade.device.DeviceRange;
import org.brigade.transport.sisci.adapter.AttachedMemory.Attachment;

/**
 * Finds out whether DMA out of this process's device memory arrives at a peer. An adapter may refuse such memory, or
 * refuse to read it, or report success and move nothing. So before the first message from a device to a peer, a sample
 * is sent, and the peer compares checksums. Device memory goes through host memory until the peer has answered yes.
 * Under the connection's lock.
 */
final class DeviceProbe {
    private enum State { UNKNOWN, SENT, ASKED, WORKS, STAGED }

    private final SisciDeviceSide side;
    private final ConnectionOwner owner;
    private final int peer;
    private State[] states = {};
    /** How many probes the peer has been asked about, and the device of the last one. */
    private int asked;
    private int askedOf;
    private int askedOn;

    DeviceProbe(SisciDeviceSide side, ConnectionOwner owner, int peer) {
        this.side = side;
        this.owner = owner;
        this.peer = peer;
    }

    /**
     * The attachment for a message in device memory that begins on a lane; the caller must release it. Null if the
     * message must be staged. Also null while the lane says that it is probing: then try again.
     */
    Attachment attachment(DeviceProbeSender lane, DeviceBuffer buffer) {
        DeviceRange range = side.range(buffer);
        if (range == null) {
            return null;
        }
        int device = range.device();
        if (device >= states.length) {
            int known = states.length;
            states = Arrays.copyOf(states, device + 1);
            Arrays.fill(states, known, states.length, State.UNKNOWN);
        }
        if (states[device] == State.ASKED && device == askedOf) {
            hear(lane);
        }
        if (states[device] == State.UNKNOWN && !isOut()) {
            begin(lane, buffer, device);
        }
        return states[device] == State.WORKS ? side.attached().attach(range) : null;
    }

    /** Whether a probe is under way. There is only one at a time. */
    private boolean isOut() {
        for (State state : states) {
            if (state == State.SENT || state == State.ASKED) {
                return true;
            }
        }
        return false;
    }

    private void begin(DeviceProbeSender lane, DeviceBuffer buffer, int device) {
        SisciDeviceSide.Sample sample = side.sample(buffer, device);
        DeviceRange range = sample.memory() == null ? null : side.range(sample.memory());
        Attachment attachment = range == null ? null : side.attached().attach(range);
        if (attachment == null) {
            settle(device,
                range == null ? "the driver gives the adapter no access to the memory" : side.attached().refusal());
        } else if (lane.start(attachment, sample.memory().address, asked + 1, sample.checksum())) {
            asked++;
            askedOf = device;
            states[device] = State.SENT;
        } else {
            side.attached().release(attachment); // no channel, or no room: another time
        }
    }

    /** The DMA has ended. */
    void sent(Attachment attachment, int lane, String failure) {
        side.attached().release(attachment);
        askedOn = lane;
        if (failure == null) {
            states[askedOf] = State.ASKED;
        } else {
            settle(askedOf, failure);
        }
    }

    /** Reads the peer's answer, if there is one. The peer answers on the lane by which the probe came. */
    private void hear(DeviceProbeSender lane) {
        long verdict = lane.verdict(askedOn);
        if (verdict >>> 1 == asked) {
            settle(askedOf, (verdict & 1) != 0 ? null : "the transfer reports success, but something else arrives");
        }
    }

    /** A transfer failed although the probe succeeded. */
    void failed(int device, String why) {
        if (states[device] == State.WORKS) {
            settle(device, why);
        }
    }

    private void settle(int device, String why) {
        states[device] = why == null ? State.WORKS : State.STAGED;
        owner.deviceFound(peer, why);
    }
}
