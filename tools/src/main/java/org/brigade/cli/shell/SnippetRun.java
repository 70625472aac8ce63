package org.brigade.cli.shell;

import java.util.BitSet;
import java.util.TreeMap;
import org.brigade.cli.shell.ShellMessage.Answer;

/** One snippet on the ranks that its line picks; filled as they answer. */
final class SnippetRun {
    private final int number;
    private final BitSet asked;
    private final BitSet busy;
    private final TreeMap<Integer, Answer> answers = new TreeMap<>();
    /** What its value is called; see {@link #show}. */
    private String name;
    private boolean shown;

    /** @param busy ranks that still run earlier snippets: nobody waits for those */
    SnippetRun(int number, BitSet asked, BitSet busy) {
        this.number = number;
        this.asked = asked;
        this.busy = busy;
    }

    int number() {
        return number;
    }

    /** Takes a rank's answer; whether the others have been shown already. */
    synchronized boolean take(int rank, Answer answer) {
        answers.put(rank, answer);
        notifyAll();
        return shown;
    }

    /** Waits until all that ran nothing before have answered, at most so long. */
    synchronized void await(long millis) throws InterruptedException {
        long deadline = System.nanoTime() + millis * 1_000_000;
        while (!late().isEmpty()) {
            long left = (deadline - System.nanoTime()) / 1_000_000;
            if (left <= 0) {
                return;
            }
            wait(left);
        }
    }

    /**
     * The answers so far, by rank. Later ones are shown by those who receive them.
     *
     * @param its name of the value: a variable's, or empty; null if there is no value
     */
    synchronized TreeMap<Integer, Answer> show(String its) {
        name = its;
        shown = true;
        return new TreeMap<>(answers);
    }

    synchronized String name() {
        return name;
    }

    /** The ranks that have not answered though they ran nothing before. */
    synchronized BitSet late() {
        BitSet late = running();
        late.andNot(busy);
        return late;
    }

    /** The ranks that have not answered. */
    synchronized BitSet running() {
        BitSet running = (BitSet) asked.clone();
        answers.keySet().forEach(running::clear);
        return running;
    }
}
