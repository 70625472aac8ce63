package org.brigade.launch;

import java.util.List;

/** Ends a job that runs for too long. */
final class TimeLimit {
    /** The exit code, as that of Open MPI's mpirun: ETIMEDOUT. */
    static final int CODE = 110;
    private static final long SECOND = 1000;

    private final int seconds;
    private Thread timer;
    private boolean stopped;
    private boolean over;

    /** @param seconds 0: no limit */
    TimeLimit(int seconds) {
        this.seconds = seconds;
    }

    /** @param end ends the job when the time is over */
    void start(Runnable end) {
        if (seconds == 0) {
            return;
        }
        timer = new Thread("time limit") {
            @Override
            public void run() {
                try {
                    sleep(seconds * SECOND);
                    if (begin()) {
                        end.run();
                    }
                } catch (InterruptedException ended) {
                    // The job has ended in time.
                }
            }
        };
        timer.setDaemon(true);
        timer.start();
    }

    private synchronized boolean begin() {
        over = !stopped;
        return over;
    }

    /** Whether the job is being ended for its time. */
    synchronized boolean isOver() {
        return over;
    }

    /** The job has ended. Returns whether that was for its time; what is said of it has been said then. */
    boolean stop() throws InterruptedException {
        synchronized (this) {
            stopped = true;
        }
        if (timer != null && isOver()) {
            timer.join();
        }
        return isOver();
    }

    /** What is said of a job that has no more time, with who waits for whom in it. */
    String words(List<String> waits) {
        StringBuilder text = new StringBuilder("mpjrun: the job has run for " + seconds + " s (--timeout); ending it");
        for (String line : waits) {
            text.append("\n  ").append(line);
        }
        return text.toString();
    }
}
