package org.brigade.cli.probe;

import org.brigade.nativ.BrigadeLibrary;
import org.brigade.nativ.Libc;

/**
 * What copies and reduces in ranks of this user: the library in the jar, else JNA, else Java alone.
 *
 * @param loaded whether it is the library
 * @param state what was loaded, or why nothing was
 * @param jna why JNA cannot be loaded either; null if it can, or need not be
 */
public record CompiledCode(boolean loaded, String state, String jna) {
    public static CompiledCode here() {
        if (BrigadeLibrary.LOADED) {
            return new CompiledCode(true, BrigadeLibrary.STATE, null);
        }
        try {
            Libc.copy(0, 0, 0);
            return new CompiledCode(false, BrigadeLibrary.STATE, null);
        } catch (LinkageError e) {
            return new CompiledCode(false, BrigadeLibrary.STATE, String.valueOf(e.getMessage()));
        }
    }

    /** What is lost; empty if nothing is. */
    public String cost() {
        return loaded ? ""
            : jna == null ? "JNA and Java copy and reduce instead, and first calls take some 100 ms longer"
                : "Java copies and reduces instead";
    }

    public String words() {
        return loaded ? "available: " + state + " (copies and reductions)"
            : "not available: " + state + (jna == null ? "" : ", nor is JNA: " + jna);
    }
}
