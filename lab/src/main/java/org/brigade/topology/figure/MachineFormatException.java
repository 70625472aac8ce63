package org.brigade.topology.figure;

/** A machine file that cannot be used: the message names the line, the fault, and the cure. */
public final class MachineFormatException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;
    private final int line;

    public MachineFormatException(String file, int line, String wrong, String cure) {
        super(file + ":" + line + ": " + wrong + "; " + cure);
        this.line = line;
    }

    /** From 1; the last line if something is missing. */
    public int line() {
        return line;
    }
}
