package org.brigade.verify;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import org.brigade.schedule.Opcode;

/**
 * Runs the programs of all ranks on symbolic values. A lane always waits for one given thing (a step of another lane,
 * the next message of one channel, room in one channel), so the lanes form a Kahn network: whatever the timing, the
 * values are those of this one run, and if it ends, every run does. More room in channels can only help. With capacity
 * 0 a send ends when its message is taken; a schedule that ends then ends with every capacity.
 */
final class KahnNetwork {
    /** Messages of one rank to another, in order. */
    private static final class Channel {
        private int[][] messages = new int[8][];
        private int[][] clocks = new int[8][];
        private int sent;
        private int taken;
        /** The one lane that sends into the channel, and the one that receives; -1 before the first. */
        private int putter = -1;
        private int taker = -1;

        void put(int[] terms, int[] clock) {
            if (sent == messages.length) {
                messages = Arrays.copyOf(messages, 2 * sent);
                clocks = Arrays.copyOf(clocks, 2 * sent);
            }
            messages[sent] = terms;
            clocks[sent++] = clock;
        }
    }

    private final Program[] programs;
    private final Terms terms;
    private final int capacity;
    private final int lanes;
    private final Channel[] channels;
    /** By reducing network, the ranks that send to it, ascending; the networks' numbers follow the last rank's. */
    private final int[][] masters;
    /** Of ranks and networks. */
    private final int peers;
    /** By rank and lane: the number of the next run, and of the message it has put into its channel, or -1. */
    private final int[] next;
    private final int[] pending;
    /** By rank and lane, then run: for every lane of every rank the runs known to have ended; null unless requested. */
    private final int[][][] clocks;

    KahnNetwork(Program[] programs, Terms terms, int capacity, boolean withClocks) {
        this.programs = programs;
        this.terms = terms;
        this.capacity = capacity;
        this.lanes = programs[0].lanes.length;
        this.masters = masters(programs);
        this.peers = programs.length + masters.length;
        this.channels = new Channel[peers * peers];
        this.next = new int[programs.length * lanes];
        this.pending = new int[programs.length * lanes];
        Arrays.fill(pending, -1);
        this.clocks = withClocks ? new int[next.length][][] : null;
        for (int i = 0; withClocks && i < clocks.length; i++) {
            clocks[i] = new int[programs[i / lanes].lanes[i % lanes].length][];
        }
    }

    private static int[][] masters(Program[] programs) {
        List<TreeSet<Integer>> found = new ArrayList<>();
        for (int rank = 0; rank < programs.length; rank++) {
            for (Program.Run[] lane : programs[rank].lanes) {
                for (Program.Run run : lane) {
                    while (run.peer >= programs.length + found.size()) {
                        found.add(new TreeSet<>());
                    }
                    if (run.peer >= programs.length && run.step.opcode() == Opcode.SEND) {
                        found.get(run.peer - programs.length).add(rank);
                    }
                }
            }
        }
        int[][] masters = new int[found.size()][];
        Arrays.setAll(masters, rail -> found.get(rail).stream().mapToInt(Integer::intValue).toArray());
        return masters;
    }

    /** Runs to the end, or throws {@link Wrong}. */
    void run() {
        boolean progress = true;
        while (progress) {
            progress = false;
            for (int rank = 0; rank < programs.length; rank++) {
                for (int lane = 0; lane < lanes; lane++) {
                    while (advance(rank, lane)) {
                        progress = true;
                    }
                }
            }
            for (int rail = 0; rail < masters.length; rail++) {
                while (reduceInNetwork(programs.length + rail, masters[rail])) {
                    progress = true;
                }
            }
        }
        StringBuilder stuck = new StringBuilder();
        for (int rank = 0; rank < programs.length; rank++) {
            for (int lane = 0; lane < lanes; lane++) {
                describeIfStuck(rank, lane, stuck);
            }
        }
        if (!stuck.isEmpty()) {
            throw new Wrong("deadlock: " + stuck);
        }
        for (int i = 0; i < channels.length; i++) {
            if (channels[i] != null && channels[i].taken < channels[i].sent) {
                throw new Wrong(name(i / peers) + " sends " + name(i % peers) + " "
                    + channels[i].sent
                    + " messages, but only " + channels[i].taken + " are received");
            }
        }
    }

    private String name(int number) {
        return number >= programs.length ? "network " + (number - programs.length) : "rank " + number;
    }

    /**
     * A network takes the next message of all masters once it has them all and all masters have taken the previous
     * sums, as if it had one slot only: more can only help. Its sums are in rank order.
     */
    private boolean reduceInNetwork(int network, int[] senders) {
        for (int master : senders) {
            Channel in = channel(master, network);
            Channel out = channel(network, master);
            if (in.taken == in.sent || out.taken < out.sent) {
                return false;
            }
        }
        if (senders.length == 0) {
            return false;
        }
        int[] sum = null;
        int[] clock = clocks == null ? null : new int[next.length];
        for (int master : senders) {
            Channel in = channel(master, network);
            int[] message = in.messages[in.taken];
            if (clock != null) {
                join(clock, in.clocks[in.taken]);
            }
            in.messages[in.taken++] = null;
            if (sum != null && sum.length != message.length) {
                throw new Wrong("rank " + senders[0] + " sends the network " + sum.length + " elements, rank "
                    + master + " sends " + message.length);
            }
            for (int i = 0; sum != null && i < sum.length; i++) {
                sum[i] = terms.sum(sum[i], message[i]);
            }
            sum = sum == null ? message.clone() : sum;
        }
        for (int master : senders) {
            channel(network, master).put(sum.clone(), clock);
        }
        return true;
    }

    private Channel channel(int from, int to) {
        int number = from * peers + to;
        if (channels[number] == null) {
            channels[number] = new Channel();
        }
        return channels[number];
    }

    private boolean advance(int rank, int lane) {
        Program program = programs[rank];
        int at = rank * lanes + lane;
        int position = next[at];
        if (position == program.lanes[lane].length) {
            return false;
        }
        Program.Run run = program.lanes[lane][position];
        for (int other = 0; other < lanes; other++) {
            if (next[rank * lanes + other] < run.needs[other]) {
                return false;
            }
        }
        int[] clock = clocks == null ? null : startClock(rank, lane, run);
        if (!run.idle()) {
            switch (run.step.opcode()) {
                case SEND :
                    Channel out = channel(rank, run.peer);
                    if (pending[at] < 0) {
                        out.putter = sole(out.putter, rank, lane, run.peer);
                        pending[at] = out.sent;
                        out.put(read(rank, lane, run), clock);
                        if (out.taken + capacity <= pending[at]) {
                            return true;
                        }
                    }
                    if (out.taken + capacity <= pending[at]) {
                        return false;
                    }
                    pending[at] = -1;
                    break;
                case RECV :
                case RECV_REDUCE :
                    Channel in = channel(run.peer, rank);
                    if (in.taken == in.sent) {
                        return false;
                    }
                    in.taker = sole(in.taker, rank, lane, run.peer);
                    receive(rank, lane, run, in, clock);
                    break;
                default :
                    int[] source = read(rank, lane, run);
                    if (run.step.opcode() == Opcode.REDUCE) {
                        combine(rank, lane, run, source, run.target, run.step.incomingFirst());
                    }
                    write(rank, lane, run, source);
            }
        }
        next[at]++;
        if (clocks != null) {
            clocks[at][position] = clock;
        }
        return true;
    }

    /** Throws if a second lane uses one end of a channel: the two would race for the order of its messages. */
    private int sole(int known, int rank, int lane, int peer) {
        if (known >= 0 && known != lane) {
            throw new Wrong("rank " + rank + ", " + programs[rank].name(lane, next[rank * lanes + lane]) + ": lane "
                + programs[rank].laneNames.get(known).name()
                + " has messages with rank " + peer + " in the same direction, so their order is undefined");
        }
        return lane;
    }

    private int[] startClock(int rank, int lane, Program.Run run) {
        int[] clock = new int[next.length];
        int position = next[rank * lanes + lane];
        if (position > 0) {
            join(clock, clocks[rank * lanes + lane][position - 1]);
        }
        for (int other = 0; other < lanes; other++) {
            if (run.needs[other] > 0) {
                join(clock, clocks[rank * lanes + other][run.needs[other] - 1]);
            }
        }
        clock[rank * lanes + lane] = position + 1;
        return clock;
    }

    private static void join(int[] clock, int[] other) {
        for (int i = 0; i < clock.length; i++) {
            clock[i] = Math.max(clock[i], other[i]);
        }
    }

    private void receive(int rank, int lane, Program.Run run, Channel in, int[] clock) {
        int[] message = in.messages[in.taken];
        if (clock != null) {
            join(clock, in.clocks[in.taken]);
        }
        in.messages[in.taken++] = null;
        boolean signal = message.length == 0;
        if (signal != run.signal() || message.length != run.length) {
            throw new Wrong("rank " + rank + ", " + programs[rank].name(lane, next[rank * lanes + lane]) + ": expects "
                + (run.signal() ? "a signal" : run.length + " elements") + ", gets "
                + (signal ? "a signal" : message.length + " elements"));
        }
        if (signal) {
            return;
        }
        if (run.step.opcode() == Opcode.RECV_REDUCE) {
            combine(rank, lane, run, message, run.source, run.step.incomingFirst());
        }
        write(rank, lane, run, message);
    }

    /** {@code values = values op operand}, or the other way round. */
    private void combine(int rank, int lane, Program.Run run, int[] values, int operand, boolean valuesFirst) {
        int[] memory = programs[rank].image.terms;
        for (int i = 0; i < values.length; i++) {
            int term = written(rank, lane, memory[operand + i], operand + i);
            values[i] = valuesFirst ? terms.sum(values[i], term) : terms.sum(term, values[i]);
        }
    }

    private int[] read(int rank, int lane, Program.Run run) {
        int[] values = new int[run.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = written(rank, lane, programs[rank].image.terms[run.source + i], run.source + i);
        }
        return values;
    }

    private int written(int rank, int lane, int term, int element) {
        if (term == Terms.UNWRITTEN) {
            throw new Wrong("rank " + rank + ", " + programs[rank].name(lane, next[rank * lanes + lane]) + ": reads "
                + programs[rank].image.place(element) + ", which was never written");
        }
        return term;
    }

    private void write(int rank, int lane, Program.Run run, int[] values) {
        Image image = programs[rank].image;
        System.arraycopy(values, 0, image.terms, run.target, values.length);
        Arrays.fill(image.writers, run.target, run.target + values.length, run.step.id());
    }

    private void describeIfStuck(int rank, int lane, StringBuilder text) {
        Program program = programs[rank];
        int position = next[rank * lanes + lane];
        if (position == program.lanes[lane].length) {
            return;
        }
        Program.Run run = program.lanes[lane][position];
        text.append(text.isEmpty() ? "" : "; ").append("rank ").append(rank).append(", ")
            .append(program.name(lane, position)).append(" waits for ");
        for (int other = 0; other < lanes; other++) {
            if (next[rank * lanes + other] < run.needs[other]) {
                text.append(program.name(other, run.needs[other] - 1));
                return;
            }
        }
        text.append(run.step.opcode() == Opcode.SEND ? "its message to be taken" : "a message");
    }

    // ---- what happened before what ----

    /**
     * Whether run {@code a} of a lane had ended when run {@code b} of another lane of the same rank began to move data;
     * needs clocks.
     */
    boolean before(int rank, int laneA, int a, int laneB, int b) {
        return clocks[rank * lanes + laneB][b][rank * lanes + laneA] > a;
    }

    /** A rank of which {@code rank} may not have heard when it leaves the collective, or -1; needs clocks. */
    int unheardOf(int rank) {
        int[] known = new int[next.length];
        for (int lane = 0; lane < lanes; lane++) {
            int[][] ended = clocks[rank * lanes + lane];
            if (ended.length > 0) {
                join(known, ended[ended.length - 1]);
            }
        }
        for (int other = 0; other < programs.length; other++) {
            boolean heard = other == rank;
            for (int lane = 0; lane < lanes; lane++) {
                heard |= known[other * lanes + lane] > 0;
            }
            if (!heard) {
                return other;
            }
        }
        return -1;
    }
}
