package org.brigade.topology.figure;

/** A machine file that cannot be used: which line, what is wrong with it, and what to write instead. */
public final class MachineFormatException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;
    private final int line;

    public MachineFormatException(String file, int line, String wrong, String cure) {
        super(file + ":" + line + ": " + wrong + "; " + cure);
        this.line = line;
    }

    /** From 1; for what is missing, the last line. */
    public int line() {
        return line;
    }
}
