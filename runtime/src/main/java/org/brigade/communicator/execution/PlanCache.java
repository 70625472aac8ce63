package org.brigade.communicator.execution;

import org.brigade.engine.Plan;

/**
 * Plans by a key of one long: open addressing, no boxing, a hit in nanoseconds. Grows, never shrinks: a communicator
 * has few shapes of call.
 */
final class PlanCache {
    private long[] keys = new long[64];
    private Plan[] plans = new Plan[64];
    private int size;

    public Plan get(long key) {
        int mask = plans.length - 1;
        for (int slot = slot(key, mask); plans[slot] != null; slot = (slot + 1) & mask) {
            if (keys[slot] == key) {
                return plans[slot];
            }
        }
        return null;
    }

    public void put(long key, Plan plan) {
        if (size * 2 >= plans.length) {
            grow();
        }
        insert(key, plan);
        size++;
    }

    private void grow() {
        long[] oldKeys = keys;
        Plan[] oldPlans = plans;
        keys = new long[oldKeys.length * 2];
        plans = new Plan[oldPlans.length * 2];
        for (int i = 0; i < oldPlans.length; i++) {
            if (oldPlans[i] != null) {
                insert(oldKeys[i], oldPlans[i]);
            }
        }
    }

    private void insert(long key, Plan plan) {
        int mask = plans.length - 1;
        int slot = slot(key, mask);
        while (plans[slot] != null) {
            slot = (slot + 1) & mask;
        }
        keys[slot] = key;
        plans[slot] = plan;
    }

    private static int slot(long key, int mask) {
        return (int) ((key * 0x9E3779B97F4A7C15L) >>> 40) & mask;
    }
}
