package org.brigade.select;

import org.brigade.pattern.CommunicatorTopology;
import org.brigade.pattern.NetworkSpeed;

/**
 * For which communicators a rule of a tuning table is.
 *
 * @param local ranks of the node that has most
 * @param domains NUMA nodes, or whatever the levels tell apart, of the node that has most
 * @param fabric name of what joins the nodes; empty for any
 * @param rate bits a second of a node's link
 * @param latency nanoseconds of a message between nodes
 * @param ports links that a node has
 */
public record RuleScope(Range ranks, Range nodes, Range local, Range domains, String fabric, Range rate,
    Range latency, Range ports) {
    /** So many ranks and nodes, whatever joins these. */
    public static RuleScope of(Range ranks, Range nodes) {
        return new RuleScope(ranks, nodes, Range.ANY, Range.ANY, "", Range.ANY, Range.ANY, Range.ANY);
    }

    /** @param speed of the network between the nodes; of one node, nobody asks for it */
    boolean has(int members, CommunicatorTopology wires, NetworkSpeed speed) {
        if (!ranks.has(members) || !nodes.has(wires.nodes())) {
            return false;
        }
        if (wires.nodes() == 1) {
            return local.has(members) && domains == Range.ANY && fabric.isEmpty() && rate == Range.ANY
                && latency == Range.ANY && ports == Range.ANY;
        }
        return local.has(wires.local()) && (domains == Range.ANY || domains.has(wires.domains()))
            && (fabric.isEmpty() || fabric.equals(wires.fabric())) && rate.has(speed.bitsPerSecond())
            && latency.has(speed.latencyNanos()) && ports.has(speed.ports());
    }

    /** {@code ranks 8.., nodes 2.., local 1..4, rate 1G..}. */
    String words() {
        StringBuilder text = new StringBuilder("ranks ").append(ranks.words(Scale.COUNT));
        add(text, "nodes", nodes, Scale.COUNT);
        add(text, "local", local, Scale.COUNT);
        add(text, "domains", domains, Scale.COUNT);
        text.append(fabric.isEmpty() ? "" : ", fabric ").append(fabric);
        add(text, "rate", rate, Scale.RATE);
        add(text, "latency", latency, Scale.LATENCY);
        add(text, "ports", ports, Scale.COUNT);
        return text.toString();
    }

    private static void add(StringBuilder text, String what, Range range, Scale scale) {
        if (range != Range.ANY) {
            text.append(", ").append(what).append(' ').append(range.words(scale));
        }
    }

    /** Numbers from one to another, both inclusive; an open end is that of {@link #ANY}. */
    public record Range(long least, long most) {
        /** All numbers from 1 on. */
        public static final Range ANY = new Range(1, Long.MAX_VALUE);
        /** The most that counts can be. */
        static final long MOST_COUNTED = Integer.MAX_VALUE;

        /** {@link #ANY} if the ends are its. */
        static Range of(long... ends) {
            return ends[0] == ANY.least && ends[1] == ANY.most ? ANY : new Range(ends[0], ends[1]);
        }

        boolean has(long number) {
            return number >= least && number <= most;
        }

        String words(Scale scale) {
            return (least == ANY.least && scale != Scale.COUNT ? "" : scale.write(least)) + ".."
                + (most == ANY.most ? "" : scale.write(most));
        }
    }

    /** How rules write numbers: {@code 8}, {@code 300M}, {@code 10us}. */
    enum Scale {
        COUNT("2 or 16", ""),
        /** Bits a second. */
        RATE("300M or 10G", "", "K", "M", "G"),
        /** Nanoseconds. */
        LATENCY("500ns or 10us", "ns", "us", "ms");

        private static final long STEP = 1000;
        private static final int MOST_DIGITS = 12;

        /** Two numbers, for messages. */
        final String example;
        private final String[] units;

        Scale(String example, String... units) {
            this.example = example;
            this.units = units;
        }

        /** The number of a text; -1 if it is none. */
        long parse(String text) {
            int digits = 0;
            long number = 0;
            while (digits < text.length() && digits < MOST_DIGITS && text.charAt(digits) >= '0'
                && text.charAt(digits) <= '9') {
                number = number * 10 + text.charAt(digits++) - '0';
            }
            String unit = text.substring(digits);
            for (int i = 0; digits > 0 && i < units.length; i++, number *= STEP) {
                if (units[i].equals(unit)) {
                    return number;
                }
            }
            return -1;
        }

        /** The shortest text that {@link #parse} reads back. */
        String write(long number) {
            int unit = 0;
            long rest = number;
            while (unit < units.length - 1 && rest > 0 && rest % STEP == 0) {
                rest /= STEP;
                unit++;
            }
            return rest + units[unit];
        }
    }
}
