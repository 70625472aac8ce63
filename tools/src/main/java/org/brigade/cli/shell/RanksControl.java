package org.brigade.cli.shell;

import java.util.BitSet;
import jdk.jshell.spi.ExecutionControl;

/** Where JShell runs what it has compiled: on the ranks that the present line picks. */
final class RanksControl implements ExecutionControl {
    /** How long a line may keep the console waiting. */
    private static final long PATIENCE_MILLIS = 3000;
    private static final String NOT_HERE = "is not needed by brigade shell";

    private final SessionRanks ranks;
    private BitSet picked;
    private int repeats;
    private SnippetRun last;

    RanksControl(SessionRanks ranks) {
        this.ranks = ranks;
        picked = RankPick.all(ranks.size());
    }

    /** Which ranks run the next lines, how often, and whether they are timed: then all begin together. */
    void pick(BitSet its, int times) {
        picked = its;
        repeats = times;
    }

    /** The run of the last line; null if it ran nothing. */
    SnippetRun takeRun() {
        SnippetRun run = last;
        last = null;
        return run;
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
        last = ranks.invoke(picked, owner, method, Math.max(1, repeats),
            repeats > 0 && picked.cardinality() == ranks.size());
        try {
            last.await(PATIENCE_MILLIS);
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
