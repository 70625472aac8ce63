package org.brigade.soak;

import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.opentest4j.TestAbortedException;

/**
 * Attacks Brigade in all its ways in turn, for so many minutes; bin/soak starts it. Prints its seed, every failure as
 * it comes, and a table of all trials. Exit code 1 if any has failed.
 *
 * <pre>
 *   --minutes N     how long; 10 if left out
 *   --seed S        the random numbers of an earlier run
 *   --only NAME     one kind: collectives, kills, fuzz, files, aggregator, limits, hosts
 *   --round R       this round alone
 * </pre>
 */
public final class Soak {
    private static final long MINUTE = 60_000_000_000L;

    private final List<Attack> attacks;
    private final String only;
    private final Trials trials;
    private final long seed;
    /** What was not tried, and is said once. */
    private final Set<String> lacking = new HashSet<>();

    /** @param only the kind to be made; empty: all */
    Soak(List<Attack> attacks, String only, Trials trials, long seed) {
        this.attacks = attacks;
        this.only = only;
        this.trials = trials;
        this.seed = seed;
    }

    public static void main(String[] arguments) throws Exception {
        double minutes = 10;
        long seed = System.nanoTime();
        String only = "";
        int round = -1;
        for (int i = 0; i < arguments.length; i += 2) {
            String value = i + 1 < arguments.length ? arguments[i + 1] : "";
            switch (arguments[i]) {
                case "--minutes" -> minutes = Double.parseDouble(value);
                case "--seed" -> seed = Long.parseLong(value);
                case "--only" -> only = value;
                case "--round" -> round = Integer.parseInt(value);
                default -> {
                    System.err.println("soak: " + arguments[i] + " is no option; there are --minutes N, --seed S,"
                        + " --only NAME and --round R");
                    System.exit(2);
                }
            }
        }
        String kind = only;
        if (!kind.isEmpty() && all().stream().noneMatch(each -> each.name().equals(kind))) {
            System.err.println("soak: --only " + kind + " is no kind; there are "
                + all().stream().map(Attack::name).distinct().toList());
            System.exit(2);
        }
        Trials trials = new Trials(System.out);
        Soak soak = new Soak(all(), kind, trials, seed);
        System.out.println("seed " + seed);
        if (round >= 0) {
            soak.round(round);
        } else {
            long end = System.nanoTime() + (long) (minutes * MINUTE);
            for (int i = 0; System.nanoTime() < end; i++) {
                soak.round(i);
            }
        }
        System.out.print(trials.table());
        System.out.println("seed " + seed + ", " + trials.wrong().size() + " failed");
        System.exit(trials.wrong().isEmpty() ? 0 : 1);
    }

    private static List<Attack> all() {
        return List.of(new CollectivesAttack(), new KillsAttack(), new KillsAttack(), new KillsAttack(),
            new ThreadsAttack(), new MakingAttack(), new MakingAttack(), new FilesAttack(), new AggregatorAttack(),
            new LimitsAttack(), new FuzzAttack(), new HostsAttack());
    }

    /** One round of each attack. An attack's random numbers depend on the seed, its place and the round alone. */
    void round(int number) throws Exception {
        for (int i = 0; i < attacks.size(); i++) {
            Attack each = attacks.get(i);
            if (!only.isEmpty() && !each.name().equals(only)) {
                continue;
            }
            int before = trials.wrong().size();
            try {
                each.round(new Random(seed * 31 + number * 1009L + i), trials);
            } catch (AssertionError failed) { // of what the tests have, too, as a cluster's waits
                trials.failed(each.name(), failed.getMessage());
            } catch (TestAbortedException impossible) {
                if (lacking.add(each.name() + impossible.getMessage())) {
                    System.out.println(
                        each.name() + ", round " + number + ": not tried: " + impossible.getMessage());
                }
            }
            if (trials.wrong().size() > before) {
                System.out.println("again: bin/soak --seed " + seed + " --round " + number + " --only " + each.name());
            }
        }
    }
}
