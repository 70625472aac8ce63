package org.brigade.launch.options;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The hosts that a command line names, how many ranks each has room for, and which ranks get there. */
final class HostOptions {
    private static final String SLOTS = "slots=";
    private static final String OVERSUBSCRIBE = "oversubscribe";
    private static final String BY_NODE = "node";

    private final List<String> names = new ArrayList<>();
    private final List<Integer> slots = new ArrayList<>();
    private String option;
    private boolean oversubscribes;
    private List<String> agent = List.of();
    /** Behind --map-by; null: the line has none. */
    private String mapBy;

    /** {@code a:4,b:4}, or {@code a,a,b}. */
    void names(String its, String text) {
        option = its;
        for (String each : text.split(",", -1)) {
            host(each.trim(), text);
        }
    }

    /** A host a line, as Open MPI ({@code a slots=4}) and MPICH ({@code a:4}) write them. */
    void file(String its, String file) {
        option = its;
        List<String> lines;
        try {
            lines = Files.readAllLines(Path.of(file));
        } catch (IOException | RuntimeException e) {
            throw new LaunchException(its + " " + file + ": cannot be read (" + e + "); name a file with a host a line:"
                + " NAME slots=N");
        }
        for (String line : lines) {
            int comment = line.indexOf('#');
            String text = (comment < 0 ? line : line.substring(0, comment)).trim();
            if (!text.isEmpty()) {
                String[] words = text.split("[ \t]+");
                int number = -1;
                for (String word : words) {
                    number = word.startsWith(SLOTS) ? number(word.substring(SLOTS.length()), line) : number;
                }
                host(number < 0 ? words[0] : words[0] + ":" + number, line);
            }
        }
        if (names.isEmpty()) {
            throw new LaunchException(its + " " + file + " names no host; write a line for each: NAME slots=N");
        }
    }

    private void host(String text, String line) {
        int colon = text.lastIndexOf(':');
        boolean counted = colon > 0 && text.indexOf(':') == colon;
        String name = counted ? text.substring(0, colon) : text;
        int room = counted ? number(text.substring(colon + 1), line) : 1;
        if (name.isEmpty() || name.startsWith("-")) { // which would be an option of ssh
            throw new LaunchException(option + ": '" + line + "' names no host; write NAME or NAME:N, with commas"
                + " between");
        }
        int at = names.indexOf(name);
        if (at < 0) {
            names.add(name);
            slots.add(room);
        } else {
            slots.set(at, slots.get(at) + room);
        }
    }

    private int number(String text, String line) {
        return LaunchOptions.number(option, text, "in '" + line + "' the number of ranks must be 1 or more");
    }

    /** More ranks than slots are wanted. */
    void oversubscribe() {
        oversubscribes = true;
    }

    /** What follows {@code --map-by}: {@code slot}, {@code node}, {@code node:OVERSUBSCRIBE}. */
    void mapBy(String text) {
        mapBy = text.toLowerCase(Locale.ROOT);
        oversubscribes |= (mapBy + ":").contains(":" + OVERSUBSCRIBE + ":");
    }

    /** Starts ranks by this command line. */
    void agent(String name, String text) {
        agent = ArgumentFile.split(name, text);
        if (agent.isEmpty()) {
            throw new LaunchException(name + " needs a command, as in --launch-agent 'kubectl exec -i {host} --'");
        }
    }

    boolean isNamed() {
        return !names.isEmpty();
    }

    /**
     * How many ranks there are if the line does not say.
     *
     * @param perNode ranks of each host or node; 0: the hosts say
     */
    int slots(int perNode, int nodes) {
        return perNode == 0 ? total() : perNode * Math.max(nodes, names.size());
    }

    private int total() {
        int total = 0;
        for (int each : slots) {
            total += each;
        }
        return total;
    }

    /** What of these options does nothing, as all ranks run on this machine; null: there is nothing. */
    String ignored() {
        return mapBy == null ? null : "--map-by " + mapBy;
    }

    /**
     * Places the ranks.
     *
     * @return null: this machine is the only host
     * @throws LaunchException if there is no room for so many ranks, or the placement cannot be followed
     */
    JobHosts place(int ranks, NodeOptions nodes) {
        boolean[] here = new boolean[names.size()];
        boolean all = true;
        for (int i = 0; i < here.length; i++) {
            here[i] = ThisMachine.is(names.get(i));
            all &= here[i];
        }
        if (all) {
            return null;
        }
        nodes.requireNone(option);
        int[] room = new int[names.size()];
        int total = 0;
        for (int i = 0; i < room.length; i++) {
            room[i] = nodes.perNode() > 0 ? nodes.perNode() : slots.get(i);
            total += room[i];
        }
        if (ranks > total && !oversubscribes && !nodes.lists()) {
            throw new LaunchException(ranks + " ranks: the hosts have " + total + (total == 1 ? " slot" : " slots")
                + "; start fewer, give the hosts more, as in " + option + " " + names.get(0) + ":" + ranks
                + ", or say --oversubscribe");
        }
        int[] hostOf = nodes.lists() ? nodes.listed(ranks, room.length)
            : placed(ranks, room, mapBy == null ? nodes.goesRound() : mapBy.startsWith(BY_NODE));
        return withRanks(here, hostOf);
    }

    /** Ranks fill the hosts one after the other, or go round; those without a slot go round. */
    private static int[] placed(int ranks, int[] room, boolean round) {
        int[] left = room.clone();
        int[] hostOf = new int[ranks];
        int host = 0;
        int slotted = 0;
        for (int each : room) {
            slotted += each;
        }
        for (int rank = 0; rank < ranks; rank++) {
            if (rank >= slotted) {
                hostOf[rank] = (rank - slotted) % room.length;
                continue;
            }
            while (left[host] == 0) {
                host = (host + 1) % room.length;
            }
            left[host]--;
            hostOf[rank] = host;
            host = round ? (host + 1) % room.length : host;
        }
        return hostOf;
    }

    /** Without hosts that have no rank. */
    private JobHosts withRanks(boolean[] here, int[] hostOf) {
        int[] number = new int[here.length];
        List<String> used = new ArrayList<>();
        boolean[] usedHere = new boolean[here.length];
        for (int host = 0; host < here.length; host++) {
            boolean any = false;
            for (int its : hostOf) {
                any |= its == host;
            }
            number[host] = used.size();
            if (any) {
                usedHere[used.size()] = here[host];
                used.add(names.get(host));
            }
        }
        boolean elsewhere = false;
        for (int rank = 0; rank < hostOf.length; rank++) {
            elsewhere |= !here[hostOf[rank]];
            hostOf[rank] = number[hostOf[rank]];
        }
        return elsewhere ? new JobHosts(used, usedHere, hostOf, agent) : null;
    }
}
