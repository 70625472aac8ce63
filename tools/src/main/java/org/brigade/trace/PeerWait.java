package org.brigade.trace;

/**
 * One rank was stopped until another one had sent, or had taken, something.
 *
 * @param rank who waited
 * @param peer for whom; a rank of the job
 * @param start nanoseconds since the trace began
 * @param end when the first byte moved
 * @param what the call it waited in
 */
record PeerWait(int rank, int peer, long start, long end, String what) {
    long nanos() {
        return end - start;
    }
}
