package org.brigade.examples.tensors;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import mpi.Intracomm;
import mpi.MPIException;
import org.brigade.examples.tensors.Submissions.Submission;

/** What the ranks do together, cycle after cycle: agree on the tensors that all of them have, and sum these. */
final class ExchangeCycle<T extends NamedTensor> {
    private final Intracomm comm;
    private final TensorExchange.Allreduce<T> allreduce;
    private final Submissions<T> submissions;
    private final TensorTable table;
    /** In ns. */
    private final long patience;
    private long begun = System.nanoTime();
    private long reported = begun;
    private ReadyBits agreed;

    ExchangeCycle(Intracomm comm, TensorExchange.Allreduce<T> allreduce, Submissions<T> submissions, long patience)
        throws MPIException {
        this.comm = comm;
        this.allreduce = allreduce;
        this.submissions = submissions;
        this.patience = patience;
        table = new TensorTable(comm);
    }

    /** When the last cycle has begun, by System.nanoTime. */
    long begun() {
        return begun;
    }

    /** Whether no rank had any tensor in the last cycle, so that there is no hurry. */
    boolean idle() {
        return agreed == null || agreed.flag(ReadyBits.NOTHING_WAITS);
    }

    /** Returns false when a rank has closed the exchange. */
    boolean run() throws MPIException {
        begun = System.nanoTime();
        List<Submission<T>> waiting = agree();
        sum();
        if (!agreed.flag(ReadyBits.NOTHING_STALLS)) {
            report(waiting);
        }
        return agreed.flag(ReadyBits.OPEN);
    }

    /** Returns what waits on this rank; all ranks know all of it. */
    private List<Submission<T>> agree() throws MPIException {
        while (true) {
            List<Submission<T>> waiting = submissions.list();
            List<T> news = waiting.stream().map(Submission::tensor).filter(tensor -> !table.knows(tensor)).toList();
            agreed = new ReadyBits(table.size());
            agreed.flag(ReadyBits.NOTHING_NEW, news.isEmpty());
            agreed.flag(ReadyBits.NOTHING_WAITS, waiting.isEmpty());
            agreed.flag(ReadyBits.NOTHING_STALLS, waiting.stream().noneMatch(this::stalls));
            agreed.flag(ReadyBits.OPEN, !submissions.closing());
            for (Submission<T> submission : waiting) {
                if (table.knows(submission.tensor())) {
                    agreed.setTensor(table.number(submission.tensor().name()));
                }
            }
            agreed.and(comm);
            if (agreed.flag(ReadyBits.NOTHING_NEW)) {
                return waiting;
            }
            table.announce(news);
        }
    }

    private boolean stalls(Submission<T> submission) {
        return begun - submission.since() > patience && begun - reported > patience;
    }

    /** Sums the tensors that all ranks have, except those whose types or lengths differ. */
    private void sum() throws MPIException {
        List<Submission<T>> alike = new ArrayList<>();
        for (int number = 0; number < table.size(); number++) {
            if (agreed.tensor(number)) {
                Submission<T> submission = submissions.remove(table.name(number));
                String mismatch = table.mismatch(number);
                if (mismatch == null) {
                    alike.add(submission);
                } else {
                    submission.sum().completeExceptionally(new IllegalArgumentException(mismatch));
                }
            }
        }
        if (alike.isEmpty()) {
            return;
        }
        try {
            allreduce.run(alike.stream().map(Submission::tensor).toList());
        } catch (Throwable e) {
            alike.forEach(submission -> submission.sum().completeExceptionally(e));
            throw e;
        }
        alike.forEach(submission -> submission.sum().complete(submission.tensor()));
    }

    private void report(List<Submission<T>> waiting) throws MPIException {
        int[] waited = StallReport.nothing(table);
        for (Submission<T> submission : waiting) {
            waited[table.number(submission.tensor().name())] =
                (int) TimeUnit.NANOSECONDS.toMillis(begun - submission.since());
        }
        StallReport.print(comm, table, waited, TimeUnit.NANOSECONDS.toMillis(patience));
        reported = System.nanoTime();
    }
}
