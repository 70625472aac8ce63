package org.brigade.simulate.wiring;

import java.util.Arrays;
import org.brigade.simulate.wiring.Route;
import org.brigade.simulate.wiring.RoutingModel;

/**
 * Max-min fair rates: no transfer can go faster without slowing one that is no faster. All rates rise together; when a
 * resource is used up, the transfers through it keep their rates, and so does a transfer at its own limit (progressive
 * filling; Bertsekas, Gallager, Data Networks, 1992, section 6.5.2).
 *
 * <p>
 * A problem is entered with {@link #reset}, {@link #resource}, {@link #transfer} and {@link #use}; numbers count from 0
 * in the order of the calls. Reused without allocating.
 */
public final class FairShare {
    /** Levels within this factor are equal: resources used up together are handled in one step. */
    private static final double ALIKE = 1 + 1e-12;

    private int resources;
    private int transfers;
    private int uses;
    private double[] free = new double[16];
    /** By resource: weights of the transfers that still rise, and their number. */
    private double[] load = new double[16];
    private int[] rising = new int[16];
    private double[] limits = new double[16];
    private double[] rates = new double[16];
    /** By transfer: where its uses begin; one more entry for the end. */
    private int[] firstUse = new int[17];
    private int[] usedResource = new int[64];
    private double[] usedWeight = new double[64];
    /** By resource: where its users begin in {@link #users}. */
    private int[] firstUser = new int[17];
    private int[] users = new int[64];
    private int[] openResources = new int[16];
    private int[] openTransfers = new int[16];

    /**
     * Rates in bytes/s of simultaneous transfers over the wiring's resources. Looks only at the resources that they
     * use, so the machine may be large.
     */
    public static double[] rates(RoutingModel wiring, Route... routes) {
        int[] used = used(routes);
        int[] streams = new int[used.length];
        for (Route route : routes) {
            for (int i = 0; i < route.resources().length; i++) {
                streams[Arrays.binarySearch(used, route.resources()[i])] += streams(route.weights()[i]);
            }
        }
        FairShare shares = new FairShare();
        for (int i = 0; i < used.length; i++) {
            requireSound(wiring, used[i]);
            shares.resource(
                wiring.capacity(used[i]) * (streams[i] > wiring.crowd(used[i]) ? wiring.crowdFactor(used[i]) : 1));
        }
        for (Route route : routes) {
            shares.transfer(route.most());
            for (int i = 0; i < route.resources().length; i++) {
                shares.use(Arrays.binarySearch(used, route.resources()[i]), route.weights()[i]);
            }
        }
        shares.solve();
        double[] rates = new double[routes.length];
        for (int i = 0; i < rates.length; i++) {
            rates[i] = shares.rate(i);
        }
        return rates;
    }

    /** The number of transfers that one of this weight counts for in a crowd. */
    public static int streams(double weight) {
        return (int) Math.ceil(weight - 1e-9);
    }

    /** The resources of all routes, ascending, each once. */
    private static int[] used(Route[] routes) {
        int count = 0;
        for (Route route : routes) {
            count += route.resources().length;
        }
        int[] all = new int[count];
        int at = 0;
        for (Route route : routes) {
            System.arraycopy(route.resources(), 0, all, at, route.resources().length);
            at += route.resources().length;
        }
        Arrays.sort(all);
        int distinct = 0;
        for (int i = 0; i < count; i++) {
            if (i == 0 || all[i] != all[distinct - 1]) {
                all[distinct++] = all[i];
            }
        }
        return Arrays.copyOf(all, distinct);
    }

    /** @throws IllegalArgumentException if a resource's numbers are impossible */
    public static void requireSound(RoutingModel wiring, int resource) {
        double capacity = wiring.capacity(resource);
        double factor = wiring.crowdFactor(resource);
        if (!(capacity > 0 && capacity < Double.POSITIVE_INFINITY && factor > 0 && factor <= 1)) {
            throw new IllegalArgumentException(
                wiring.name(resource) + " has " + capacity + " bytes/s, of which a crowd leaves " + factor
                    + ": a resource needs a positive finite capacity, and a factor above 0, at most 1");
        }
    }

    public FairShare() {
    }

    public void reset() {
        resources = 0;
        transfers = 0;
        uses = 0;
    }

    /** @param capacity bytes/s */
    public void resource(double capacity) {
        if (resources == free.length) {
            int more = 2 * resources;
            free = Arrays.copyOf(free, more);
            load = Arrays.copyOf(load, more);
            rising = Arrays.copyOf(rising, more);
            firstUser = Arrays.copyOf(firstUser, more + 1);
            openResources = Arrays.copyOf(openResources, more);
        }
        free[resources] = capacity;
        load[resources] = 0;
        rising[resources++] = 0;
    }

    /** @param most bytes/s that it may reach; may be infinite if it uses a resource */
    public void transfer(double most) {
        if (transfers == limits.length) {
            int more = 2 * transfers;
            limits = Arrays.copyOf(limits, more);
            rates = Arrays.copyOf(rates, more);
            firstUse = Arrays.copyOf(firstUse, more + 1);
            openTransfers = Arrays.copyOf(openTransfers, more);
        }
        firstUse[transfers] = uses;
        limits[transfers++] = most;
        firstUse[transfers] = uses;
    }

    /** The last transfer uses {@code weight} bytes of a resource for each of its own. */
    public void use(int resource, double weight) {
        if (uses == usedResource.length) {
            usedResource = Arrays.copyOf(usedResource, 2 * uses);
            usedWeight = Arrays.copyOf(usedWeight, 2 * uses);
            users = Arrays.copyOf(users, 2 * uses);
        }
        usedResource[uses] = resource;
        usedWeight[uses++] = weight;
        firstUse[transfers] = uses;
        load[resource] += weight;
        rising[resource]++;
    }

    public double rate(int transfer) {
        return rates[transfer];
    }

    public void solve() {
        listUsers();
        int openR = 0;
        for (int r = 0; r < resources; r++) {
            if (rising[r] > 0) {
                openResources[openR++] = r;
            }
        }
        int open = transfers;
        double least = Double.POSITIVE_INFINITY;
        for (int t = 0; t < transfers; t++) {
            openTransfers[t] = t;
            rates[t] = -1;
            least = Math.min(least, limits[t]);
        }
        double level = 0;
        while (open > 0) {
            double next = Double.POSITIVE_INFINITY;
            int kept = 0;
            for (int i = 0; i < openR; i++) {
                int r = openResources[i];
                if (rising[r] > 0) {
                    openResources[kept++] = r;
                    next = Math.min(next, free[r] / load[r]);
                }
            }
            openR = kept;
            // Rounding must not let the rest of a resource push the level below its present value.
            level = Math.max(level, next);
            if (least <= level) {
                least = fixLimited(open, level);
            } else {
                for (int i = 0; i < openR; i++) {
                    int r = openResources[i];
                    if (rising[r] > 0 && free[r] / load[r] <= level * ALIKE) {
                        for (int u = firstUser[r]; u < firstUser[r + 1]; u++) {
                            if (rates[users[u]] < 0) {
                                fix(users[u], level);
                            }
                        }
                    }
                }
            }
            kept = 0;
            for (int i = 0; i < open; i++) {
                int t = openTransfers[i];
                if (rates[t] < 0) {
                    openTransfers[kept++] = t;
                }
            }
            open = kept;
        }
    }

    /** Fixes the rates of transfers whose own limits the level has passed. Returns the least limit of the others. */
    private double fixLimited(int open, double level) {
        double least = Double.POSITIVE_INFINITY;
        for (int i = 0; i < open; i++) {
            int t = openTransfers[i];
            if (limits[t] <= level) {
                fix(t, limits[t]);
            } else {
                least = Math.min(least, limits[t]);
            }
        }
        return least;
    }

    private void fix(int transfer, double rate) {
        rates[transfer] = rate;
        for (int u = firstUse[transfer]; u < firstUse[transfer + 1]; u++) {
            int r = usedResource[u];
            free[r] = Math.max(0, free[r] - usedWeight[u] * rate);
            load[r] -= usedWeight[u];
            rising[r]--;
        }
    }

    private void listUsers() {
        Arrays.fill(firstUser, 0, resources + 1, 0);
        for (int u = 0; u < uses; u++) {
            firstUser[usedResource[u] + 1]++;
        }
        for (int r = 0; r < resources; r++) {
            firstUser[r + 1] += firstUser[r];
        }
        for (int t = 0; t < transfers; t++) {
            for (int u = firstUse[t]; u < firstUse[t + 1]; u++) {
                users[firstUser[usedResource[u]]++] = t;
            }
        }
        for (int r = resources; r > 0; r--) {
            firstUser[r] = firstUser[r - 1];
        }
        firstUser[0] = 0;
    }
}
