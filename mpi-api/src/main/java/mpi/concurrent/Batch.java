package mpi.concurrent;

import java.util.ArrayList;
import java.util.List;

/** Tasks that wait for workers, in order, and in which chunks they are handed out. */
final class Batch {
    /** The function of one call of map. The next call's is another, as the program may change what it refers to. */
    record Mapping(MapFunction<?, ?> function) {
    }

    /** Tasks that one worker gets at once. */
    record Chunk(Mapping mapping, List<RemoteTask<?>> tasks) {
        MapFunction<?, ?> function() {
            return mapping == null ? null : mapping.function;
        }

        Object[] inputs() {
            Object[] inputs = new Object[tasks.size()];
            for (int i = 0; i < inputs.length; i++) {
                inputs[i] = tasks.get(i).sent;
            }
            return inputs;
        }

        /** The same tasks, to be handed out one by one. */
        Batch split() {
            return new Batch(mapping, tasks, 1);
        }
    }

    /** Each chunk is this part of what is left for each worker: chunks get shorter, and all workers end at once. */
    private static final int PART = 4;

    private final Mapping mapping;
    private final List<? extends RemoteTask<?>> tasks;
    private final int chunk;
    private int next;

    /**
     * @param mapping null if each task is a function of its own
     * @param chunk tasks in a chunk; 0 for what suits the number of tasks that are left
     */
    Batch(Mapping mapping, List<? extends RemoteTask<?>> tasks, int chunk) {
        this.mapping = mapping;
        this.tasks = tasks;
        this.chunk = chunk;
    }

    /** The next chunk, without those that have been cancelled; null if none is left. */
    Chunk take(int workers) {
        int length = chunk > 0 ? chunk : Math.max(1, (tasks.size() - next) / (PART * workers));
        List<RemoteTask<?>> taken = new ArrayList<>();
        while (next < tasks.size() && taken.size() < length) {
            RemoteTask<?> task = tasks.get(next++);
            if (!task.isDone()) {
                taken.add(task);
            }
        }
        return taken.isEmpty() ? null : new Chunk(mapping, taken);
    }

    /** Those that no worker has got; they are no longer here. */
    List<RemoteTask<?>> drain() {
        List<RemoteTask<?>> left = new ArrayList<>(tasks.subList(next, tasks.size()));
        left.removeIf(RemoteTask::isDone);
        next = tasks.size();
        return left;
    }
}
