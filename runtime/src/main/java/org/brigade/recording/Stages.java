package org.brigade.recording;

import org.brigade.waiting.CallKey;

/** The stages under way of one running schedule, one a lane. Used only while {@link CallRecording#ON}. */
public final class Stages {
    private StageEvent[] events = {};
    private long[] begun = {};
    private long[] attempt = {};
    /** Nanoseconds until the first byte moved; -1 as long as none has. */
    private long[] waited = {};

    /** A lane's next step may run. */
    public void begin(int lane, int lanes) {
        if (events.length < lanes) {
            events = new StageEvent[lanes];
            begun = new long[lanes];
            attempt = new long[lanes];
            waited = new long[lanes];
        }
        events[lane] = new StageEvent();
        events[lane].begin();
        begun[lane] = System.nanoTime();
        waited[lane] = -1;
    }

    /** The step is tried. */
    public void attempt(int lane) {
        attempt[lane] = System.nanoTime();
    }

    /** The attempt has moved bytes. */
    public void moved(int lane) {
        if (waited[lane] < 0) {
            waited[lane] = attempt[lane] - begun[lane];
        }
    }

    /**
     * The step is done.
     *
     * @param key of the call's messages
     * @param peer rank of the job; -1 if the step is local
     */
    public void end(int lane, String collective, String communicator, long key, String algorithm, String stage,
        int peer, long bytes) {
        StageEvent event = events[lane];
        moved(lane);
        event.end();
        commit(event, collective, communicator, key, algorithm, stage, lane, peer, bytes,
            peer < 0 ? 0 : waited[lane]);
    }

    /** Writes a stage that has ended, if it has taken long enough. */
    public static void commit(StageEvent event, String collective, String communicator, long key, String algorithm,
        String stage, int lane, int peer, long bytes, long waited) {
        if (event.shouldCommit()) {
            event.collective = collective;
            event.communicator = communicator;
            event.context = (int) (key >>> 32);
            event.number = CallKey.number(key);
            event.algorithm = algorithm;
            event.stage = stage;
            event.lane = lane;
            event.peer = peer;
            event.bytes = bytes;
            event.waited = waited;
            event.commit();
        }
    }
}
