package org.brigade.communicator.call;

import java.util.List;
import org.brigade.select.Choice;
import org.brigade.transport.Endpoint;
import org.brigade.waiting.WaitReport;

/** Tells benchmarks, recordings and tests which algorithm ran, by which rule, and over which fabric. */
public final class Diagnostics {
    // Every call writes it. A plain field is enough: the thread that asks is the thread that made the call.
    private static Choice last;
    private static String fabric = "";
    /** Null before Init, and when the memory in which the ranks of this node say what they wait for is about to go. */
    private static Endpoint opened;

    private Diagnostics() {
    }

    public static void ran(Choice choice) {
        if (CallCounts.ON) {
            CallCounts.ran(choice);
        }
        if (last != choice) { // with some collectors each store of a reference costs a fence
            last = choice;
        }
    }

    /** Init has joined this process's node with others by a fabric of this name; empty: there are no others. */
    public static void joinedBy(String name) {
        fabric = name;
    }

    /** Init has opened this end of the job; null: Finalize is about to close it. */
    public static synchronized void joined(Endpoint endpoint) {
        opened = endpoint;
    }

    /** What the ranks of this process's node wait for, as others see it. Any thread. */
    public static synchronized WaitReport waits() {
        return new WaitReport(opened == null ? List.of() : opened.rankStates(), System.nanoTime());
    }

    /** The fabric that joins this process's node with the others of its job; empty if there are none. */
    public static String fabric() {
        return fabric;
    }

    /** What served this process's last collective; null before the first. */
    public static Choice lastChoice() {
        return last;
    }

    /** Name of the algorithm that served this process's last collective; "none" before the first. */
    public static String lastAlgorithm() {
        return last == null ? "none" : last.algorithm().name();
    }
}
