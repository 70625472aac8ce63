package mpi.spi;

/**
 * An operation that can be started again and again with the same arguments. It keeps the caller's buffers from the call
 * that makes it until it is freed. Between its starts it is complete.
 */
public interface PersistentOperation extends Operation {
    /**
     * Starts it. It must be complete: package mpi sees to that. Never waits for another rank.
     *
     * @throws RuntimeException if it cannot start; then it is still complete
     */
    void start();

    /** It is not started again. If it is under way, it completes. */
    void free();

    /**
     * A message in equal partitions that is started again and again. The sender's and the receiver's partitions may
     * differ in number; their bytes add up to the same.
     */
    interface InPartitions extends PersistentOperation {
        /**
         * Of a send: these partitions may be read from now on. Any thread may call it, also while others wait.
         *
         * @param first the first of them; package mpi has checked the range
         * @param last the last of them
         * @param call the user's call, for messages
         * @throws RuntimeException ERR_REQUEST if the send has not been started, or one of the partitions is ready
         * already; then none of them has become ready
         */
        void ready(int first, int last, String call);

        /** Of a receive: whether all bytes of this partition have arrived. True between the starts. */
        boolean arrived(int partition);
    }

    /** An operation that is complete from the start: a message that has gone at once, or to or from nobody. */
    final class Completed implements InPartitions {
        private static final int ANY = -1;
        private static final int NOBODY = -2;

        public static final Completed SENT = new Completed(ANY);
        public static final Completed RECEIVED_FROM_NOBODY = new Completed(NOBODY);

        private final int source;

        private Completed(int source) {
            this.source = source;
        }

        @Override
        public void start() {
            // Nothing to do, at every start.
        }

        @Override
        public void free() {
            // Nothing to free.
        }

        @Override
        public void ready(int first, int last, String call) {
            // There is nobody to send to.
        }

        @Override
        public boolean arrived(int partition) {
            return true;
        }

        @Override
        public boolean hasSucceeded() {
            return true;
        }

        @Override
        public boolean test() {
            return true;
        }

        @Override
        public void await() {
            // Nothing is left to wait for.
        }

        @Override
        public void cancel() {
            // Too late, as for every completed operation.
        }

        @Override
        public void describe(Envelope envelope) {
            envelope.fill(source, ANY, 0, false);
        }
    }
}
