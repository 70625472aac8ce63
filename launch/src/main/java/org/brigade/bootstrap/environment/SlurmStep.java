package org.brigade.bootstrap.environment;

import mpi.ErrorClass;
import org.brigade.bootstrap.Job;

/**
 * A task of a step that srun has started. The batch script is no task, though Slurm sets most of the same variables
 * there.
 */
final class SlurmStep {
    /**
     * Slurm's own steps (batch, extern, interactive) have numbers from here on: slurm.h counts them down from
     * 0xfffffffe.
     */
    private static final String FIRST_SPECIAL_STEP = "4294967280";

    private final Variables variables;

    SlurmStep(Variables variables) {
        this.variables = variables;
    }

    static boolean present(Variables variables) {
        if (!variables.has("SLURM_STEP_ID") || !variables.has("SLURM_PROCID")) {
            return false;
        }
        String step = variables.text("SLURM_STEP_ID");
        return step.length() < FIRST_SPECIAL_STEP.length()
            || step.length() == FIRST_SPECIAL_STEP.length() && step.compareTo(FIRST_SPECIAL_STEP) < 0;
    }

    Job job() {
        // The step's own numbers come first: in some versions srun -n 2 in a job of 4 sets SLURM_NTASKS to the job's.
        int size = variables.number(first("SLURM_STEP_NUM_TASKS", "SLURM_NTASKS"), 1, Integer.MAX_VALUE);
        int rank = variables.number("SLURM_PROCID", 0, size - 1);
        String counts = first("SLURM_STEP_TASKS_PER_NODE", "SLURM_TASKS_PER_NODE");
        int node = variables.has("SLURM_NODEID") ? variables.number("SLURM_NODEID", 0, Integer.MAX_VALUE) : 0;
        int localSize = tasksOn(node, counts, size);
        int localRank = variables.number("SLURM_LOCALID", 0, localSize - 1);
        String key = "slurm-" + Variables.fileName(variables.text("SLURM_JOB_ID")) + "."
            + Variables.fileName(variables.text("SLURM_STEP_ID"));
        String nodes = first("SLURM_STEP_NUM_NODES", "SLURM_NNODES");
        int count = localSize == size ? 1 : variables.has(nodes) ? variables.number(nodes, 2, size) : 0;
        return new Job("Slurm", rank, size, localRank, localSize, key, localSize == size ? 0 : node, count);
    }

    private String first(String preferred, String otherwise) {
        return variables.has(preferred) ? preferred : otherwise;
    }

    /**
     * Tasks on a node, from a list like {@code 2(x3),1}: two tasks on each of three nodes, then one task on one node.
     */
    private int tasksOn(int node, String name, int size) {
        String list = variables.text(name);
        long tasks = 0;
        long nodes = 0;
        int at = 0;
        while (at < list.length()) {
            int end = list.indexOf(',', at);
            end = end < 0 ? list.length() : end;
            int times = list.indexOf("(x", at);
            boolean repeated = times >= 0 && times < end;
            tasks = number(list, at, repeated ? times : end);
            nodes += repeated ? number(list, times + 2, end - 1) : 1;
            if (tasks < 1 || tasks > size) {
                break;
            }
            if (node < nodes) {
                return (int) tasks;
            }
            at = end + 1;
        }
        throw ErrorClass.OTHER.in("Init",
            name + "=" + list + " does not say how many of the step's " + size + " tasks node " + node
                + " (SLURM_NODEID) has; start all ranks with one srun");
    }

    private static long number(String text, int from, int to) {
        long number = 0;
        for (int i = from; i < to && number >= 0; i++) {
            char digit = text.charAt(i);
            number = digit >= '0' && digit <= '9' && number < Integer.MAX_VALUE ? number * 10 + digit - '0' : -1;
        }
        return from < to ? number : -1;
    }
}
