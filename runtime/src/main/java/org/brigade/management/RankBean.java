package org.brigade.management;

import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.function.Supplier;
import javax.management.InstanceAlreadyExistsException;
import javax.management.JMException;
import javax.management.ObjectName;
import mpi.ErrorClass;
import org.brigade.transport.Endpoint;
import org.brigade.waiting.FlightRecorder;
import org.brigade.waiting.RankActivity;
import org.brigade.waiting.RankState;
import org.brigade.waiting.RecordedCall;
import org.brigade.waiting.WaitReport;

/** The bean of this process's rank. A call costs the rank nothing more: the bean reads the rank's shared memory. */
final class RankBean implements RankMXBean, AutoCloseable {
    private final int rank;
    private final ObjectName name;
    /** Null when the memory is about to go. */
    private FlightRecorder recorder;
    private final Supplier<List<RankState>> states;
    private long calls;
    private int made;
    private long bytes;

    RankBean(int rank, FlightRecorder recorder, Supplier<List<RankState>> states) throws JMException {
        this.rank = rank;
        this.recorder = recorder;
        this.states = states;
        name = new ObjectName("org.brigade:type=Rank,rank=" + rank);
        ManagementFactory.getPlatformMBeanServer().registerMBean(this, name);
    }

    /** As {@link RankBeans#register}, in a JVM with beans. */
    static RankBean register(Endpoint endpoint, FlightRecorder recorder) {
        int rank = endpoint.rank();
        String call = "Init on rank " + rank + " of " + endpoint.size();
        try {
            return new RankBean(rank, recorder, endpoint::rankStates);
        } catch (InstanceAlreadyExistsException twice) {
            throw ErrorClass.OTHER.in(call, "brigade.jmx=on: this JVM has a bean of rank " + rank
                + " already, of another copy of Brigade; leave the setting out");
        } catch (JMException wrong) {
            throw ErrorClass.OTHER.in(call, "brigade.jmx=on: the JVM takes no bean: " + wrong);
        }
    }

    @Override
    public synchronized long getCalls() {
        if (recorder != null) {
            int now = recorder.made();
            calls += now - made & RankActivity.MODULUS - 1;
            made = now;
        }
        return calls;
    }

    @Override
    public synchronized long getBytes() {
        if (recorder != null) {
            bytes = recorder.sum();
        }
        return bytes;
    }

    private RecordedCall newest() {
        List<RecordedCall> newest = recorder == null ? List.of() : recorder.read(1);
        return newest.isEmpty() ? null : newest.get(0);
    }

    @Override
    public synchronized String getNewestCall() {
        RecordedCall call = newest();
        return call == null ? "" : (call.returned() ? "after " : "in ") + call.words();
    }

    @Override
    public synchronized long getNewestBytes() {
        RecordedCall call = newest();
        return call == null ? -1 : call.bytes();
    }

    @Override
    public synchronized String getNewestAlgorithm() {
        RecordedCall call = newest();
        return call == null ? "" : call.algorithm();
    }

    @Override
    public synchronized String getWaitingFor() {
        List<RankState> all = recorder == null ? List.of() : states.get();
        long now = System.nanoTime();
        for (RankState state : all) {
            if (state.rank() == rank && state.waits(now)) {
                return new WaitReport(all, now).words(state);
            }
        }
        return "";
    }

    /** Nobody reads the rank's memory afterwards. */
    @Override
    public void close() throws JMException {
        synchronized (this) {
            recorder = null;
        }
        ManagementFactory.getPlatformMBeanServer().unregisterMBean(name);
    }
}
