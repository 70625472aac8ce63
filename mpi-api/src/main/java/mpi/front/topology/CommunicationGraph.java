package mpi.front.topology;

import java.util.Arrays;
import mpi.front.job.Constants;

/** Who sends to whom, and how much: vertices from 0 and weighted edges between them. */
public final class CommunicationGraph {
    private final int vertices;
    private int[] from;
    private int[] to;
    private long[] weight;
    private int edges;
    /** By vertex: where its edges, of either direction, begin in {@link #incident}. Null until asked for. */
    private int[] begin;
    private int[] incident;

    /** @param expected number of edges */
    CommunicationGraph(int vertices, int expected) {
        this.vertices = vertices;
        from = new int[expected];
        to = new int[expected];
        weight = new long[expected];
    }

    /** Adds an edge; one that leads to {@code MPI.PROC_NULL} is none. */
    void edge(int source, int destination, long bytes) {
        if (destination == Constants.PROC_NULL) {
            return;
        }
        if (edges == from.length) {
            int room = edges + edges / 2 + 1;
            from = Arrays.copyOf(from, room);
            to = Arrays.copyOf(to, room);
            weight = Arrays.copyOf(weight, room);
        }
        from[edges] = source;
        to[edges] = destination;
        weight[edges++] = bytes;
    }

    int vertices() {
        return vertices;
    }

    /**
     * The weight of the edges between different groups.
     *
     * @param processOf by vertex
     * @param groupOf by process
     */
    long cut(int[] processOf, int[] groupOf) {
        long cut = 0;
        for (int i = 0; i < edges; i++) {
            cut += groupOf[processOf[from[i]]] == groupOf[processOf[to[i]]] ? 0 : weight[i];
        }
        return cut;
    }

    /** Adds to each neighbour of a vertex the weight of the edges between them, either way, times a factor. */
    void addWeights(int vertex, long factor, long[] toEach) {
        if (begin == null) {
            collectIncident();
        }
        for (int i = begin[vertex]; i < begin[vertex + 1]; i++) {
            int edge = incident[i];
            toEach[from[edge] == vertex ? to[edge] : from[edge]] += factor * weight[edge];
        }
    }

    private void collectIncident() {
        begin = new int[vertices + 1];
        for (int i = 0; i < edges; i++) {
            begin[from[i] + 1]++;
            begin[to[i] + 1]++;
        }
        for (int vertex = 0; vertex < vertices; vertex++) {
            begin[vertex + 1] += begin[vertex];
        }
        int[] next = begin.clone();
        incident = new int[2 * edges];
        for (int i = 0; i < edges; i++) {
            incident[next[from[i]]++] = i;
            incident[next[to[i]]++] = i;
        }
    }
}
