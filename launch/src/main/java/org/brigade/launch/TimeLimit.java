package org.brigade.launch;

import java.io.IOException;
import org.brigade.transport.shm.RunningJob;
import org.brigade.waiting.WaitReport;

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

    /** What is said of a job that has no more time: who waits for whom in it. */
    String words(String job) {
        StringBuilder text = new StringBuilder("mpjrun: the job has run for " + seconds + " s (--timeout); ending it");
        try {
            for (RunningJob each : RunningJob.ofThisUser()) {
                if (each.key().equals(job)) {
                    for (String line : new WaitReport(each.ranks(), System.nanoTime()).lines()) {
                        text.append("\n  ").append(line);
                    }
                }
            }
        } catch (IOException unreadable) {
            // It ends without.
        }
        return text.toString();
    }
}
