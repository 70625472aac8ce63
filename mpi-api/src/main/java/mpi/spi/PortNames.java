package mpi.spi;

/**
 * Ports, at which processes of other jobs connect, and the names under which ports are published. Parameter
 * {@code call} is the user's call with this rank, for messages. Any thread.
 */
public interface PortNames {
    /** Opens a port; returns its name. */
    String open(String call);

    /**
     * Closes a port, and turns away who waits there.
     *
     * @throws mpi.MPIException ERR_PORT if this process has not opened it, or has closed it
     */
    void close(String call, String port);

    /**
     * Publishes a port under a name.
     *
     * @throws mpi.MPIException ERR_SERVICE if the name is taken, ERR_PORT if the port is not open
     */
    void publish(String call, String service, String port);

    /**
     * Takes a name back.
     *
     * @throws mpi.MPIException ERR_SERVICE if the name is not published for this port
     */
    void unpublish(String call, String service, String port);

    /**
     * The port that is published under a name.
     *
     * @throws mpi.MPIException ERR_NAME if there is none
     */
    String lookup(String call, String service);
}
