package org.brigade.cli.shell;

import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import jdk.jshell.spi.ExecutionControl;

/** Where JShell runs what it has compiled: on the ranks that the present line picks. */
final class RanksControl implements ExecutionControl {
    /** How long a line may keep the console waiting. */
    private static final long PATIENCE_MILLIS = 3000;
    private static final String NOT_HERE = "is not needed by brigade shell";

    private final SessionRanks ranks;
    private BitSet picked;
    private int repeats;
    /** Of the last line, in the order of its snippets: a declaration of two variables has two. */
    private final Deque<SnippetRun> runs = new ArrayDeque<>();

    RanksControl(SessionRanks ranks) {
        this.ranks = ranks;
        picked = RankPick.all(ranks.size());
    }

    /** Which ranks run the next lines, how often, and whether they are timed: then all begin together. */
    void pick(BitSet its, int times) {
        picked = its;
        repeats = times;
        runs.clear();
    }

    /** The run of the line's next snippet that runs; null if there is none. */
    SnippetRun takeRun() {
        return runs.poll();
    }

    @Override
    public void load(ClassBytecodes[] classes) {
        ranks.load(new ShellMessage.Load(classes));
    }

    /** JShell then gives the changed classes new names. */
    @Override
    public void redefine(ClassBytecodes[] classes) throws NotImplementedException {
        throw new NotImplementedException("redefine " + NOT_HERE);
    }

    /** The run holds what the ranks answer. */
    @Override
    public String invoke(String owner, String method) throws EngineTerminationException {
        SnippetRun run = ranks.invoke(picked, owner, method, Math.max(1, repeats),
            repeats > 0 && picked.cardinality() == ranks.size());
        runs.add(run);
        try {
            run.await(PATIENCE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new EngineTerminationException("interrupted");
        }
        return ""; // JShell only passes it on
    }

    @Override
    public String varValue(String owner, String variable) throws NotImplementedException {
        throw new NotImplementedException("varValue " + NOT_HERE);
    }

    /** The ranks have the same class path already. */
    @Override
    public void addToClasspath(String path) {
    }

    @Override
    public void stop() throws NotImplementedException {
        throw new NotImplementedException("stop " + NOT_HERE);
    }

    @Override
    public Object extensionCommand(String command, Object argument) throws NotImplementedException {
        throw new NotImplementedException("extensionCommand " + NOT_HERE);
    }

    @Override
    public void close() {
    }
}
