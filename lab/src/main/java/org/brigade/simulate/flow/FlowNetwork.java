package org.brigade.simulate.flow;

import java.util.Arrays;
import org.brigade.simulate.wiring.FairShare;
import org.brigade.simulate.wiring.Route;
import org.brigade.simulate.wiring.RoutingModel;

/**
 * The transfers under way and the resources that they share. Collects the changes of one instant; {@link #settle} then
 * finds new fair rates, but only for transfers that may be affected, and sets the events of their ends.
 *
 * <p>
 * A resource is <em>contended</em> if the transfers through it, each at its rate alone, would need more than its
 * capacity. Only contended resources tie transfers together: a transfer that uses none has its rate alone, without
 * solving. A change affects the transfers that are connected to it by contended resources.
 */
public final class FlowNetwork {
    private static final int NONE = -1;
    /** A resource counts as contended beyond this factor: sums of rounded numbers need some slack. */
    private static final double SLACK = 1 + 1e-9;
    /** Rates count as equal if they differ by a smaller share. */
    private static final double SAME = 1e-12;

    private final EventQueue ends;
    private final Trace trace;
    private final FairShare shares = new FairShare();

    // By resource.
    private final double[] capacity;
    private final int[] crowd;
    private final double[] crowdFactor;
    /** As {@link RoutingModel#crowd} counts the transfers through it. */
    private final int[] streams;
    private final double[] wanted;
    private final int[] users;
    private final int[] firstUse;
    private final double[] carried;
    private final long[] busySince;
    private final long[] busyFor;
    private final boolean[] dirty;
    private final int[] seen;
    private final int[] local;

    // By transfer.
    private Route[] routes = new Route[0];
    /** Its rate alone. */
    private double[] alone;
    private double[] bytes;
    private double[] left;
    private double[] rates;
    private long[] since;
    private int[] visited;

    // Use number transfer * stride + i is the transfer's use of its route's i-th resource; the uses of a resource are
    // linked.
    private int stride = 4;
    private int[] next = new int[0];
    private int[] previous = new int[0];

    private int round;
    private int[] dirtyList = new int[16];
    private int dirtyCount;
    private int[] begun = new int[16];
    private int begunCount;
    private int[] component = new int[16];
    private int[] tied = new int[16];

    /** @param trace null for none */
    public FlowNetwork(RoutingModel wiring, EventQueue ends, Trace trace) {
        this.ends = ends;
        this.trace = trace;
        int count = wiring.resources();
        capacity = new double[count];
        crowd = new int[count];
        crowdFactor = new double[count];
        for (int resource = 0; resource < count; resource++) {
            capacity[resource] = wiring.capacity(resource);
            crowd[resource] = wiring.crowd(resource);
            crowdFactor[resource] = wiring.crowdFactor(resource);
            FairShare.requireSound(wiring, resource);
        }
        streams = new int[count];
        wanted = new double[count];
        users = new int[count];
        firstUse = new int[count];
        carried = new double[count];
        busySince = new long[count];
        busyFor = new long[count];
        dirty = new boolean[count];
        seen = new int[count];
        local = new int[count];
        Arrays.fill(firstUse, NONE);
        reserve(64);
    }

    /** Makes room for transfers 0 to count - 1. */
    public void reserve(int count) {
        ends.reserve(count);
        if (count > routes.length) {
            int size = Math.max(count, 2 * routes.length);
            routes = Arrays.copyOf(routes, size);
            alone = alone == null ? new double[size] : Arrays.copyOf(alone, size);
            bytes = bytes == null ? new double[size] : Arrays.copyOf(bytes, size);
            left = left == null ? new double[size] : Arrays.copyOf(left, size);
            rates = rates == null ? new double[size] : Arrays.copyOf(rates, size);
            since = since == null ? new long[size] : Arrays.copyOf(since, size);
            visited = visited == null ? new int[size] : Arrays.copyOf(visited, size);
            next = Arrays.copyOf(next, size * stride);
            previous = Arrays.copyOf(previous, size * stride);
        }
    }

    // ---- changes ----

    /**
     * A transfer's first byte moves now. {@link #settle} sets the event of its last byte. Instant routes are not
     * handled here.
     */
    public void begin(int transfer, Route route, long size, long now) {
        if (route.instant()) {
            return;
        }
        int[] resources = route.resources();
        double[] weights = route.weights();
        if (resources.length > stride) {
            widen(resources.length);
        }
        double most = route.most();
        for (int i = 0; i < resources.length; i++) {
            most = Math.min(most, capacity[resources[i]] / weights[i]);
        }
        routes[transfer] = route;
        alone[transfer] = most;
        bytes[transfer] = size;
        left[transfer] = size;
        rates[transfer] = 0;
        since[transfer] = now;
        for (int i = 0; i < resources.length; i++) {
            int resource = resources[i];
            int use = transfer * stride + i;
            int first = firstUse[resource];
            next[use] = first;
            previous[use] = NONE;
            if (first != NONE) {
                previous[first] = use;
            }
            firstUse[resource] = use;
            wanted[resource] += weights[i] * most;
            streams[resource] += FairShare.streams(weights[i]);
            if (users[resource]++ == 0) {
                busySince[resource] = now;
            }
            if (contended(resource)) {
                soil(resource);
            }
        }
        if (begunCount == begun.length) {
            begun = Arrays.copyOf(begun, 2 * begunCount);
        }
        begun[begunCount++] = transfer;
    }

    /** A transfer's last byte has gone: its event was removed from the queue. */
    public void end(int transfer, long now) {
        Route route = routes[transfer];
        int[] resources = route.resources();
        double[] weights = route.weights();
        if (trace != null) {
            tell(transfer, now);
        }
        for (int i = 0; i < resources.length; i++) {
            int resource = resources[i];
            if (contended(resource)) {
                soil(resource);
            }
            int use = transfer * stride + i;
            if (previous[use] == NONE) {
                firstUse[resource] = next[use];
            } else {
                next[previous[use]] = next[use];
            }
            if (next[use] != NONE) {
                previous[next[use]] = previous[use];
            }
            carried[resource] += weights[i] * bytes[transfer];
            wanted[resource] -= weights[i] * alone[transfer];
            streams[resource] -= FairShare.streams(weights[i]);
            if (--users[resource] == 0) {
                wanted[resource] = 0;
                busyFor[resource] += now - busySince[resource];
            }
        }
        routes[transfer] = null;
    }

    private boolean contended(int resource) {
        return wanted[resource] > capacityNow(resource) * SLACK;
    }

    /** The capacity; less than usual in a crowd. */
    private double capacityNow(int resource) {
        return streams[resource] > crowd[resource] ? capacity[resource] * crowdFactor[resource] : capacity[resource];
    }

    private void soil(int resource) {
        if (!dirty[resource]) {
            dirty[resource] = true;
            if (dirtyCount == dirtyList.length) {
                dirtyList = Arrays.copyOf(dirtyList, 2 * dirtyCount);
            }
            dirtyList[dirtyCount++] = resource;
        }
    }

    private void widen(int resources) {
        int wider = Math.max(2 * stride, resources);
        int[] newNext = new int[routes.length * wider];
        int[] newPrevious = new int[newNext.length];
        for (int transfer = 0; transfer < routes.length; transfer++) {
            for (int i = 0; i < stride; i++) {
                newNext[transfer * wider + i] = renumber(next[transfer * stride + i], wider);
                newPrevious[transfer * wider + i] = renumber(previous[transfer * stride + i], wider);
            }
        }
        for (int resource = 0; resource < firstUse.length; resource++) {
            firstUse[resource] = renumber(firstUse[resource], wider);
        }
        next = newNext;
        previous = newPrevious;
        stride = wider;
    }

    private int renumber(int use, int wider) {
        return use == NONE ? NONE : use / stride * wider + use % stride;
    }

    // ---- rates ----

    /** Ends an instant: finds new rates where they may have changed, and sets the events of the resulting ends. */
    public void settle(long now) {
        if (dirtyCount > 0) {
            round++;
            for (int i = 0; i < dirtyCount; i++) {
                int resource = dirtyList[i];
                dirty[resource] = false;
                for (int use = firstUse[resource]; use != NONE; use = next[use]) {
                    if (visited[use / stride] != round) {
                        solve(use / stride, now);
                    }
                }
            }
            dirtyCount = 0;
        }
        for (int i = 0; i < begunCount; i++) {
            int transfer = begun[i];
            if (rates[transfer] == 0) {
                setRate(transfer, alone[transfer], now);
            }
        }
        begunCount = 0;
    }

    /** Finds all transfers connected with one, and their rates. */
    private void solve(int seed, long now) {
        int found = 1;
        int ties = 0;
        component[0] = seed;
        visited[seed] = round;
        for (int at = 0; at < found; at++) {
            int[] resources = routes[component[at]].resources();
            for (int i = 0; i < resources.length; i++) {
                int resource = resources[i];
                if (seen[resource] == round || !contended(resource)) {
                    continue;
                }
                seen[resource] = round;
                if (ties == tied.length) {
                    tied = Arrays.copyOf(tied, 2 * ties);
                }
                local[resource] = ties;
                tied[ties++] = resource;
                for (int use = firstUse[resource]; use != NONE; use = next[use]) {
                    int other = use / stride;
                    if (visited[other] != round) {
                        visited[other] = round;
                        if (found == component.length) {
                            component = Arrays.copyOf(component, 2 * found);
                        }
                        component[found++] = other;
                    }
                }
            }
        }
        if (ties == 0) {
            setRate(seed, alone[seed], now);
            return;
        }
        shares.reset();
        for (int i = 0; i < ties; i++) {
            shares.resource(capacityNow(tied[i]));
        }
        for (int i = 0; i < found; i++) {
            Route route = routes[component[i]];
            shares.transfer(alone[component[i]]);
            for (int k = 0; k < route.resources().length; k++) {
                int resource = route.resources()[k];
                if (seen[resource] == round) {
                    shares.use(local[resource], route.weights()[k]);
                }
            }
        }
        shares.solve();
        for (int i = 0; i < found; i++) {
            setRate(component[i], shares.rate(i), now);
        }
    }

    private void setRate(int transfer, double rate, long now) {
        double old = rates[transfer];
        if (Math.abs(rate - old) <= SAME * old) {
            return;
        }
        if (old > 0) {
            if (trace != null) {
                tell(transfer, now);
            }
            left[transfer] = Math.max(0, left[transfer] - old * Clock.seconds(now - since[transfer]));
        }
        since[transfer] = now;
        rates[transfer] = rate;
        ends.put(transfer, Clock.after(now, Clock.of(left[transfer], rate)));
    }

    private void tell(int transfer, long now) {
        if (now > since[transfer]) {
            Route route = routes[transfer];
            for (int i = 0; i < route.resources().length; i++) {
                trace.used(route.resources()[i], since[transfer], now, rates[transfer] * route.weights()[i]);
            }
        }
    }

    // ---- results ----

    /** A transfer's present rate, bytes/s. */
    double rate(int transfer) {
        return rates[transfer];
    }

    /** By resource: bytes of capacity used by ended transfers. Read only. */
    public double[] carried() {
        return carried;
    }

    /** By resource: picoseconds in which at least one transfer used it; right once all have ended. Read only. */
    public long[] busy() {
        return busyFor;
    }
}
